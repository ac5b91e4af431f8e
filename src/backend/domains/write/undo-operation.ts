import type { SQL } from "bun";
import type { Change } from "../../../shared/changes.ts";
import type { Domain } from "../../../shared/domain.ts";
import { hasRows, type Job, readColumn } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import { route, type RequestContext, type Route } from "../../http/route.ts";
import { UUID } from "../../../shared/text.ts";
import { type KeptDomain, parseUndone, type Undone } from "../../../shared/operations.ts";
import { isRecord } from "../../../shared/parse.ts";
import { putInBin, removeBinned, restoreDomains } from "./bin.ts";
import {
  latestObservations,
  readObservations,
  sortReports,
  type StoredReport,
} from "../expiry/expiry.ts";
import {
  editedSinceAdded,
  hasValue,
  listOperation,
  namesOfDeleted,
  valuesBefore,
  type Author,
  type ChangedReports,
  type Maker,
  type OperationChange,
  type Operator,
} from "./history.ts";
import { readPeople } from "../people.ts";
import { readFields } from "../list/read-domains.ts";
import { undoRename } from "./renames.ts";
import { writeDomains, type DomainEdit } from "./write-domains.ts";

/** Undoes operations, with what they have done beside changes of domains; null where none is known. */
type Undo = Job<{ ids: readonly string[]; by: Maker }, Undone | null>;

export interface Undos {
  undo: Undo;
  foretell: Undo;
}

/** Operations of one request: as many as one entry of the changes has. */
const MAX_OPERATIONS = 50;

/** @throws {RequestError} 404 for no ids, what an older version wrote, and an import too old to be undone. */
async function runUndo(
  { database, user, params: { operations } }: RequestContext<":operations", "editor">,
  job: Undo,
): Promise<Undone> {
  const ids = operations.split(",");
  if (ids.length > MAX_OPERATIONS || !ids.every((id) => UUID.test(id))) {
    throw new RequestError(404, `Expected at most ${MAX_OPERATIONS} comma-separated ids.`);
  }
  const undone = await database.writeMany(job, { ids, by: user });
  if (undone !== null) return undone;
  throw new RequestError(404, "This change cannot be undone: it is unknown or too old.");
}

export const createUndoRoutes = (undos: Undos): readonly Route[] => [
  route("POST /api/operations/:operations/undo", "editor", {
    summary: "Undo a change, or several as one, by comma-separated ids",
    answer: parseUndone,
    handle: (context) => runUndo(context, undos.undo),
  }),
  route("POST /api/operations/:operations/undo/foretell", "editor", {
    summary: "Say what an undo would do now",
    answer: parseUndone,
    handle: (context) => runUndo(context, undos.foretell),
  }),
];

const BATCH_SIZE = 200;

export const MAX_KEPT_DOMAINS = 1000;

/** Null: it is unknown, or an import that can no longer be undone. The undo of an import is an operation too. */
export async function undoOperation(
  sql: SQL,
  id: string,
  author: Operator,
): Promise<Undone | null> {
  const [first] = await listOperation(sql, id, { limit: 1, after: "" });
  // An import may have changed nothing.
  const importId = first === undefined ? id : first.import;
  const isImport = importId === id;
  // Its rows are stored for as long as it can be undone.
  const committed = sql`
    select 1 from imports where id = ${id} and state = 'committed' and staging is not null`;
  if (isImport && !(await hasRows(committed))) return null;
  const done = await undoChanges(sql, id, { ...author, ...(importId && { importId }) });
  const restored = done.restored + done.removed;
  if (restored > 0 || isImport) {
    await recordUndo(sql, id, author);
    await undoRename(sql, id, author.operation);
    if (importId !== undefined) await turnImport(sql, importId, done, author);
  }
  return { restored, kept: done.kept, operation: restored > 0 ? author.operation : null };
}

/** Remembers what an operation undid: that is undone, until the undo is. */
export async function recordUndo(sql: SQL, undoes: string, { operation }: Operator): Promise<void> {
  const isUndo = await hasRows(sql`select 1 from undos where operation = ${undoes} and redo = 0`);
  await sql`insert into undos ${sql({ undoes, operation, redo: isUndo ? 1 : 0 })}`;
}

/** An import is undone; whose undo is undone, stands again. */
async function turnImport(sql: SQL, id: string, done: UndoneChanges, { at }: Operator) {
  // A domain that was deleted since stays deleted.
  const kept = done.kept.filter(({ fields }) => fields.length > 0);
  const undone = { state: "undone", undone_at: at, undo: JSON.stringify({ ...done, kept }) };
  const stands = { state: "committed", undone_at: null, undo: null };
  const isUndone = await hasRows(sql`select 1 from imports where id = ${id} and state = 'undone'`);
  await sql`update imports set ${sql(isUndone ? stands : undone)} where id = ${id}`;
}

/** Does something and takes it back: what it would do is found by doing it. */
export async function foretell<T>(sql: SQL, act: () => Promise<T>): Promise<T> {
  await sql`savepoint undo`;
  const done = await act();
  await sql`rollback to savepoint undo`;
  return done;
}

