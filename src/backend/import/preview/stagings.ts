import { yieldToEventLoop, type Database } from "../../database/database.ts";
import { rowId } from "./staged-rows.ts";

/** Rows that one statement removes: a few milliseconds' work. */
const BATCH = 2000;

/** How long a staging may take to come about: one that is older and nobody's was broken off. */
const ABANDONED_MS = 60 * 60_000;

/** Makes a place for the rows of one preview; nobody sees it until an import points to it. */
export async function openStaging(database: Database): Promise<string> {
  const staging = { id: Bun.randomUUIDv7("base64url"), created_at: new Date().toISOString() };
  await database.write((sql) => sql`insert into import_stagings ${sql(staging)}`);
  return staging.id;
}

/** Removes the rows of a preview, in batches that keep nobody waiting. */
export async function discardStaging(database: Database, staging: string): Promise<void> {
  const [first, last] = [rowId(staging, "0"), rowId(staging, "A")];
  for (let removed = BATCH; removed === BATCH;) {
    const rows = await database.write(
      (sql) => sql<unknown[]>`delete from import_rows where id in (
        select id from import_rows where id > ${first} and id < ${last} order by id limit ${BATCH})
        returning 1`,
    );
    removed = rows.length;
    await yieldToEventLoop();
  }
  await database.write((sql) => sql`delete from import_stagings where id = ${staging}`);
}

/** Removes what no import points to: previews made anew, given up, broken off, or run out. */
export async function sweepStagings(database: Database): Promise<void> {
  const before = new Date(Date.now() - ABANDONED_MS).toISOString();
  const orphans = await database.read(
    (sql) => sql<{ id: string }[]>`
      select id from import_stagings where created_at < ${before}
        and id not in (select staging from imports where staging is not null)`,
  );
  for (const { id } of orphans) await discardStaging(database, id);
}
