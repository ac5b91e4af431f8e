import { DAY_MS } from "../../shared/day.ts";
import type { SQL } from "bun";
import type { Database } from "../database/database.ts";
import type { UploadFiles } from "./upload-files.ts";

/** An upload that was not imported is deleted after a day. */
const UPLOAD_LIFETIME_MS = DAY_MS;

/** Records a stored file, for a day. */
export async function addUpload(
  database: Database,
  {
    userId,
    ...upload
  }: { id: string; userId: string; name: string; bytes: number; sha256: string },
): Promise<void> {
  const row = {
    ...upload,
    user_id: userId,
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + UPLOAD_LIFETIME_MS).toISOString(),
  };
  await database.write((sql) => sql`insert into uploads ${sql(row)}`);
}

/** An upload of this user that has not expired, or null. */
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

/** Deletes expired uploads, rows and files, and files without a row. */
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
