import type { SQL } from "bun";
import type { Statements } from "../database/run-all.ts";
import { insertion } from "../database/statement.ts";

/** Text of which all can be seen, is ASCII, and does not begin or end blank: most labels. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * What two spellings of a registrar, owner or tag have in common: NFKC, without what nobody can see
 * (as NFKC_Casefold has it, UAX #44 §5.7.2), trimmed, lower case.
 */
export function foldLabel(label: string): string {
  if (PLAIN.test(label)) return label.toLowerCase();
  const seen = label.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}+/gu, "");
  return seen.trim().toLowerCase();
}

/** The shared labels: a table, and the column of the table that uses them. */
const USES = {
  registrars: { table: "domains", column: "registrar_key", domain: "id" },
  tags: { table: "domain_tags", column: "tag_key", domain: "domain_id" },
} as const;

/**
 * Makes sure that a registrar or tag exists and returns its key. All domains share one spelling,
 * the first; a domain that is the only one to use it may spell it anew.
 */
export async function keepLabel(
  sql: SQL,
  kind: keyof typeof USES,
  label: string,
  domainId: string,
): Promise<string> {
  const key = foldLabel(label);
  const { table, column, domain } = USES[kind];
  await sql`insert into ${sql(kind)} ${sql({ label_key: key, label })}
    on conflict (label_key) do nothing`;
  await sql`update ${sql(kind)} set label = ${label}
    where label_key = ${key} and label <> ${label} and not exists (
      select 1 from ${sql(table)} where ${sql(column)} = ${key} and ${sql(domain)} <> ${domainId})`;
  return key;
}

/**
 * Makes sure that registrars or tags exist, and returns the spelling that all domains share, by key.
 */
export async function* shareLabels(
  sql: SQL,
  kind: keyof typeof USES,
  labels: readonly string[],
): Statements<Map<string, string>> {
  if (labels.length === 0) return new Map();
  const rows = labels.map((label) => ({ label_key: foldLabel(label), label }));
  const kept = await sql<{ label_key: string; label: string }[]>`
    select label_key, label from ${sql(kind)} where label_key in ${sql(rows, "label_key")}`;
  yield insertion(kind, rows, "on conflict (label_key) do nothing");
  const spellings = new Map(kept.map(({ label_key: key, label }) => [key, label]));
  return new Map(rows.map(({ label_key: key, label }) => [key, spellings.get(key) ?? label]));
}
