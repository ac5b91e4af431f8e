import type { Domain } from "../../../shared/contract.ts";
import { foldLabel } from "../../../shared/text.ts";
import type { SQL } from "bun";
import { insertRows } from "../../database/bulk-rows.ts";
import { AT_COMMIT, type PlannedRow, type Target } from "./plan-row.ts";

/** The number of a row in a file as its key: text that sorts as the number does. */
export function rowKey(number: number): string {
  return String(number).padStart(12, "0");
}

/** The id of a staged row. */
export function rowId(staging: string, key: string): string {
  return `${staging}.${key}`;
}

/** What stands before the name in `lookup`; by itself, it comes before all of a staging. */
export function lookupPrefix(staging: string): string {
  return `${staging} `;
}

/** What comes behind every `lookup` of a staging: "!" is next to the space. */
export function lookupEnd(staging: string): string {
  return `${staging}!`;
}

/** Inserts planned rows. */
export async function insertStaged(
  sql: SQL,
  staging: string,
  rows: readonly { key: string; row: PlannedRow }[],
): Promise<void> {
  const records = rows.map(({ key, row }) => ({
    id: rowId(staging, key),
    lookup: row.target === null ? null : lookupPrefix(staging) + row.target.after.name,
    staging,
    row_key: key,
    ...toColumns(row),
  }));
  await insertRows(sql, "import_rows", records);
}

/** Columns of `domains` that a copy of a domain decides; those of its expiry apart. */
export function domainColumns(domain: Domain) {
  const { registrar, account, owner, renewal, autoRenew } = domain;
  return {
    registrar_key: registrar === null ? null : foldLabel(registrar),
    account,
    account_key: account === null ? null : foldLabel(account),
    owner,
    owner_key: owner === null ? null : foldLabel(owner),
    decision: domain.decision,
    auto_renew: autoRenew === null ? null : Number(autoRenew),
    renewal_minor: renewal?.minor ?? null,
    renewal_currency: renewal?.currency ?? null,
    renewal_years: renewal?.years ?? null,
    notes: domain.notes,
  };
}

/** Columns of `domains` that the effective expiry decides. */
export function expiryColumns({ expires }: Domain) {
  return {
    expires_on: expires?.date ?? null,
    expires_source: expires?.source ?? null,
    expires_observed_at: expires?.observedAt ?? null,
    expires_conflict: expires?.conflict === true ? 1 : 0,
  };
}

function toColumns(row: PlannedRow) {
  const { name, target } = row;
  return {
    line: row.line,
    class: row.class,
    repeats: row.repeats,
    said: JSON.stringify(row.values),
    problems: JSON.stringify(row.problems),
    changes: JSON.stringify(row.changes),
    name: name?.name ?? null,
    unicode: name?.unicode ?? null,
    tld: name?.tld ?? null,
    ...(target === null ? NOTHING : targetColumns(target)),
  };
}

function targetColumns(target: Target) {
  const { baseVersion, after, observation } = target;
  const tags = addedTags(target);
  const expiry = expiryColumns(after);
  const { expires_observed_at: observedAt } = expiry;
  return {
    domain_id: after.id,
    base_version: baseVersion,
    observed_day: observation?.day ?? null,
    observed_source: observation?.source ?? null,
    added_tags: tags.length === 0 ? null : JSON.stringify(tags),
    registrar: after.registrar,
    ...domainColumns(after),
    ...expiry,
    expires_observed_at: observedAt === AT_COMMIT ? null : observedAt,
  };
}

/** The tags that a row adds, as pairs of folded form and spelling. */
export function addedTags({ addedTags: keys, after }: Target): [string, string][] {
  if (keys.length === 0) return [];
  return after.tags.flatMap((tag) =>
    keys.includes(foldLabel(tag)) ? [[foldLabel(tag), tag]] : [],
  );
}

/** Every row of one statement has the same columns. */
const NOTHING: { [Column in keyof ReturnType<typeof targetColumns>]: null } = {
  domain_id: null,
  base_version: null,
  observed_day: null,
  observed_source: null,
  added_tags: null,
  registrar: null,
  registrar_key: null,
  account: null,
  account_key: null,
  owner: null,
  owner_key: null,
  decision: null,
  auto_renew: null,
  renewal_minor: null,
  renewal_currency: null,
  renewal_years: null,
  notes: null,
  expires_on: null,
  expires_source: null,
  expires_observed_at: null,
  expires_conflict: null,
};
