import type { SQL } from "bun";
import { foldLabel } from "../../shared/text.ts";
import { insertRows } from "../database/bulk-rows.ts";

/** Tables of labels that all domains share, and where they are used. */
const USES = {
  registrars: { table: "domains", column: "registrar_key", domain: "id" },
  tags: { table: "domain_tags", column: "tag_key", domain: "domain_id" },
} as const;

/**
 * Makes sure that a registrar or tag exists. All domains share one spelling, the first; a domain that
 * is the only one to use it may spell it anew.
 */
export async function ensureLabel(
  sql: SQL,
  kind: keyof typeof USES,
  label: string,
  domainId: string,
): Promise<void> {
  const key = foldLabel(label);
  const { table, column, domain } = USES[kind];
  await sql`insert into ${sql(kind)} ${sql({ label_key: key, label })}
    on conflict (label_key) do nothing`;
  await sql`update ${sql(kind)} set label = ${label}
    where label_key = ${key} and label <> ${label} and not exists (
      select 1 from ${sql(table)} where ${sql(column)} = ${key} and ${sql(domain)} <> ${domainId})`;
}

/** Makes sure that registrars or tags exist, and returns their shared spellings by key. */
export async function ensureLabels(
  sql: SQL,
  kind: keyof typeof USES,
  labels: readonly string[],
): Promise<Map<string, string>> {
  if (labels.length === 0) return new Map();
  const rows = labels.map((label) => ({ label_key: foldLabel(label), label }));
  const kept = await sql<{ label_key: string; label: string }[]>`
    select label_key, label from ${sql(kind)} where label_key in ${sql(rows, "label_key")}`;
  await insertRows(sql, kind, rows, "on conflict (label_key) do nothing");
  const spellings = new Map(kept.map(({ label_key: key, label }) => [key, label]));
  return new Map(rows.map(({ label_key: key, label }) => [key, spellings.get(key) ?? label]));
}
