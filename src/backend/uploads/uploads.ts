import type { SQL } from "bun";
import { createHash } from "node:crypto";
import { DAY_SECONDS } from "../../shared/day.ts";
import type { Upload } from "../../shared/import.ts";
import { type Database, readColumn, instantIn } from "../database/database.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";

/** Seconds after which an upload is deleted that was not imported, or whose sender or process is gone. */
const UPLOAD_LIFETIME_SECONDS = DAY_SECONDS;

/** Bytes of a part: what an upload holds in memory, and what one statement writes or reads. */
export const PART_BYTES = 256 * 1024;

/** Stores what `receive` writes, under the name it returns. An incomplete upload has no hash. */
export async function saveUpload(
  database: Database,
  userId: string,
  receive: (write: (bytes: Uint8Array) => Promise<void>) => Promise<string>,
): Promise<Upload> {
  const uploadId = Bun.randomUUIDv7();
  await database.write(
    (sql) => sql`insert into uploads (id, user_id, name, bytes, sha256, created_at, expires_at)
      values (${uploadId}, ${userId}, '', 0, '', ${instantIn(sql, 0)},
        ${instantIn(sql, UPLOAD_LIFETIME_SECONDS)})`,
  );
  try {
    const parts = createPartWriter(database.write, uploadId);
    const upload = { name: await receive(parts.write), ...(await parts.end()) };
    await database.write((sql) => sql`update uploads set ${sql(upload)} where id = ${uploadId}`);
    return { uploadId, ...upload };
  } catch (error) {
    // What cannot be deleted right now is swept.
    const drop = database.write((sql) => sql`delete from uploads where id = ${uploadId}`);
    await drop.catch(() => undefined);
    throw error;
  }
}

/** Writes an upload part by part, each in its own `write`. Await each call before the next. */
export function createPartWriter(write: Database["write"], id: string) {
  const hash = createHash("sha256");
  const part = Buffer.alloc(PART_BYTES);
  let [used, parts, size] = [0, 0, 0];

  async function flush() {
    const bytes = part.subarray(0, used);
    const row = { upload_id: id, number: parts, bytes };
    await write((sql) => sql`insert into upload_parts ${sql(row)}`);
    parts += 1;
    used = 0;
    // A fast sender has the next part there already.
    await yieldToEventLoop();
  }

  return {
    async write(bytes: Uint8Array): Promise<void> {
      hash.update(bytes);
      size += bytes.byteLength;
      for (let done = 0; done < bytes.byteLength;) {
        const taken = bytes.subarray(done, done + PART_BYTES - used);
        part.set(taken, used);
        used += taken.byteLength;
        done += taken.byteLength;
        if (used === PART_BYTES) await flush();
      }
    },
    /** Writes the last part: a file that is empty has one, too. */
    async end() {
      if (used > 0 || parts === 0) await flush();
      return { bytes: size, sha256: hash.digest("hex") };
    },
  };
}

/** The name of an upload of this user that is complete and has not expired; undefined without one. */
export async function findUpload(sql: SQL, id: string, userId: string) {
  const [name] = await readColumn(sql`
    select name from uploads where id = ${id} and user_id = ${userId} and sha256 <> ''
      and expires_at > ${instantIn(sql, 0)}`);
  return name;
}

/** Reads the content of an upload, part by part. @throws If it is deleted meanwhile. */
export async function* readContent(sql: SQL, id: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (let number = 0; ; number += 1) {
    const [part] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from upload_parts where upload_id = ${id} and number = ${number}`;
    if (part === undefined) break;
    size += part.bytes.byteLength;
    yield part.bytes;
  }
  const [upload] = await sql<{ bytes: number | string }[]>`
    select bytes from uploads where id = ${id}`;
  if (Number(upload?.bytes) !== size) throw new Error(`The upload ${id} vanished while being read`);
}

/** Deletes uploads that have expired, one by one; others can write in between. */
export async function sweepUploads(database: Database): Promise<void> {
  for (let deleted = 1; deleted > 0; await yieldToEventLoop()) {
    const rows = await database.write(
      (sql) => sql<unknown[]>`delete from uploads where id in (
        select id from uploads where expires_at <= ${instantIn(sql, 0)} limit 1) returning 1`,
    );
    deleted = rows.length;
  }
}
