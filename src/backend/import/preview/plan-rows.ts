import type { SQL } from "bun";
import { foldLabel } from "../../../shared/text.ts";
import { readObservations } from "../../domains/expiry.ts";
import { readDomainsNamed } from "../../domains/read-domains.ts";
import type { FileRow } from "../reading/parse-row.ts";
import { planRow, type ImportedFile, type KnownDomain, type PlannedRow } from "./plan-row.ts";

/** Compares some rows of a file with the register as it is now. */
export async function planRows(
  sql: SQL,
  rows: readonly FileRow[],
  file: ImportedFile,
): Promise<PlannedRow[]> {
  const first = rows.filter(({ name, repeats }) => name !== null && repeats === null);
  const names = first.flatMap(({ name }) => name?.name ?? []);
  const registrarNames = first.flatMap(({ values }) => values.registrar ?? []);
  const tagNames = first.flatMap(({ values }) => values.tags ?? []);
  // All at once: a remote database gets the next question while it answers the last.
  const [known, registrars, tags] = await Promise.all([
    readKnownDomains(sql, names),
    readSpellings(sql, "registrars", registrarNames),
    readSpellings(sql, "tags", tagNames),
  ]);
  const spellings = { registrars, tags };
  return rows.map((row) =>
    planRow(row, { known: known.get(row.name?.name ?? "") ?? null, spellings, file }),
  );
}

async function readKnownDomains(
  sql: SQL,
  names: readonly string[],
): Promise<Map<string, KnownDomain>> {
  const domains = await readDomainsNamed(sql, names);
  const ids = domains.map(({ id }) => id);
  const observations = await readObservations(sql, ids);
  return new Map(
    domains.map((domain) => [
      domain.name,
      { domain, observations: observations.get(domain.id) ?? [] },
    ]),
  );
}

/** How the register spells labels that it has, by their folded form. */
async function readSpellings(
  sql: SQL,
  table: "registrars" | "tags",
  labels: readonly string[],
): Promise<Map<string, string>> {
  if (labels.length === 0) return new Map();
  // Folding takes time, and most labels recur.
  const keys = new Set([...new Set(labels)].map(foldLabel));
  const rows = await sql<{ label_key: string; label: string }[]>`
    select label_key, label from ${sql(table)} where label_key in ${sql([...keys])}`;
  return new Map(rows.map((row) => [row.label_key, row.label]));
}
