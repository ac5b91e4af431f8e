import type { SQL } from "bun";
import type { BulkResult } from "../../register-contract.ts";
import type { Statement } from "../statement.ts";
import { takeTurns } from "../take-turns.ts";
import { prepareDeletion, prepareEdit } from "./bulk-edit.ts";
import type { Bulk, Selection } from "./bulk-input.ts";
import { filterCondition, type DomainFilter } from "./domain-filter.ts";
import { readDomains } from "./domain-row.ts";
import type { Author } from "./history.ts";

/** What became of it. `count`: another number of names matches, so nothing was done. */
export type BulkOutcome = ({ kind: "done" } & BulkResult) | { kind: "count"; count: number };

/** Names in one statement; few enough for everybody else to have a turn soon. */
const BATCH = 200;

/** Ids that one statement looks up; SQLite takes 32,766 parameters. */
const LOOK_UP = 2000;

/**
 * Changes many names, or none, with a history of each that differs afterwards. For
 * `Database.writeMany`.
 *
 * @throws {TooManyTagsError} When a name would have more tags than it may.
 */
export async function* changeMany(
  sql: SQL,
  { selection, operation }: Bulk,
  author: Author,
): AsyncGenerator<Statement, BulkOutcome, undefined> {
  const ids = await selectIds(sql, selection);
  const wanted = selection.kind === "ids" ? selection.ids.length : selection.expectedCount;
  if (ids.length !== wanted) return { kind: "count", count: ids.length };
  const step =
    operation.kind === "edit"
      ? yield* prepareEdit(sql, operation, author)
      : prepareDeletion(author);
  let changed = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    const domains = await readDomains(sql, ids.slice(start, start + BATCH));
    await takeTurns();
    changed += yield* step(domains);
    await takeTurns();
  }
  return { kind: "done", matched: ids.length, changed };
}

async function selectIds(sql: SQL, selection: Selection): Promise<string[]> {
  if (selection.kind === "filter") return matchingIds(sql, selection.filter);
  const found: string[] = [];
  for (let start = 0; start < selection.ids.length; start += LOOK_UP) {
    const part = selection.ids.slice(start, start + LOOK_UP);
    const rows = await sql<{ id: string }[]>`select id from domains where id in ${sql(part)}`;
    for (const { id } of rows) found.push(id);
    await takeTurns();
  }
  return found;
}

async function matchingIds(sql: SQL, filter: DomainFilter): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const rows = await sql<{ id: string }[]>`
      select id from domains where ${filterCondition(sql, filter)} and id > ${ids.at(-1) ?? ""}
      order by id limit ${LOOK_UP}`;
    for (const { id } of rows) ids.push(id);
    if (rows.length < LOOK_UP) return ids;
    await takeTurns();
  }
}
