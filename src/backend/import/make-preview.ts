import { NO_ROWS, type ImportCounts } from "../../shared/import.ts";
import { foldLabel } from "../../shared/text.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import type { Database } from "../database/database.ts";
import { yieldToEventLoop } from "../event-loop.ts";
import type { FileAnalysis } from "./reading/analysis.ts";
import { ImportError } from "./reading/import-error.ts";
import { openFile, type ReadOptions, type SurveyedFile } from "./reading/read-file.ts";
import { planRows, type PlannedRow, type RowSource } from "../merge/plan-rows.ts";
import {
  countMissing,
  countMoves,
  createPreviewRows,
  deletePreviewRows,
  isReadInPart,
  LOSING,
  rowKey,
  toRecords,
} from "../merge/planned-rows.ts";

/** Bytes that the rows of one preview may take: 200,000 domains with all of their fields. */
export const MAX_PREVIEW_BYTES = 256 * 1024 * 1024;

/** How to read a file, and what is known of it beside its content. */
export interface PreviewOptions extends ReadOptions {
  fileName: string;
  /** The registrar that the file's name mentions, if any. */
  registrarGuess: string | null;
}

/** A file compared with the register. */
export interface Preview {
  analysis: FileAnalysis;
  rowsId: string;
  rowBytes: number;
  counts: ImportCounts;
  /** The one registrar of all its domains, folded; null where there are several, or some without. */
  registrarKey: string | null;
  previewedAt: string;
}

/**
 * Reads a file and writes down what each of its rows would do, batch by batch. The file is opened
 * once more only where its end overturned what its beginning showed. Nothing is left of what fails
 * or is aborted.
 *
 * @throws {ImportError} Where the file is no list of domain names, or its preview is too large.
 * @throws {MappingError} Where the given mapping does not fit the file.
 */
export async function makePreview(
  database: Database,
  open: () => AsyncIterable<Uint8Array>,
  options: PreviewOptions & { signal: AbortSignal; maxBytes?: number },
): Promise<Preview> {
  const file = await openFile(open(), options);
  const rowsId = await createPreviewRows(database);
  try {
    const tally = new Tally(options.maxBytes ?? MAX_PREVIEW_BYTES);
    const { signal } = options;
    const { keepRegistrar } = options.defaults ?? {};
    const of = { own: file.own, name: options.fileName, keepRegistrar };
    await writeRows(database, file, { rowsId, tally, signal, of });
    const { analysis, overturned } = file.finish();
    if (overturned !== null) {
      await deletePreviewRows(database, rowsId);
      return await makePreview(database, open, { ...options, ...overturned });
    }
    if (isOfUnknownRegistrar(analysis, tally)) {
      analysis.ambiguous.push({ code: "registrar", guess: options.registrarGuess });
    }
    Object.assign(tally.counts, await database.read((sql) => countMoves(sql, rowsId)));
    const { registrarKey } = tally;
    const previewedAt = new Date().toISOString();
    if (registrarKey !== null) {
      const from = { registrarKey, rowsId, before: previewedAt };
      tally.counts.missing = await countMissing(database, from);
    }
    const { counts, bytes: rowBytes } = tally;
    return { analysis, rowsId, rowBytes, counts, registrarKey, previewedAt };
  } catch (error) {
    await deletePreviewRows(database, rowsId);
    throw error;
  }
}

/**
 * Whether a person has to be asked for the registrar: it is the source of the days in a table. A bare
 * list has none, and our own export is no source. Where a column may be it, that is asked instead.
 */
function isOfUnknownRegistrar(
  { own, source, defaults, ambiguous }: FileAnalysis,
  tally: Tally,
): boolean {
  const isTable = source.format.kind === "table" && !own;
  return (
    isTable &&
    !tally.hasRegistrar &&
    !ambiguous.some((each) => each.code === "field" && each.field === "registrar") &&
    defaults.registrar === undefined &&
    defaults.registrarUnknown !== true
  );
}

/** Compares and writes batch by batch, each in a transaction of its own. */
async function writeRows(
  database: Database,
  file: SurveyedFile,
  {
    rowsId,
    tally,
    signal,
    of,
  }: { rowsId: string; tally: Tally; signal: AbortSignal; of: RowSource },
): Promise<void> {
  for await (const batch of file.rows()) {
    signal.throwIfAborted();
    const planned = await database.read((sql) => planRows(sql, batch, of));
    await yieldToEventLoop();
    const keyed = planned.map((row) => ({ key: rowKey(tally.next()), row }));
    const records = toRecords(rowsId, keyed);
    for (const [index, row] of planned.entries()) tally.add(row, records[index] ?? {});
    await database.write((sql) => insertRows(sql, "import_rows", records));
    await yieldToEventLoop();
  }
}

/** Counts rows as they pass by. */
class Tally {
  readonly counts: ImportCounts = { ...NO_ROWS };
  /** What the texts of the rows take; in UTF-8 some characters take more than one byte. */
  bytes = 0;
  /** Whether any row names its registrar. */
  hasRegistrar = false;
  readonly #maxBytes: number;
  #rows = 0;
  /** Null: of a domain without a registrar. */
  readonly #registrarKeys = new Set<string | null>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  next(): number {
    return (this.#rows += 1);
  }

  /** @throws {ImportError} `preview-too-large` */
  add(row: PlannedRow, record: SqlRow): void {
    for (const value of Object.values(record)) {
      if (typeof value === "string") this.bytes += value.length;
    }
    if (this.bytes > this.#maxBytes) {
      const detail = "This file is too large to preview. Split it into smaller files.";
      throw new ImportError("preview-too-large", detail);
    }
    this.counts[row.class] += 1;
    if (isReadInPart(row)) this.counts.partly += 1;
    if (LOSING.has(record["status_key"])) this.counts.losing += 1;
    const { registrar } = row.values;
    this.hasRegistrar ||= registrar !== undefined;
    if (row.target !== null) this.#registrarKeys.add(registrar ? foldLabel(registrar) : null);
  }

  get registrarKey(): string | null {
    const [key = null] = this.#registrarKeys;
    return this.#registrarKeys.size === 1 ? key : null;
  }
}
