import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import { type Domain, type Expiry, MANUAL } from "../../shared/domain.ts";
import type { BulkResult } from "../../shared/register.ts";
import { foldLabel, LIMITS } from "../../shared/text.ts";
import type { BulkJob } from "../database/database.ts";
import { deleteDomains } from "./bin.ts";
import { checkNow } from "./check-now.ts";
import { editMany, type DomainEdit } from "./edit-many.ts";
import { handledUntil } from "./handled.ts";
import { type Author, startOperation } from "./history.ts";
import type { Bulk, BulkChange, ParsedSelection } from "./input.ts";
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
  async run(sql, { selection, change, email }) {
    const author = startOperation(email);
    const ids = await selectIds(sql, selection);
    const expected = selection.kind === "ids" ? selection.ids.length : selection.expectedCount;
    if (ids.length !== expected) return { kind: "count", count: ids.length };
    let changed = 0;
    for (const batch of chunks(ids, BATCH_SIZE)) {
      if (change.kind === "check") {
        await checkNow(sql, batch, change.kinds, new Date());
        changed += batch.length;
        continue;
      }
      const domains = await readDomains(sql, batch);
      changed +=
        change.kind === "delete"
          ? await deleteDomains(sql, domains, author)
          : await editMany(sql, domains.map(planChange(change, author)), author);
    }
    const result = { matched: ids.length, changed };
    const isUndoable = changed > 0 && change.kind !== "check";
    return { kind: "done", ...result, operation: isUndoable ? author.operation : null };
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

/** What becomes of each domain. */
function planChange(
  change: Exclude<BulkChange, { kind: "delete" | "check" }>,
  author: Author,
): (domain: Domain) => DomainEdit {
  if (change.kind === "handle") {
    return (before) => {
      const handled = handledUntil(before, change.until, author) ?? before.handled;
      return { before, after: { ...before, handled } };
    };
  }
  if (change.kind === "done") {
    return (before) => ({ before, after: { ...before, doneFor: before.expires?.date ?? null } });
  }
  if (change.kind === "settle") {
    return (before) => ({ before, after: before, manual: settledDay(before.expires, change) });
  }
  const { addTags, removeTags } = change;
  const { expires, ...values } = change.values;
  const added = new Map(addTags.map((tag) => [foldLabel(tag), tag]));
  const removed = removeTags.map(foldLabel);
  return (before) => {
    const tags = editTags(before, added, removed);
    return { before, after: { ...before, ...values, tags }, manual: expires };
  };
}

/** The day that settles a conflict; undefined where there is none, or none of this source. */
function settledDay(
  expires: Expiry | null,
  { by, source }: Extract<BulkChange, { kind: "settle" }>,
): Day | undefined {
  if (!expires?.conflict) return undefined;
  const { alternatives } = expires;
  // Without a day set by hand, the one in use is the newest.
  const newest =
    expires.source === MANUAL ? [...alternatives, expires] : [expires, ...alternatives];
  if (by === "newest") return newest[0]?.date;
  if (by === "later")
    return newest
      .map(({ date }) => date)
      .toSorted()
      .at(-1);
  return newest.find((each) => foldLabel(each.source) === foldLabel(source ?? ""))?.date;
}

/** The tags after an edit. */
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
  return [...kept.values()];
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
