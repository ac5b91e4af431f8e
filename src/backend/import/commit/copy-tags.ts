import type { SQL } from "bun";
import type { Statements } from "../../database/run-all.ts";
import { insertion, type Statement } from "../../database/statement.ts";
import { takeTurns } from "../../database/take-turns.ts";
import type { RowRange } from "./row-range.ts";

/** A domain, and the tags that a row adds to it: pairs of folded form and spelling. */
export interface AddedTags {
  domainId: string;
  tags: readonly (readonly [string, string])[];
}

/** Pairs of domain and tag that one statement writes. */
const PAIRS = 2000;

/**
 * Adds the tags of a range of staged rows to their domains, which are there by now. Of a row that
 * was planned anew, what is staged does not count, but what `renewed` has for its id.
 */
export async function* copyTags(
  sql: SQL,
  range: RowRange,
  renewed: ReadonlyMap<string, AddedTags>,
): Statements<void> {
  yield* addTags([...renewed.values()]);
  const rows = await readTags(sql, range);
  await takeTurns();
  const valid = rows.filter(({ id }) => !renewed.has(id));
  yield* addTags(valid.map(toAddedTags));
}

interface StagedTags {
  id: string;
  domain_id: string;
  added_tags: string;
}

async function readTags(sql: SQL, { from, to }: RowRange): Promise<StagedTags[]> {
  const rows = await sql<StagedTags[]>`
    select id, domain_id, added_tags from import_rows
    where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed') and added_tags is not null`;
  return [...rows];
}

function toAddedTags({ domain_id: domainId, added_tags }: StagedTags): AddedTags {
  return { domainId, tags: JSON.parse(added_tags) };
}

function* addTags(added: readonly AddedTags[]): Generator<Statement, void, unknown> {
  const labels = new Map(added.flatMap(({ tags }) => [...tags]));
  for (const part of chunks([...labels], PAIRS)) {
    const rows = part.map(([label_key, label]) => ({ label_key, label }));
    yield insertion("tags", rows, "on conflict (label_key) do nothing");
  }
  const pairs = added.flatMap(({ domainId, tags }) =>
    tags.map(([tag_key]) => ({ domain_id: domainId, tag_key })),
  );
  for (const rows of chunks(pairs, PAIRS)) yield insertion("domain_tags", rows);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
