import type { SQL } from "bun";
import type { Change, Domain } from "../../shared/domain.ts";
import type { KeptDomain, Undone } from "../../shared/operations.ts";
import { isRecord } from "../../shared/parse.ts";
import { MANUAL } from "../../shared/source.ts";
import type { Job } from "../database/database.ts";
import { putInBin, removeBinned, restoreDomains } from "./bin.ts";
import { parseDomainName } from "./domain-name.ts";
import { editMany, type DomainEdit } from "./edit-many.ts";
import { effectiveExpiry, readObservations, type ExpiryReport } from "./expiry.ts";
import {
  editedSinceAdded,
  hasValue,
  listOperation,
  namesOfDeleted,
  startOperation,
  valuesBefore,
  type Author,
  type Maker,
} from "./history.ts";
import { readPeople } from "./people.ts";
import { readFields } from "./read-domains.ts";

/** Domains that are read and written at a time. */
const BATCH_SIZE = 200;

const MAX_KEPT_DOMAINS = 1000;

type DomainChange = Change & { domainId: string };

/**
 * Undoes what a person wrote, in one transaction; the undo is an operation too. Null where there is no
 * such operation. An import has more to undo than its changes: it is undone as such.
 */
export const undoOperation: Job<{ id: string; by: Maker }, Undone | null> = {
  name: "undo operation",
  async run(sql, { id, by }) {
    const author = startOperation(by);
    const [first] = await listOperation(sql, id, { limit: 1, after: "" });
    if (first === undefined || first.import !== undefined) return null;
    const { restored, removed, kept } = await undoChanges(sql, id, author);
    const count = restored + removed;
    return { restored: count, kept, operation: count > 0 ? author.operation : null };
  },
};

/** What an undo did: domains set back or brought back, domains that went, and what stayed. */
export interface UndoneChanges {
  restored: number;
  removed: number;
  kept: KeptDomain[];
}

/**
 * Undoes all changes of an operation: each field is set back that still has the value which the
 * operation gave it, what was deleted comes back from the bin, and what was added goes there. A report
 * that came with a change has its id, and is withdrawn. What is so already counts neither as restored
 * nor as kept. Inside a transaction.
 */
export async function undoChanges(
  sql: SQL,
  operation: string,
  author: Author,
): Promise<UndoneChanges> {
  const done: UndoneChanges = { restored: 0, removed: 0, kept: [] };
  const people = await readPeople(sql);
  for (let after: string | null = ""; after !== null;) {
    const changes = await listOperation(sql, operation, { limit: BATCH_SIZE, after });
    for (const { fields } of changes) forgetGone(fields, people);
    await undoBatch(sql, changes, { author, operation, done });
    after = changes.length < BATCH_SIZE ? null : (changes.at(-1)?.id ?? null);
  }
  if (done.removed > 0) await removeBinned(sql, author);
  return { ...done, kept: done.kept.slice(0, MAX_KEPT_DOMAINS) };
}

/** Those whose account has gone are nobody: their domains are, without that anybody edited them. */
function forgetGone(fields: Change["fields"], people: ReadonlyMap<unknown, unknown>): void {
  for (const change of fields.filter(({ field }) => field === "person")) {
    if (isRecord(change.before) && !people.has(change.before.id)) change.before = null;
    if (isRecord(change.after) && !people.has(change.after.id)) change.after = null;
  }
}

