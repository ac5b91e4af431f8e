import type { SQL } from "bun";
import { foldLabel } from "../../register/label.ts";
import type { ImportRow } from "../import-row.ts";
import { readKnown, readSpellings } from "./known-domains.ts";
import { planRow, type PlannedRow } from "./plan-row.ts";

/** Compares some rows of a file with the register as it is now. `own`: it is our own export. */
export async function planRows(
  sql: SQL,
  rows: readonly ImportRow[],
  own: boolean,
): Promise<PlannedRow[]> {
  const first = rows.filter(({ name, repeats }) => name !== null && repeats === null);
  const known = await readKnown(
    sql,
    first.flatMap(({ name }) => name?.name ?? []),
  );
  const registrars = keysOf(first.flatMap(({ values }) => values.registrar ?? []));
  const tags = keysOf(first.flatMap(({ values }) => values.tags ?? []));
  const spellings = {
    registrars: await readSpellings(sql, "registrars", registrars),
    tags: await readSpellings(sql, "tags", tags),
  };
  return rows.map((row) =>
    planRow(row, { known: known.get(row.name?.name ?? "") ?? null, spellings, own }),
  );
}

function keysOf(labels: readonly string[]): string[] {
  return [...new Set(labels.map(foldLabel))];
}
