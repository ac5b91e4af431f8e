import type { SQL } from "bun";
import type { Domain } from "../../shared/domain.ts";
import type { BulkResult } from "../../shared/register.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import { insertRows } from "../database/bulk-rows.ts";
import type { BulkJob } from "../database/database.ts";
import { toColumns } from "./columns.ts";
import { addChanges, changedFields, startOperation, type Author } from "./history.ts";
import type { Bulk, Operation, ParsedSelection } from "./input.ts";
import { ensureLabels } from "./labels.ts";
import { viewCondition } from "./list-domains.ts";
import { readDomains } from "./read-domains.ts";

/** The result. `count`: another number of domains matches, so nothing was done. */
type BulkOutcome = ({ kind: "done" } & BulkResult) | { kind: "count"; count: number };

/** Domains that are read and written at a time. */
const BATCH_SIZE = 500;

/** Ids that one statement looks up; SQLite takes 32,766 parameters. */
const LOOK_UP_SIZE = 2000;

const TOO_MANY_TAGS = "TooManyTagsError";

/** A domain would have more tags than it may. */
class TooManyTagsError extends Error {
  override readonly name = TOO_MANY_TAGS;
}

/**
 * Changes many domains, or none, with a history of each that differs afterwards. Rejects with an
 * error that `isTooManyTags` knows when a domain would have more tags than it may.
 */
export const changeMany: BulkJob<Bulk & { email: string }, BulkOutcome> = {
  name: "change domains",
  async run(sql, { selection, operation, email }) {
    const author = startOperation(email);
    const ids = await selectIds(sql, selection);
    const expected = selection.kind === "ids" ? selection.ids.length : selection.expectedCount;
    if (ids.length !== expected) return { kind: "count", count: ids.length };
    const change =
      operation.kind === "edit"
        ? await prepareEdit(sql, operation, author)
        : (domains: readonly Domain[]) => deleteDomains(sql, domains, author);
    let changed = 0;
    for (const batch of chunks(ids, BATCH_SIZE)) {
      changed += await change(await readDomains(sql, batch));
    }
    const result = { matched: ids.length, changed };
    return { kind: "done", ...result, operation: changed > 0 ? author.operation : null };
  },
};

/** Whether a bulk change was refused for its tags. Of its error, a thread passes on the name only. */
export function isTooManyTags(error: unknown): error is Error {
  return error instanceof Error && error.name === TOO_MANY_TAGS;
}

/** Ids in order, as the rows of the tables that belong to domains are. */
async function selectIds(sql: SQL, selection: ParsedSelection): Promise<string[]> {
  if (selection.kind === "filter") {
    const where = await viewCondition(sql, selection);
    const rows = await sql<{ id: string }[]>`select id from domains where ${where()}`;
    return rows.map(({ id }) => id).toSorted();
  }
  const ids: string[] = [];
  for (const batch of chunks(selection.ids, LOOK_UP_SIZE)) {
    const rows = await sql<{ id: string }[]>`select id from domains where id in ${sql(batch)}`;
    for (const { id } of rows) ids.push(id);
  }
  return ids.toSorted();
}

/** Writes what all domains of an edit share; what it returns edits some and counts the changed. */
async function prepareEdit(sql: SQL, edit: Extract<Operation, { kind: "edit" }>, author: Author) {
  const { registrar } = edit.values;
  const registrars = await ensureLabels(sql, "registrars", registrar ? [registrar] : []);
  const added = await ensureLabels(sql, "tags", edit.addTags);
  const removed = edit.removeTags.map(foldLabel);

  // Of the registrar, all domains share one spelling.
  const [spelling = registrar] = registrars.values();
  const values = { ...edit.values, ...(spelling !== undefined && { registrar: spelling }) };
  const columns = { updated_at: author.at, ...toColumns(values) };

  return async (domains: readonly Domain[]) => {
    const changes = domains.flatMap((before) => {
      const after = { ...before, ...values, tags: editTags(before, added, removed) };
      const fields = changedFields(before, after);
      return fields.length > 0 ? [{ domainId: before.id, action: "edited" as const, fields }] : [];
    });
    if (changes.length === 0) return 0;
    const ids = changes.map(({ domainId }) => domainId);
    if (removed.length > 0) {
      await sql`delete from domain_tags
        where domain_id in ${sql(ids)} and tag_key in ${sql(removed)}`;
    }
    const rows = ids.flatMap((id) =>
      [...added.keys()].map((key) => ({ domain_id: id, tag_key: key })),
    );
    await insertRows(sql, "domain_tags", rows, "on conflict do nothing");
    await sql`update domains set ${sql(columns)}, version = version + 1 where id in ${sql(ids)}`;
    await addChanges(sql, changes, author);
    return changes.length;
  };
}

/** Deletes many domains; their history stays. Returns how many. */
export async function deleteDomains(
  sql: SQL,
  domains: readonly Domain[],
  author: Author,
): Promise<number> {
  if (domains.length === 0) return 0;
  const ids = domains.map(({ id }) => id);
  // A deleted domain takes these along, but one at a time, which is slower.
  await sql`delete from domain_tags where domain_id in ${sql(ids)}`;
  await sql`delete from observations where domain_id in ${sql(ids)}`;
  await sql`delete from domains where id in ${sql(ids)}`;
  const changes = domains.map((domain) => {
    const fields = changedFields(domain, null);
    return { domainId: domain.id, action: "deleted" as const, fields };
  });
  await addChanges(sql, changes, author);
  return changes.length;
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
