import type { SQL } from "bun";
import type { Database } from "../database/database.ts";
import type { UploadFiles } from "./upload-files.ts";

/** An upload that was not imported is gone after a day. */
const LIFETIME_MS = 24 * 60 * 60_000;

export interface StoredUpload {
  id: string;
  userId: string;
  name: string;
  bytes: number;
  sha256: string;
}

/** Writes a stored file down, for a day. */
export async function addUpload(database: Database, upload: StoredUpload): Promise<void> {
  const { id, name, bytes, sha256 } = upload;
  const row = {
    id,
    user_id: upload.userId,
    name,
    bytes,
    sha256,
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + LIFETIME_MS).toISOString(),
  };
  await database.write((sql) => sql`insert into uploads ${sql(row)}`);
}

/** An upload of this user whose day is not over, or null. */
export async function findUpload(
  sql: SQL,
  id: string,
  userId: string,
): Promise<{ name: string } | null> {
  const [row] = await sql<{ name: string }[]>`
    select name from uploads where id = ${id} and user_id = ${userId}
      and expires_at > ${new Date().toISOString()}`;
  return row ?? null;
}

/** Removes uploads that have run out, rows and files, and files that have no row. */
export async function sweepUploads(database: Database, files: UploadFiles): Promise<void> {
  const expired = await database.write(
    (sql) => sql<{ id: string }[]>`
      delete from uploads where expires_at <= ${new Date().toISOString()} returning id`,
  );
  for (const { id } of expired) await files.remove(id);
  await files.sweep(async (id) => {
    const rows = await database.read(
      (sql) => sql<unknown[]>`select 1 from uploads where id = ${id}`,
    );
    return rows.length > 0;
  });
}
