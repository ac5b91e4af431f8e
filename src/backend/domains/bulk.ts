import type { SQL } from "bun";
import type { Domain } from "../../shared/domain.ts";
import type { BulkResult } from "../../shared/register.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { insertRows } from "../database/bulk-rows.ts";
import type { BulkJob } from "../database/database.ts";
import { toColumns } from "./columns.ts";
import { addChanges, changedFields, type Author } from "./history.ts";
import type { Bulk, Operation, Selection } from "./input.ts";
import { ensureLabels } from "./labels.ts";
import { filterCondition } from "./list-domains.ts";
import { readDomains } from "./read-domains.ts";

/** The result. `count`: another number of domains matches, so nothing was done. */
export type BulkOutcome = ({ kind: "done" } & BulkResult) | { kind: "count"; count: number };

/** Domains that are read at a time. */
const READ_BATCH = 200;

/** Domains whose rows one statement writes. */
const WRITE_BATCH = 2000;

/** Ids that one statement looks up; SQLite takes 32,766 parameters. */
const LOOK_UP_BATCH = 2000;

/** A domain would have more tags than it may. */
class TooManyTagsError extends Error {
  override readonly name = "TooManyTagsError";
}

/**
 * Changes many domains, or none, with a history of each that differs afterwards. Rejects with an
 * error that `isTooManyTags` knows when a domain would have more tags than it may.
 */
export const changeMany: BulkJob<Bulk & { email: string }, BulkOutcome> = {
  name: "change domains",
  run: (sql, { email, ...bulk }) =>
    changeSelected(sql, bulk, { email, at: new Date().toISOString() }),
};

/** Whether a bulk change was refused for its tags. Of its error, a thread passes on the name only. */
export function isTooManyTags(error: unknown): error is Error {
  return error instanceof Error && error.name === TooManyTagsError.name;
}

async function changeSelected(
  sql: SQL,
  { selection, operation }: Bulk,
  author: Author,
): Promise<BulkOutcome> {
  const found = await selectDomains(sql, selection);
  const expected = selection.kind === "ids" ? selection.ids.length : selection.expectedCount;
  if (found.length !== expected) return { kind: "count", count: found.length };
  const work =
    operation.kind === "edit"
      ? await prepareEdit(sql, operation, author)
      : prepareDeletion(sql, author);
  const changed = new Set<string>();
  for (const batch of chunks(sortedBy(found, "id"), READ_BATCH)) {
    const domains = await readDomains(sql, batch);
    for (const id of await work.change(domains)) changed.add(id);
  }
  const rows = found.filter(({ id }) => changed.has(id));
  for (const batch of chunks(sortedBy(rows, "name"), WRITE_BATCH)) await work.conclude(batch);
  return { kind: "done", matched: found.length, changed: changed.size };
}

interface Found {
  id: string;
  name: string;
}

/**
 * Sorted ids or names. Rows that belong to domains lie beside each other by id, entries of the list's
 * index by name: in this order each page of the database is visited once.
 */
function sortedBy(found: readonly Found[], key: keyof Found): string[] {
  return found.map((each) => each[key]).toSorted();
}

async function selectDomains(sql: SQL, selection: Selection): Promise<Found[]> {
  if (selection.kind === "filter") {
    return [
      ...(await sql<Found[]>`
        select id, name from domains where ${filterCondition(sql, selection.filter)}`),
    ];
  }
  const found: Found[] = [];
  for (const batch of chunks(selection.ids, LOOK_UP_BATCH)) {
    const rows = await sql<Found[]>`select id, name from domains where id in ${sql(batch)}`;
    for (const { id, name } of rows) found.push({ id, name });
  }
  return found;
}

/** What is done to many domains. */
interface BulkWork {
  /** Does all but the rows of the domains themselves, and returns the ids of those that change. */
  change(domains: readonly Domain[]): Promise<string[]>;
  /** Writes the rows of domains that change, given by their names. */
  conclude(names: readonly string[]): Promise<unknown>;
}

type Edit = Extract<Operation, { kind: "edit" }>;

/** Prepares one edit for many domains; what they share is written here, once. */
async function prepareEdit(sql: SQL, edit: Edit, author: Author): Promise<BulkWork> {
  const { registrar } = edit.values;
  const registrars = await ensureLabels(sql, "registrars", registrar ? [registrar] : []);
  const added = await ensureLabels(sql, "tags", edit.addTags);
  const removed = edit.removeTags.map(foldLabel);

  // Of the registrar, all domains share one spelling.
  const [spelling = registrar] = registrars.values();
  const values = { ...edit.values, ...(spelling !== undefined && { registrar: spelling }) };
  const columns = { updated_at: author.at, ...toColumns(values) };

  async function change(domains: readonly Domain[]) {
    const changes = domains.flatMap((before) => {
      const after = { ...before, ...values, tags: editTags(before, added, removed) };
      const fields = changedFields(before, after);
      return fields.length > 0 ? [{ domainId: before.id, action: "edited" as const, fields }] : [];
    });
    if (changes.length === 0) return [];
    const ids = changes.map(({ domainId }) => domainId);
    if (removed.length > 0) {
      await sql`delete from domain_tags
        where domain_id in ${sql(ids)} and tag_key in ${sql(removed)}`;
    }
    const rows = ids.flatMap((id) =>
      [...added.keys()].map((key) => ({ domain_id: id, tag_key: key })),
    );
    await insertRows(sql, "domain_tags", rows, "on conflict do nothing");
    await addChanges(sql, changes, author);
    return ids;
  }

  return {
    change,
    conclude: (names) =>
      sql`update domains set ${sql(columns)}, version = version + 1 where name in ${sql(names)}`,
  };
}

/** Prepares to delete many domains; their history stays. */
function prepareDeletion(sql: SQL, author: Author): BulkWork {
  async function change(domains: readonly Domain[]) {
    const ids = domains.map(({ id }) => id);
    // A deleted domain takes these along, but one at a time, which is slower.
    await sql`delete from domain_tags where domain_id in ${sql(ids)}`;
    await sql`delete from observations where domain_id in ${sql(ids)}`;
    const changes = domains.map((domain) => {
      const fields = changedFields(domain, null);
      return { domainId: domain.id, action: "deleted" as const, fields };
    });
    await addChanges(sql, changes, author);
    return ids;
  }

  return { change, conclude: (names) => sql`delete from domains where name in ${sql(names)}` };
}

/** The tags after an edit, in the order in which they are read: by the bytes of their folded forms. */
function editTags(
  { tags, unicode }: Domain,
  added: ReadonlyMap<string, string>,
  removed: readonly string[],
): string[] {
  const kept = new Map(tags.map((tag) => [foldLabel(tag), tag]));
  for (const key of removed) kept.delete(key);
  for (const [key, label] of added) kept.set(key, label);
  if (kept.size > LIMITS.tags) {
    throw new TooManyTagsError(
      `A domain has at most ${LIMITS.tags} tags; ${unicode} would have ${kept.size}.`,
    );
  }
  const byBytes = ([one]: [string, string], [other]: [string, string]) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other));
  return [...kept].toSorted(byBytes).map(([, label]) => label);
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
