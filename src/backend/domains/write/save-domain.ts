import type { SQL } from "bun";
import type { Domain } from "../../../shared/domain.ts";
import type { Day } from "../../../shared/day.ts";
import { dueDay } from "../../../shared/work.ts";
import { chunks } from "../../database/bulk-rows.ts";
import { readColumn } from "../../database/database.ts";
import { badFields, RequestError } from "../../http/request-error.ts";
import { startOperation, type Maker, type Operator } from "./history.ts";
import type { ParsedDomain, parseNewDomain } from "../input.ts";
import { refuseUnknownPerson } from "../people.ts";
import { readDomain, readFields } from "../list/read-domains.ts";
import {
  handledUntil,
  blankDomain,
  writeDomains,
  type DomainEdit,
  type NewReport,
} from "./write-domains.ts";
import { EVERYTHING } from "../../http/route.ts";

/** A domain after a write, and the operation that undoes it; null: nothing changed. */
export interface Saved {
  domain: Domain;
  operation: string | null;
}

/** Adds a domain, with reports of other sources. @throws {RequestError} 400, or 409 for a name that exists. */
export async function addDomain(
  sql: SQL,
  values: ReturnType<typeof parseNewDomain>,
  author: Operator,
  reports: readonly NewReport[] = [],
): Promise<Saved> {
  const id = Bun.randomUUIDv7();
  const { name, expires: manual, ...others } = values;
  await refuseTaken(sql, name.name);
  await refuseUnknownPerson(sql, values.person?.id);
  const after = { ...blankDomain(id, name), ...others };
  const edit = { before: null, after, manual, reports: { come: reports }, respells: true };
  return write(sql, edit, author);
}

/**
 * Without effect, version and history stay.
 *
 * @throws {RequestError} 400, or 409 for a name that exists.
 */
export async function editDomain(
  sql: SQL,
  before: Domain,
  values: ParsedDomain,
  author: Operator,
): Promise<Saved> {
  const { name = before, expires: manual, ...others } = values;
  await refuseUnknownPerson(sql, values.person?.id);
  if (name.name !== before.name) await refuseTaken(sql, name.name);
  const after = { ...before, ...others, name: name.name, unicode: name.unicode };
  return write(sql, { before, after, manual, respells: true }, author);
}

/** Null takes it back. @throws {RequestError} 404, or 400 if it expires by then or never. */
export async function handleDomain(
  sql: SQL,
  id: string,
  change: { until: Day | null } | null,
  author: Operator,
): Promise<Saved> {
  const before = await lockDomain(sql, id);
  const handled = change && handledUntil(before, change.until, author);
  if (change !== null && handled === null) {
    const due = dueDay(before);
    const detail =
      due === null ? "This domain has no expiry date." : `Expected a day before the expiry, ${due}`;
    throw badFields([{ pointer: "/until", code: "range", detail }]);
  }
  return write(sql, { before, after: { ...before, handled } }, author);
}

/** Reads a domain and keeps other transactions from changing it. @throws {RequestError} 404 */
export async function lockDomain(sql: SQL, id: string): Promise<Domain> {
  // On Postgres, this locks the row.
  await sql`update domains set version = version where id = ${id}`;
  const [domain] = await readFields(sql, "id", [id]);
  if (domain === undefined) throw missingDomain();
  return domain;
}

async function write(sql: SQL, edit: DomainEdit, author: Operator): Promise<Saved> {
  const { changed } = await writeDomains(sql, [edit], author);
  const domain = await readDomain(sql, edit.after.id, EVERYTHING);
  if (domain === null) throw new Error("A domain vanished within its own transaction");
  return { domain, operation: changed === 0 ? null : author.operation };
}

async function refuseTaken(sql: SQL, name: string): Promise<void> {
  const [existing] = await readFields(sql, "name", [name]);
  if (existing !== undefined) throw nameTaken(existing);
}

export function nameTaken({ id, archivedOn }: Pick<Domain, "id" | "archivedOn">): RequestError {
  const where = archivedOn === null ? "" : " in the archive: open it, and bring it back";
  const detail = `You already have this domain${where}.`;
  const errors = [{ pointer: "/name", code: "taken", detail }];
  return new RequestError(409, detail, { errors, existing: id });
}

export function missingDomain(): RequestError {
  return new RequestError(404, "This domain does not exist.");
}

/** Unassigns a person's domains, before the person is deleted. */
export async function releaseDomains(
  sql: SQL,
  { person, by }: { person: string; by: Maker },
): Promise<void> {
  const author = await startOperation(sql, by);
  const ids = await readColumn(sql`select id from domains where person_id = ${person}`);
  for (const batch of chunks(ids)) {
    const edits = (await readFields(sql, "id", batch)).map((before) => {
      return { before, after: { ...before, person: null } };
    });
    await writeDomains(sql, edits, author);
  }
  // What waits in a preview would bring them back.
  await sql`update import_rows set person_id = null where person_id = ${person}`;
}
