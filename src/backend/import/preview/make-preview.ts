import type { ImportCounts } from "../../../shared/import-contract.ts";
import { yieldToEventLoop, type Database } from "../../database/database.ts";
import { foldLabel } from "../../../shared/text.ts";
import { analyse, type AnalyseOptions } from "../columns/analyse.ts";
import type { Analysis } from "../columns/analysis.ts";
import type { ByteSource } from "../reading/byte-source.ts";
import type { ImportRow } from "../reading/import-row.ts";
import { readRows } from "../reading/read-rows.ts";
import { countMissing } from "./missing-names.ts";
import type { PlannedRow } from "./plan-row.ts";
import { planRows } from "./plan-rows.ts";
import { insertStaged, rowKey } from "./staged-rows.ts";
import { discardStaging, openStaging } from "./stagings.ts";

/** A file compared with the register, and where its rows are. */
export interface Preview {
  analysis: Analysis;
  staging: string;
  counts: ImportCounts;
  /** The one registrar of all its names, folded; null where there are several, or some without. */
  registrarKey: string | null;
  /** Fields that change of names that are there. */
  changedFields: string[];
  previewedAt: string;
}

/**
 * Reads a whole file and stages what each of its rows would do, batch by batch: memory is that of a
 * batch, and others get their turn after each. Nothing is left of what fails or is given up.
 *
 * @throws {ImportError} Where the file is no list of domain names.
 */
export async function makePreview(
  database: Database,
  open: ByteSource,
  options: AnalyseOptions & { signal: AbortSignal },
): Promise<Preview> {
  const analysis = await analyse(open, options);
  const staging = await openStaging(database);
  try {
    const batches = readRows(open, analysis);
    const { signal } = options;
    const tally = await stage(database, batches, { staging, own: analysis.own, signal });
    const { registrarKey } = tally;
    const previewedAt = new Date().toISOString();
    if (registrarKey !== null) {
      const from = { registrarKey, staging, before: previewedAt };
      tally.counts.missing = await countMissing(database, from);
    }
    const { counts, changedFields } = tally;
    return { analysis, staging, counts, registrarKey, changedFields, previewedAt };
  } catch (error) {
    await discardStaging(database, staging);
    throw error;
  }
}

/** Compares and writes batch by batch, each in a transaction of its own. */
async function stage(
  database: Database,
  batches: AsyncIterable<ImportRow[]>,
  { staging, own, signal }: { staging: string; own: boolean; signal: AbortSignal },
): Promise<Tally> {
  const tally = new Tally();
  for await (const batch of batches) {
    signal.throwIfAborted();
    const planned = await database.read((sql) => planRows(sql, batch, own));
    await yieldToEventLoop();
    const rows = planned.map((row) => ({ key: rowKey(tally.next()), row }));
    await database.write((sql) => insertStaged(sql, staging, rows));
    for (const row of planned) tally.add(row);
    await yieldToEventLoop();
  }
  return tally;
}

/** Counts rows as they pass by. */
class Tally {
  readonly counts: ImportCounts = {
    new: 0,
    changed: 0,
    same: 0,
    duplicate: 0,
    invalid: 0,
    missing: 0,
    withProblems: 0,
  };
  readonly #changedFields = new Set<string>();
  #rows = 0;
  /** Undefined: no name yet. */
  #registrarKey: string | null | undefined;

  next(): number {
    return (this.#rows += 1);
  }

  add(row: PlannedRow): void {
    this.counts[row.class] += 1;
    if (row.problems.length > 0) this.counts.withProblems += 1;
    if (row.class === "changed") {
      for (const { field } of row.changes) this.#changedFields.add(field);
    }
    if (row.target === null) return;
    const { registrar } = row.values;
    const key = registrar === undefined ? null : foldLabel(registrar);
    if (this.#registrarKey === undefined) this.#registrarKey = key;
    else if (this.#registrarKey !== key) this.#registrarKey = null;
  }

  get changedFields(): string[] {
    return [...this.#changedFields];
  }

  get registrarKey(): string | null {
    return this.#registrarKey ?? null;
  }
}
