import type { SQL } from "bun";
import type { Domain } from "../../../shared/domain.ts";
import type { Day } from "../../../shared/day.ts";
import { dueDay } from "../../../shared/work.ts";
import { type Job, readColumn } from "../../database/database.ts";
import { badFields } from "../../http/request-error.ts";
import { putInBin, removeBinned } from "./bin.ts";
import { startOperation, type Maker, type Operator } from "./history.ts";
import type { ParsedDomain, parseNewDomain } from "../input.ts";
import { refuseUnknownPerson } from "../people.ts";
import { findDomain, readDomain, readFields } from "../list/read-domains.ts";
import { handledUntil, blankDomain, writeDomains, type NewReport } from "./write-domains.ts";

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

/** Adds a domain, with reports of other sources; `taken` if its name exists. Inside a transaction. */
export async function addDomain(
  sql: SQL,
  values: ReturnType<typeof parseNewDomain>,
  author: Operator,
  reports: readonly NewReport[] = [],
): Promise<Saved> {
  const existing = await findDomain(sql, values.name.name);
  if (existing !== null) return { kind: "taken", existing };
  await refuseUnknownPerson(sql, values.person?.id);
  const id = Bun.randomUUIDv7();
  const { name, expires: manual, ...others } = values;
  const after = { ...blankDomain(id, name), ...others };
  const edit = { before: null, after, manual, reports: { come: reports }, respells: true };
  await writeDomains(sql, [edit], author);
  return { kind: "saved", domain: await readSaved(sql, id), operation: author.operation };
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
  if (!accepts(before.version)) return { kind: "stale", current: await readSaved(sql, id) };
  const { name = before, expires: manual, ...others } = values;
  await refuseUnknownPerson(sql, values.person?.id);
  if (name.name !== before.name) {
    const existing = await findDomain(sql, name.name);
    if (existing !== null) return { kind: "taken", existing };
  }
  const after = { ...before, ...others, name: name.name, unicode: name.unicode };
  const edit = { before, after, manual, respells: true };
  const { changed } = await writeDomains(sql, [edit], author);
  const operation = changed === 0 ? null : author.operation;
  return { kind: "saved", domain: await readSaved(sql, id), operation };
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
  const edit = { before, after: { ...before, handled } };
  const { changed } = await writeDomains(sql, [edit], author);
  const operation = changed === 0 ? null : author.operation;
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
  if (!accepts(before.version)) return { kind: "stale", current: await readSaved(sql, id) };
  await putInBin(sql, [before], author);
  await removeBinned(sql, author);
  return { kind: "saved", domain: before, operation: author.operation };
}

/** Reads the domain and keeps other transactions from changing it, in Postgres by its row lock. */
async function lockDomain(sql: SQL, id: string): Promise<Domain | null> {
  await sql`update domains set version = version where id = ${id}`;
  const [domain] = await readFields(sql, "id", [id]);
  return domain ?? null;
}

async function readSaved(sql: SQL, id: string): Promise<Domain> {
  const domain = await readDomain(sql, id);
  if (domain === null) throw new Error("A domain vanished within its own transaction");
  return domain;
}

/** Domains that are read and written at a time. */
const BATCH_SIZE = 500;

/** Unassigns a person's domains, before the person is deleted. */
export const releaseDomains: Job<{ person: string; by: Maker }, void> = {
  name: "release domains",
  async run(sql, { person, by }) {
    const author = await startOperation(sql, by);
    for (let left = BATCH_SIZE; left === BATCH_SIZE;) {
      const ids = await readColumn(
        sql`select id from domains where person_id = ${person} limit ${BATCH_SIZE}`,
      );
      const edits = (await readFields(sql, "id", ids)).map((before) => {
        return { before, after: { ...before, person: null } };
      });
      await writeDomains(sql, edits, author);
      left = ids.length;
    }
    // What waits in a preview would bring them back.
    await sql`update import_rows set person_id = null where person_id = ${person}`;
  },
};
