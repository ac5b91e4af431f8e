import type { SQL } from "bun";
import { foldLabel } from "../../../shared/text.ts";
import type { ImportRow } from "../reading/import-row.ts";
import { readKnown, readSpellings } from "./known-domains.ts";
import { planRow, type PlannedRow } from "./plan-row.ts";

/** Compares some rows of a file with the register as it is now. `own`: it is our own export. */
export async function planRows(
  sql: SQL,
  rows: readonly ImportRow[],
  own: boolean,
): Promise<PlannedRow[]> {
  const first = rows.filter(({ name, repeats }) => name !== null && repeats === null);
  const names = first.flatMap(({ name }) => name?.name ?? []);
  // All at once: a database that is elsewhere has the next question while it answers the last.
  const [known, registrars, tags] = await Promise.all([
    readKnown(sql, names),
    readSpellings(sql, "registrars", keysOf(first.flatMap(({ values }) => values.registrar ?? []))),
    readSpellings(sql, "tags", keysOf(first.flatMap(({ values }) => values.tags ?? []))),
  ]);
  const spellings = { registrars, tags };
  return rows.map((row) =>
    planRow(row, { known: known.get(row.name?.name ?? "") ?? null, spellings, own }),
  );
}

function keysOf(labels: readonly string[]): string[] {
  return [...new Set([...new Set(labels)].map(foldLabel))];
}
