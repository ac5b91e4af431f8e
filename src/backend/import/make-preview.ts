import type { SQL } from "bun";
import { NO_ROWS, type ImportCounts } from "../../shared/import.ts";
import { foldLabel } from "../../shared/text.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { databaseClock } from "../database/clock.ts";
import type { Job } from "../database/database.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";
import { planRows, type PlannedRow } from "../merge/plan-rows.ts";
import {
  countMissing,
  countMoves,
  createPreviewRows,
  deleteRows,
  isReadInPart,
  LOSING,
  removePreviewRows,
  rowKey,
  toRecords,
} from "../merge/planned-rows.ts";
import { hasContent, readContent } from "../uploads/uploads.ts";
import { findLayoutMemory } from "./import-record.ts";
import type { FileAnalysis, RememberedLayout, SurveyOptions } from "./reading/file-survey.ts";
import { ImportError } from "./reading/import-error.ts";
import { MappingError } from "./reading/mapping.ts";
import { openFile, type ReadOptions } from "./reading/read-file.ts";
import { guessRegistrar } from "./reading/registrar-layouts.ts";

/** Bytes that the rows of one preview may take: 200,000 domains with all of their fields. */
export const MAX_PREVIEW_BYTES = 256 * 1024 * 1024;

const readNow = databaseClock();

/** What `previewUpload` is given: which file, and what a person has said about how to read it. */
export interface PreviewInput extends Omit<SurveyOptions, "readings"> {
  uploadId: string;
  fileName: string;
  /** `MAX_PREVIEW_BYTES`, but in tests. */
  maxBytes?: number;
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

/** A preview, or why there is none: of an error that crosses a thread only the message is left. */
type Previewed =
  | { kind: "preview"; preview: Preview }
  | { kind: "missing" }
  | { kind: "unreadable"; code: ImportError["code"]; detail: string }
  | { kind: "bad-mapping"; problems: MappingError["problems"] };

/**
 * Reads an upload and writes down what each of its rows would do, in one transaction. It is read
 * once more only where its end overturned what its beginning showed. Nothing is left of what fails.
 */
export const previewUpload: Job<PreviewInput, Previewed> = {
  name: "preview upload",
  async run(sql, input) {
    if (!(await hasContent(sql, input.uploadId))) return { kind: "missing" };
    const rowsId = await createPreviewRows(sql);
    try {
      return { kind: "preview", preview: await makePreview(sql, rowsId, input) };
    } catch (error) {
      if (!(error instanceof ImportError || error instanceof MappingError)) throw error;
      await removePreviewRows.run(sql, rowsId);
      return error instanceof MappingError
        ? { kind: "bad-mapping", problems: error.problems }
        : { kind: "unreadable", code: error.code, detail: error.message };
    }
  },
};

async function makePreview(
  sql: SQL,
  rowsId: string,
  input: PreviewInput & Pick<ReadOptions, "encoding" | "readings">,
): Promise<Preview> {
  const { uploadId, fileName } = input;
  const labels = await listRegistrars(sql);
  const guess = guessRegistrar(fileName, labels);
  const file = await openFile(
    readContent((work) => work(sql), uploadId),
    {
      ...input,
      registrars: new Set(labels.map(foldLabel)),
      recall: (header) => recallLayout(sql, header, guess),
    },
  );
  const tally = new Tally(input.maxBytes ?? MAX_PREVIEW_BYTES);
  const of = { own: file.own, name: fileName, keepRegistrar: input.defaults?.keepRegistrar };
  // Postgres writes one batch while the next is read.
  let written: Promise<void> = Promise.resolve();
  for await (const batch of file.rows()) {
    // Both at once: after a failed write the other fails too, and says only that.
    const [planned] = await Promise.all([planRows(sql, batch, of), written]);
    await yieldToEventLoop();
    written = writeRows(sql, planned, { rowsId, tally });
    written.catch(() => undefined);
  }
  await written;
  if (tally.rows === 0) {
    const detail = "The file has no domains, only a header. Choose another file.";
    throw new ImportError("no-names", detail);
  }
  const { analysis, overturned } = file.finish();
  if (overturned !== null) {
    await deleteRows(sql, rowsId);
    return makePreview(sql, rowsId, { ...input, ...overturned });
  }
  if (isOfUnknownRegistrar(analysis, tally)) {
    analysis.ambiguous.push({ code: "registrar", guess });
  }
  Object.assign(tally.counts, await countMoves(sql, rowsId));
  const { counts, bytes: rowBytes, registrarKey } = tally;
  const previewedAt = (await readNow(sql)).toISOString();
  if (registrarKey !== null) {
    counts.missing = await countMissing(sql, { registrarKey, rowsId, before: previewedAt });
  }
  return { analysis, rowsId, rowBytes, counts, registrarKey, previewedAt };
}

/**
 * What was decided about the last file with these headers. Other registrars may use the same ones:
 * where the name of the file mentions another, the person is asked again.
 */
async function recallLayout(
  sql: SQL,
  header: readonly string[],
  guess: string | null,
): Promise<RememberedLayout | null> {
  const layout = await findLayoutMemory(sql, header);
  const { registrar, ...others } = layout?.defaults ?? {};
  const isOther =
    registrar !== undefined && guess !== null && foldLabel(registrar) !== foldLabel(guess);
  return layout && isOther ? { ...layout, defaults: others } : layout;
}

/** How registrars of the register are spelled. */
async function listRegistrars(sql: SQL): Promise<string[]> {
  const rows = await sql<{ label: string }[]>`select label from registrars order by label_key`;
  return rows.map(({ label }) => label);
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

async function writeRows(
  sql: SQL,
  planned: readonly PlannedRow[],
  { rowsId, tally }: { rowsId: string; tally: Tally },
): Promise<void> {
  const keyed = planned.map((row, index) => ({ key: rowKey(tally.rows + index + 1), row }));
  const records = toRecords(rowsId, keyed);
  for (const [index, row] of planned.entries()) tally.add(row, records[index] ?? {});
  await insertRows(sql, "import_rows", records);
}

/** Counts rows as they pass by. */
class Tally {
  readonly counts: ImportCounts = { ...NO_ROWS };
  rows = 0;
  /** What the texts of the rows take; in UTF-8 some characters take more than one byte. */
  bytes = 0;
  /** Whether any row names its registrar. */
  hasRegistrar = false;
  readonly #maxBytes: number;
  /** Null: of a domain without a registrar. */
  readonly #registrarKeys = new Set<string | null>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws {ImportError} `preview-too-large` */
  add(row: PlannedRow, record: SqlRow): void {
    for (const column in record) {
      const value = record[column];
      if (typeof value === "string") this.bytes += value.length;
    }
    if (this.bytes > this.#maxBytes) {
      const detail = "This file is too large to preview. Split it into smaller files.";
      throw new ImportError("preview-too-large", detail);
    }
    this.rows += 1;
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