async function undoBatch(
  sql: SQL,
  changes: readonly DomainChange[],
  { author, operation, done }: { author: Author; operation: string; done: UndoneChanges },
): Promise<void> {
  const ids = changes.map(({ domainId }) => domainId);
  const domains = new Map((await readFields(sql, "id", ids)).map((domain) => [domain.id, domain]));
  const edited = changes.filter(({ action }) => action === "edited");
  const left = await withdrawReports(sql, edited);
  const edits: DomainEdit[] = [];
  const removed: Domain[] = [];
  for (const { action, domainId, fields } of changes) {
    const domain = domains.get(domainId);
    if (domain === undefined || action === "deleted") continue;
    const { name, unicode } = domain;
    if (action === "edited") {
      const { edit, since } = planUndo(fields, domain, left.get(domainId));
      if (edit !== null) edits.push(edit);
      if (since.length > 0) done.kept.push({ name, unicode, fields: since });
      continue;
    }
    const since = editedSinceAdded(fields, domain);
    if (since.length > 0) done.kept.push({ name, unicode, fields: since });
    else removed.push(domain);
  }
  const free = await keepTakenNames(sql, edits, done.kept);
  // Where a report was withdrawn that did not decide, nothing of the domain differs.
  const hasReport = ({ before }: DomainEdit) => left.has(before.id);
  await editMany(sql, free.filter(hasReport), author);
  const others = free.filter((edit) => !hasReport(edit));
  done.restored += left.size + (await editMany(sql, others, author));
  done.removed += await putInBin(sql, removed, author);

  const missing = changes.filter(({ domainId }) => !domains.has(domainId));
  const deleted = missing.filter(({ action }) => action === "deleted");
  const binned = deleted.map(({ domainId }) => domainId);
  const { restored, taken } = await restoreDomains(sql, binned, author, operation);
  for (const { name, unicode } of taken) done.kept.push({ name, unicode, fields: ["name"] });
  const found = new Set([...restored.map(({ id }) => id), ...taken.map((row) => row.domain_id)]);
  const gone = missing.filter(({ action, domainId }) => action !== "added" && !found.has(domainId));
  const names = await namesOfDeleted(
    sql,
    gone.map(({ domainId }) => domainId),
  );
  for (const { name, unicode } of names.values()) done.kept.push({ name, unicode, fields: [] });
  done.restored += restored.length;
}

/**
 * Deletes the reports that came with changes, which have their ids. Returns what is reported of each
 * domain then.
 */
async function withdrawReports(
  sql: SQL,
  changes: readonly DomainChange[],
): Promise<Map<string, ExpiryReport[]>> {
  if (changes.length === 0) return new Map();
  const rows = await sql<{ domainId: string }[]>`
    delete from observations where id in ${sql(changes, "id")} returning domain_id as "domainId"`;
  const ids = rows.map(({ domainId }) => domainId);
  const left = await readObservations(sql, ids);
  return new Map(ids.map((id) => [id, left.get(id) ?? []]));
}

/**
 * How the edit of a domain is undone; null: not at all. `since` are fields that were changed since.
 * Where a report was withdrawn, the expiry follows from those that are left.
 */
function planUndo(fields: Change["fields"], domain: Domain, left: ExpiryReport[] | undefined) {
  const open = fields.filter((change) => !hasValue(domain, change, "before"));
  const since = open.filter((change) => !hasValue(domain, change, "after"));
  const back = open.filter((change) => !since.includes(change));
  const named = back.find(({ field }) => field === "name");
  const name = named === undefined ? null : parseDomainName(String(named.before));
  const expires = back.find(({ field }) => field === "expires");
  const edit: DomainEdit = {
    before: domain,
    after: {
      ...domain,
      ...valuesBefore(back),
      ...(name !== null && !("code" in name) && { name: name.name, unicode: name.unicode }),
      ...(left && { expires: effectiveExpiry(left) }),
    },
    manual: left === undefined && expires ? manualDay(expires.before) : undefined,
    respells: true,
  };
  return {
    edit: back.length > 0 || left !== undefined ? edit : null,
    since: since.map(({ field }) => field),
  };
}

/** The day that was set by hand in an expiry of the history, or null. */
function manualDay(expiry: unknown): string | null {
  const isManual = isRecord(expiry) && expiry.source === MANUAL;
  return isManual && typeof expiry.date === "string" ? expiry.date : null;
}

/** Keeps the names of those domains whose former names have been taken since. */
async function keepTakenNames(sql: SQL, edits: readonly DomainEdit[], kept: KeptDomain[]) {
  const renamed = edits.filter(({ before, after }) => before.name !== after.name);
  const named = await readFields(
    sql,
    "name",
    renamed.map(({ after }) => after.name),
  );
  const names = new Set(named.map(({ name }) => name));
  return edits.map((edit): DomainEdit => {
    const { name, unicode } = edit.before;
    if (name === edit.after.name || !names.has(edit.after.name)) return edit;
    kept.push({ name, unicode, fields: ["name"] });
    return { ...edit, after: { ...edit.after, name, unicode } };
  });
}
