import type { SQL } from "bun";
import type { BulkResult } from "../../shared/register-contract.ts";
import type { Statements } from "../database/run-all.ts";
import { takeTurns } from "../database/take-turns.ts";
import { prepareDeletion, prepareEdit } from "./bulk-edit.ts";
import type { Bulk, Selection } from "./bulk-input.ts";
import { filterCondition, notInOrderOf } from "./domain-filter.ts";
import { readDomains } from "./domain-row.ts";
import type { Author } from "./history.ts";

/** What became of it. `count`: another number of names matches, so nothing was done. */
export type BulkOutcome = ({ kind: "done" } & BulkResult) | { kind: "count"; count: number };

/** Names that are read at a time; few enough for everybody else to have a turn soon. */
const READ = 200;

/** Names whose rows one statement writes. */
const WRITTEN = 2000;

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
): Statements<BulkOutcome> {
  const found = await selectNames(sql, selection);
  const wanted = selection.kind === "ids" ? selection.ids.length : selection.expectedCount;
  if (found.length !== wanted) return { kind: "count", count: found.length };
  const { change, conclude } =
    operation.kind === "edit"
      ? yield* prepareEdit(sql, operation, author)
      : prepareDeletion(author);
  const changed = new Set<string>();
  for (const part of chunks(inOrder(found, "id"), READ)) {
    const domains = await readDomains(sql, part);
    await takeTurns();
    for (const id of yield* change(domains)) changed.add(id);
    await takeTurns();
  }
  const rows = found.filter(({ id }) => changed.has(id));
  for (const part of chunks(inOrder(rows, "name"), WRITTEN)) yield conclude(part);
  return { kind: "done", matched: found.length, changed: changed.size };
}

interface Found {
  id: string;
  name: string;
}

/**
 * Ids or names in their order. What belongs to names has its neighbours by their ids; in most indexes
 * names have theirs by their names. Whoever goes by that has to do with each page once.
 */
function inOrder(found: readonly Found[], key: keyof Found): string[] {
  return found.map((each) => each[key]).toSorted();
}

async function selectNames(sql: SQL, selection: Selection): Promise<Found[]> {
  if (selection.kind === "filter") return matchingNames(sql, selection);
  const found: Found[] = [];
  for (const part of chunks(selection.ids, LOOK_UP)) {
    const rows = await sql<Found[]>`select id, name from domains where id in ${sql(part)}`;
    for (const { id, name } of rows) found.push({ id, name });
    await takeTurns();
  }
  return found;
}

async function matchingNames(
  sql: SQL,
  { filter, expectedCount }: Extract<Selection, { kind: "filter" }>,
): Promise<Found[]> {
  const aside = expectedCount < LOOK_UP ? new Set<never>() : notInOrderOf("name");
  const found: Found[] = [];
  for (;;) {
    const rows = await sql<Found[]>`
      select id, name from domains where ${filterCondition(sql, filter, aside)}
        and name > ${found.at(-1)?.name ?? ""}
      order by name limit ${LOOK_UP}`;
    for (const { id, name } of rows) found.push({ id, name });
    if (rows.length < LOOK_UP) return found;
    await takeTurns();
  }
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
