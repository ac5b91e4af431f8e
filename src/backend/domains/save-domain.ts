import type { SQL } from "bun";
import type { Domain } from "../../shared/domain.ts";
import type { Day } from "../../shared/day.ts";
import { MANUAL } from "../../shared/source.ts";
import { foldLabel } from "../../shared/text.ts";
import { dueDay } from "../../shared/work.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { badFields } from "../http/request-error.ts";
import { putInBin, removeBinned } from "./bin.ts";
import { toColumns } from "./columns.ts";
import { editMany } from "./edit-many.ts";
import { addObservations, effectiveExpiry } from "./expiry.ts";
import { handledUntil } from "./handled.ts";
import { addChanges, changedFields, type Operator } from "./history.ts";
import type { ParsedDomain, parseNewDomain } from "./input.ts";
import { ensureLabels } from "./labels.ts";
import { refuseUnknownPerson } from "./people.ts";
import { findDomain, readDomain, readDomains } from "./read-domains.ts";

/**
 * The result of a write; `operation` undoes it, null where nothing changed. `stale`: somebody else
 * changed it first, and this is their copy.
 */
export type Saved =
  | { kind: "saved"; domain: Domain; operation: string | null }
  | { kind: "taken"; existing: string }
  | { kind: "stale"; current: Domain }
  | { kind: "missing" };

/** Whose change it is, and of which versions: `accepts` decides on the one that is there. */
export interface Edit {
  accepts: (version: number) => boolean;
  author: Operator;
}

/** Adds a domain; `taken` where its name exists already. Inside a transaction. */
export async function addDomain(
  sql: SQL,
  values: ReturnType<typeof parseNewDomain>,
  author: Operator,
): Promise<Saved> {
  const existing = await findDomain(sql, values.name.name);
  if (existing !== null) return { kind: "taken", existing };
  await refuseUnknownPerson(sql, values.person?.id);
  const id = Bun.randomUUIDv7();
  const { name, tags = [], expires: date = null, ...others } = values;
  const labels = [{ id, registrar: values.registrar ?? null, tags }];
  await ensureLabels(sql, "registrars", labels);
  await ensureLabels(sql, "tags", labels);
  const report = { domainId: id, source: MANUAL, date, observedAt: author.at };
  const reports = date === null ? [] : [report];
  const row = {
    id,
    version: 1,
    ...toColumns({ notes: "", ...others, ...name, expires: effectiveExpiry(reports) }),
    created_at: author.at,
    updated_at: author.at,
  };
  await sql`insert into domains ${sql(row)}`;
  const pairs = tags.map((tag) => ({ domain_id: id, tag_key: foldLabel(tag) }));
  await insertRows(sql, "domain_tags", pairs);
  await addObservations(sql, reports);
  const domain = await readSaved(sql, id);
  const fields = changedFields(null, domain);
  await addChanges(sql, [{ domainId: id, action: "added", fields }], author);
  return { kind: "saved", domain, operation: author.operation };
}

/**
 * Changes the fields that `values` names, if the version is accepted. A change without effect leaves
 * version and history alone. Inside a transaction.
 */
export async function editDomain(
  sql: SQL,
  id: string,
  values: ParsedDomain,
  { accepts, author }: Edit,
): Promise<Saved> {
  const before = await lockDomain(sql, id);
  if (before === null) return { kind: "missing" };
  if (!accepts(before.version)) return { kind: "stale", current: before };
  const { name = before, expires: manual, ...others } = values;
  await refuseUnknownPerson(sql, values.person?.id);
  if (name.name !== before.name) {
    const existing = await findDomain(sql, name.name);
    if (existing !== null) return { kind: "taken", existing };
  }
  const after = { ...before, ...others, name: name.name, unicode: name.unicode };
  const edited = await editMany(sql, [{ before, after, manual, respells: true }], author);
  if (edited === 0) return { kind: "saved", domain: before, operation: null };
  return { kind: "saved", domain: await readSaved(sql, id), operation: author.operation };
}

/**
 * Acknowledges or snoozes the coming expiry of a domain; null takes that back. Inside a transaction.
 *
 * @throws {RequestError} 400 where it expires by then, or has no expiry.
 */
export async function handleDomain(
  sql: SQL,
  id: string,
  change: { until: Day | null } | null,
  author: Operator,
): Promise<Saved> {
  const before = await lockDomain(sql, id);
  if (before === null) return { kind: "missing" };
  const handled = change && handledUntil(before, change.until, author);
  if (change !== null && handled === null) {
    const due = dueDay(before);
    const detail =
      due === null ? "This domain has no expiry date." : `Expected a day before it expires, ${due}`;
    throw badFields([{ pointer: "/until", code: "range", detail }]);
  }
  const edited = await editMany(sql, [{ before, after: { ...before, handled } }], author);
  const operation = edited === 0 ? null : author.operation;
  return { kind: "saved", domain: await readSaved(sql, id), operation };
}

/** Moves a domain to the bin, if the version is accepted. Inside a transaction. */
export async function deleteDomain(
  sql: SQL,
  id: string,
  { accepts, author }: Edit,
): Promise<Saved> {
  const before = await lockDomain(sql, id);
  if (before === null) return { kind: "missing" };
  if (!accepts(before.version)) return { kind: "stale", current: before };
  await putInBin(sql, [before], author);
  await removeBinned(sql, author);
  return { kind: "saved", domain: before, operation: author.operation };
}

/** Reads the domain and keeps other transactions from changing it, in Postgres by its row lock. */
async function lockDomain(sql: SQL, id: string): Promise<Domain | null> {
  await sql`update domains set version = version where id = ${id}`;
  return readDomain(sql, id);
}

async function readSaved(sql: SQL, id: string): Promise<Domain> {
  const domain = await readDomain(sql, id);
  if (domain === null) throw new Error("A domain vanished within its own transaction");
  return domain;
}

/** Domains that are read and written at a time. */
const BATCH_SIZE = 500;

/** Makes a person's domains nobody's, before their account goes. Inside a transaction. */
export async function releaseDomains(sql: SQL, person: string, author: Operator): Promise<void> {
  for (let left = BATCH_SIZE; left === BATCH_SIZE;) {
    const rows = await sql<{ id: string }[]>`
      select id from domains where person_id = ${person} limit ${BATCH_SIZE}`;
    const ids = rows.map(({ id }) => id);
    const edits = (await readDomains(sql, ids)).map((before) => {
      return { before, after: { ...before, person: null } };
    });
    await editMany(sql, edits, author);
    left = rows.length;
  }
  // What waits in a preview would bring them back.
  await sql`update import_rows set person_id = null where person_id = ${person}`;
}
