import type { SQL } from "bun";
import type { Domain } from "../../shared/domain.ts";
import { foldLabel } from "../../shared/text.ts";
import { deleteDomains } from "./bin.ts";
import { toColumns } from "./columns.ts";
import { addObservation, effectiveExpiry, listObservations, reportByHand } from "./expiry.ts";
import { addChanges, changedFields, type Operator } from "./history.ts";
import type { ParsedDomain, parseNewDomain } from "./input.ts";
import { ensureLabel } from "./labels.ts";
import { findDomain, readDomain } from "./read-domains.ts";

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
  const id = Bun.randomUUIDv7();
  const row = {
    id,
    version: 1,
    ...toColumns({ name: values.name, notes: "" }),
    expires_conflict: 0,
    created_at: author.at,
    updated_at: author.at,
  };
  const [added] = await sql<{ id: string }[]>`
    insert into domains ${sql(row)} on conflict (name) do nothing returning id`;
  if (added === undefined) {
    return { kind: "taken", existing: (await findDomain(sql, values.name.name)) ?? "" };
  }
  await writeValues(sql, id, values, author);
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
  const { name } = values;
  if (name !== undefined && name.name !== before.name) {
    const existing = await findDomain(sql, name.name);
    if (existing !== null) return { kind: "taken", existing };
  }
  await writeValues(sql, id, values, author);

  const fields = changedFields(before, await readSaved(sql, id));
  if (fields.length === 0) return { kind: "saved", domain: before, operation: null };
  await sql`update domains set version = version + 1, updated_at = ${author.at} where id = ${id}`;
  await addChanges(sql, [{ domainId: id, action: "edited", fields }], author);
  return { kind: "saved", domain: await readSaved(sql, id), operation: author.operation };
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
  await deleteDomains(sql, [before], author);
  return { kind: "saved", domain: before, operation: author.operation };
}

async function writeValues(
  sql: SQL,
  id: string,
  { tags, expires, ...values }: ParsedDomain,
  author: Operator,
): Promise<void> {
  if (values.registrar) await ensureLabel(sql, "registrars", values.registrar, id);
  const columns = toColumns(values);
  if (Object.keys(columns).length > 0) {
    await sql`update domains set ${sql(columns)} where id = ${id}`;
  }
  if (tags !== undefined) await writeTags(sql, id, tags);
  if (expires !== undefined) await setExpiry(sql, id, expires, author.at);
}

async function writeTags(sql: SQL, id: string, tags: readonly string[]): Promise<void> {
  await sql`delete from domain_tags where domain_id = ${id}`;
  for (const tag of tags) {
    await ensureLabel(sql, "tags", tag, id);
    await sql`insert into domain_tags ${sql({ domain_id: id, tag_key: foldLabel(tag) })}`;
  }
}

/** Sets a day by hand, or withdraws it; the day that is set already is not set again. */
async function setExpiry(sql: SQL, id: string, date: string | null, at: string): Promise<void> {
  const report = reportByHand(await listObservations(sql, id), date, at);
  if (report === null) return;
  await addObservation(sql, id, report);
  await refreshExpiry(sql, id);
}

/** Derives the effective expiry anew from all reports, and stores it with the domain. */
export async function refreshExpiry(sql: SQL, id: string): Promise<void> {
  const expires = effectiveExpiry(await listObservations(sql, id));
  await sql`update domains set ${sql(toColumns({ expires }))} where id = ${id}`;
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