interface UndoneChanges {
  restored: number;
  removed: number;
  kept: KeptDomain[];
}

/**
 * Sets back each field that still has the operation's value, restores what was deleted and bins
 * what was added. Reports that came with a change go, those that went come back. What is so already
 * counts neither as restored nor as kept.
 */
async function undoChanges(sql: SQL, operation: string, author: Author): Promise<UndoneChanges> {
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

/** A person without an account counts as none: their domains were not edited. */
function forgetGone(fields: Change["fields"], people: ReadonlyMap<unknown, unknown>): void {
  for (const change of fields.filter(({ field }) => field === "person")) {
    if (isRecord(change.before) && !people.has(change.before.id)) change.before = null;
    if (isRecord(change.after) && !people.has(change.after.id)) change.after = null;
  }
}

async function undoBatch(
  sql: SQL,
  changes: readonly OperationChange[],
  { author, operation, done }: { author: Author; operation: string; done: UndoneChanges },
): Promise<void> {
  const ids = changes.map(({ domainId }) => domainId);
  const domains = new Map((await readFields(sql, "id", ids)).map((domain) => [domain.id, domain]));
  const edited = changes.flatMap((each) => (each.action === "edited" ? each.domainId : []));
  const known = await readObservations(sql, edited);
  const edits: DomainEdit[] = [];
  const removed: Domain[] = [];
  for (const change of changes) {
    const domain = domains.get(change.domainId);
    if (domain === undefined || change.action === "deleted") continue;
    const { name, unicode } = domain;
    if (change.action === "edited") {
      const { edit, since } = planUndo(change, domain, known.get(domain.id) ?? []);
      edits.push(edit);
      if (since.length > 0) done.kept.push({ name, unicode, fields: since });
      continue;
    }
    const since = editedSinceAdded(change.fields, domain);
    if (since.length > 0) done.kept.push({ name, unicode, fields: since });
    else removed.push(domain);
  }
  const free = await keepTakenNames(sql, edits, done.kept);
  done.restored += (await writeDomains(sql, free, author)).changed;
  done.removed += await putInBin(sql, removed, author);

  const missing = changes.filter(({ domainId }) => !domains.has(domainId));
  const binned = missing.flatMap((each) => (each.action === "deleted" ? each.domainId : []));
  const { restored, taken } = await restoreDomains(sql, binned, author, operation);
  for (const { name, unicode } of taken) done.kept.push({ name, unicode, fields: ["name"] });
  const found = new Set([...restored.map(({ id }) => id), ...taken.map((row) => row.domain_id)]);
  const gone = missing.filter(({ action }) => action !== "added").map(({ domainId }) => domainId);
  const names = await namesOfDeleted(sql, [...new Set(gone).difference(found)]);
  for (const { name, unicode } of names.values()) done.kept.push({ name, unicode, fields: [] });
  done.restored += restored.length;
}

/** `since` are fields that were changed since. The expiry follows from the reports. */
function planUndo(
  { fields, reports: own }: OperationChange,
  domain: Domain,
  known: readonly StoredReport[],
) {
  const reports = isLastWord(own, known) ? { come: own.removed, gone: own.added } : undefined;
  const open = fields.filter((change) => !hasValue(domain, change, "before"));
  const back = open.filter(
    (change) =>
      hasValue(domain, change, "after") && (change.field !== "expires" || reports !== undefined),
  );
  const since = open.filter((each) => !back.includes(each)).map(({ field }) => field);
  const edit: DomainEdit = {
    before: domain,
    after: { ...domain, ...valuesBefore(back) },
    // Without its reports, an expiry that was changed since would lose what it falls back to.
    reports: since.includes("expires") ? undefined : reports,
    respells: true,
  };
  return { edit, since };
}

/** Whether there are reports of a change, and none of their sources has said more since. */
function isLastWord({ added, removed }: ChangedReports, known: readonly StoredReport[]): boolean {
  const own = new Set([...added, ...removed.map(({ id }) => id)]);
  const all = sortReports([...known, ...removed]);
  const sources = new Set(all.flatMap(({ id, source }) => (own.has(id) ? source : [])));
  const last = latestObservations(all).filter(({ source }) => sources.has(source));
  return last.length > 0 && last.every(({ id }) => own.has(id));
}

async function keepTakenNames(sql: SQL, edits: readonly DomainEdit[], kept: KeptDomain[]) {
  const renamed = edits.filter(({ before, after }) => before?.name !== after.name);
  const wanted = renamed.map(({ after }) => after.name);
  const names = new Set(
    await readColumn(sql`select name from domains where name in ${sql(wanted)}`),
  );
  return edits.map((edit): DomainEdit => {
    const { name, unicode } = edit.before ?? edit.after;
    if (name === edit.after.name || !names.has(edit.after.name)) return edit;
    kept.push({ name, unicode, fields: ["name"] });
    return { ...edit, after: { ...edit.after, name, unicode } };
  });
}
