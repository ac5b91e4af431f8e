import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DAY_MS } from "../../shared/day.ts";
import type { Database } from "../database/database.ts";
import { databaseFile } from "../database/sqlite.ts";
import { createPartWriter, hasContent } from "./uploads.ts";

/** The names of uploads; other files in the folder are left alone. */
const UPLOAD_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.partial)?$/;

/**
 * Moves into the database what a version before schema 38 stored in a folder, so that its previews go
 * on; what is a day old goes, as it would have there.
 */
export async function moveFormerUploads(database: Database, databaseUrl: string): Promise<void> {
  const folder = /^sqlite:/i.test(databaseUrl)
    ? join(dirname(databaseFile(databaseUrl)), "uploads")
    : resolve("data", "uploads");
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => UPLOAD_NAME.test(each))) {
    const path = join(folder, name);
    // Another instance may have moved it first.
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    const isMoved = await database.write(async (sql) => {
      const known = await sql<unknown[]>`select 1 from uploads where id = ${name}`;
      if (known.length === 0 || (await hasContent(sql, name))) return known.length > 0;
      const parts = createPartWriter((work) => work(sql), name);
      for await (const bytes of Bun.file(path).stream()) await parts.write(bytes);
      await parts.end();
      return true;
    });
    if (isMoved || Date.now() - found.mtimeMs > DAY_MS) await rm(path, { force: true });
  }
  await rmdir(folder).catch(() => undefined);
}
