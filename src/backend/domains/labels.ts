import type { SQL } from "bun";
import { foldLabel } from "../../shared/text.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { hasRows } from "../database/database.ts";

/** Tables of labels that all domains share, where they are used by a domain. */
const TABLES = {
  registrars: { used: "domains", key: "registrar_key", domain: "id" },
  tags: { used: "domain_tags", key: "tag_key", domain: "domain_id" },
} as const;

/** The spellings of labels by their keys, without `keys` of all: they are few, and a join would look each up. */
export async function readSpellings(
  sql: SQL,
  kind: keyof typeof TABLES,
  keys?: readonly string[],
): Promise<Map<string, string>> {
  if (keys?.length === 0) return new Map();
  const rows = await sql<{ label_key: string; label: string }[]>`
    select label_key, label from ${sql(kind)}
    ${keys === undefined ? sql`` : sql`where label_key in ${sql([...keys])}`}`;
  return new Map(rows.map(({ label_key: key, label }) => [key, label]));
}

/** A label, and the id of the domain that may respell it if no other uses it. */
type Wanted = readonly [label: string, id: string | null];

/** Makes labels exist and returns the shared spellings by key. */
export async function ensureLabels(
  sql: SQL,
  kind: keyof typeof TABLES,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, string>> {
  // Of several spellings the last is meant.
  const byKey = new Map(wanted.map((each) => [foldLabel(each[0]), each]));
  const rows = [...byKey].map(([key, [label]]) => ({ label_key: key, label }));
  await insertRows(sql, kind, rows, "on conflict (label_key) do nothing");
  const spellings = await readSpellings(sql, kind, [...byKey.keys()]);
  for (const [key, [label, id]] of byKey) {
    if (id === null || spellings.get(key) === label) continue;
    const { used, key: column, domain } = TABLES[kind];
    const spelled = sql`update ${sql(kind)} set label = ${label}
      where label_key = ${key} and not exists (
        select 1 from ${sql(used)} where ${sql(column)} = ${key} and ${sql(domain)} <> ${id})
      returning label_key`;
    if (await hasRows(spelled)) spellings.set(key, label);
  }
  return spellings;
}
