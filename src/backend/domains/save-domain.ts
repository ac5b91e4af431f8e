import type { SQL } from "bun";
import type { Domain } from "../../shared/contract.ts";
import type { DomainValues } from "./domain-input.ts";
import { readDomain } from "./domain-row.ts";
import { addObservation, effectiveExpiry, listObservations, MANUAL } from "./expiry.ts";
import { addChange, changedFields, type Author } from "./history.ts";
import { foldLabel, keepLabel } from "./label.ts";

/** What became of a write. `stale`: somebody else was faster, and this is their copy. */
export type Saved =
  | { kind: "saved"; domain: Domain }
  | { kind: "taken"; existing: string }
  | { kind: "stale"; current: Domain }
  | { kind: "missing" };

/** Adds a domain; `taken` where its name is in the register already. Inside a transaction. */
export async function addDomain(sql: SQL, values: DomainValues, author: Author): Promise<Saved> {
  if (values.name === undefined) throw new TypeError("A domain cannot be added without a name");
  const id = Bun.randomUUIDv7();
  const row = {
    id,
    version: 1,
    ...values.name,
    expires_conflict: 0,
    created_at: author.at,
    updated_at: author.at,
    notes: "",
  };
  const [added] = await sql<{ id: string }[]>`
    insert into domains ${sql(row)} on conflict (name) do nothing returning id`;
  if (added === undefined) return { kind: "taken", existing: await idOf(sql, values.name.name) };

  await writeValues(sql, id, values, author);
  const domain = await existing(sql, id);
  await addChange(sql, id, { action: "added", fields: changedFields(null, domain) }, author);
  return { kind: "saved", domain };
}

/**
 * Changes what `values` names of the domain, if `accepts` the version that is there. What changes
 * nothing leaves version and history alone. Inside a transaction.
 */
export async function editDomain(
  sql: SQL,
  id: string,
  values: DomainValues,
  { accepts, author }: { accepts: (version: number) => boolean; author: Author },
): Promise<Saved> {
  const before = await lockDomain(sql, id);
  if (before === null) return { kind: "missing" };
  if (!accepts(before.version)) return { kind: "stale", current: before };
  const { name } = values;
  if (name !== undefined && name.name !== before.name) {
    const holder = await idOf(sql, name.name);
    if (holder !== "") return { kind: "taken", existing: holder };
  }
  await writeValues(sql, id, values, author);

  const fields = changedFields(before, await existing(sql, id));
  if (fields.length === 0) return { kind: "saved", domain: before };
  await sql`update domains set version = version + 1, updated_at = ${author.at} where id = ${id}`;
  await addChange(sql, id, { action: "edited", fields }, author);
  return { kind: "saved", domain: await existing(sql, id) };
}

/** Deletes the domain, if `accepts` the version that is there; its history stays. */
export async function deleteDomain(
  sql: SQL,
  id: string,
  { accepts, author }: { accepts: (version: number) => boolean; author: Author },
): Promise<Saved> {
  const before = await lockDomain(sql, id);
  if (before === null) return { kind: "missing" };
  if (!accepts(before.version)) return { kind: "stale", current: before };
  await sql`delete from domains where id = ${id}`;
  await addChange(sql, id, { action: "deleted", fields: changedFields(before, null) }, author);
  return { kind: "saved", domain: before };
}

/** Derives the effective expiry anew from what all sources say, and keeps it with the domain. */
export async function refreshExpiry(sql: SQL, id: string): Promise<void> {
  const expiry = effectiveExpiry(await listObservations(sql, id));
  const columns = {
    expires_on: expiry?.date ?? null,
    expires_source: expiry?.source ?? null,
    expires_observed_at: expiry?.observedAt ?? null,
    expires_conflict: expiry?.conflict === true ? 1 : 0,
  };
  await sql`update domains set ${sql(columns)} where id = ${id}`;
}

async function writeValues(sql: SQL, id: string, values: DomainValues, author: Author) {
  const columns = await columnsOf(sql, id, values);
  if (Object.keys(columns).length > 0) {
    await sql`update domains set ${sql(columns)} where id = ${id}`;
  }
  if (values.tags !== undefined) await writeTags(sql, id, values.tags);
  if (values.expires !== undefined) await pinExpiry(sql, id, values.expires, author.at);
}

async function columnsOf(sql: SQL, id: string, values: DomainValues) {
  const { registrar, account, owner, renewal, autoRenew } = values;
  const registrarKey = registrar ? await keepLabel(sql, "registrars", registrar, id) : null;
  return {
    ...values.name,
    ...(registrar !== undefined && { registrar_key: registrarKey }),
    ...(account !== undefined && { account, account_key: account && foldLabel(account) }),
    ...(owner !== undefined && { owner, owner_key: owner && foldLabel(owner) }),
    ...(values.decision !== undefined && { decision: values.decision }),
    ...(autoRenew !== undefined && { auto_renew: autoRenew === null ? null : Number(autoRenew) }),
    ...(renewal !== undefined && {
      renewal_minor: renewal?.minor ?? null,
      renewal_currency: renewal?.currency ?? null,
      renewal_years: renewal?.years ?? null,
    }),
    ...(values.notes !== undefined && { notes: values.notes }),
  };
}

async function writeTags(sql: SQL, id: string, tags: readonly string[]): Promise<void> {
  await sql`delete from domain_tags where domain_id = ${id}`;
  for (const tag of tags) {
    const row = { domain_id: id, tag_key: await keepLabel(sql, "tags", tag, id) };
    await sql`insert into domain_tags ${sql(row)}`;
  }
}

/**
 * Says a day by hand, or withdraws it; what is said already is not said again. It counts as later
 * than all that was said before, whatever the clock of another instance had said.
 */
async function pinExpiry(sql: SQL, id: string, date: string | null, at: string): Promise<void> {
  const before = await listObservations(sql, id);
  const said = before.findLast(({ source }) => source === MANUAL);
  if ((said?.date ?? null) === date) return;
  const last = Date.parse(before.at(-1)?.observedAt ?? "");
  const observedAt = last >= Date.parse(at) ? new Date(last + 1).toISOString() : at;
  await addObservation(sql, id, { source: MANUAL, date, observedAt });
  await refreshExpiry(sql, id);
}

/** Reads the domain and keeps other transactions from changing it, in Postgres by its row lock. */
async function lockDomain(sql: SQL, id: string): Promise<Domain | null> {
  await sql`update domains set version = version where id = ${id}`;
  return readDomain(sql, id);
}

async function existing(sql: SQL, id: string): Promise<Domain> {
  const domain = await readDomain(sql, id);
  if (domain === null) throw new Error("A domain vanished within its own transaction");
  return domain;
}

async function idOf(sql: SQL, name: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from domains where name = ${name}`;
  return row?.id ?? "";
}
