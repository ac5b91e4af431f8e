import type { SQL } from "bun";
import { NO_ROWS, type Import, type ImportCounts } from "../../shared/import.ts";
import type { parseNewImport, ImportInput } from "../../shared/import-input.ts";
import type { Parsed } from "../../shared/parse.ts";
import { foldLabel } from "../../shared/text.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { type Job, readColumn, databaseClock, instantIn } from "../database/database.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";
import { badFields, RequestError } from "../http/request-error.ts";
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
  skipAgain,
  toRecords,
} from "../merge/planned-rows.ts";
import { findUpload, hasContent, readContent } from "../uploads/uploads.ts";
import {
  discardPreview,
  findImport,
  findLayoutMemory,
  PREVIEW_SECONDS,
  rowsOfPreview,
  sourceOfFile,
  toImport,
} from "./import-record.ts";
import type { FileAnalysis, RememberedLayout, SurveyOptions } from "./reading/file-survey.ts";
import { unreadable } from "./reading/unreadable.ts";
import { openFile, type FileOptions } from "./reading/read-file.ts";
import { guessRegistrar } from "./reading/registrar-layouts.ts";

/** Bytes that the rows of one preview may take: 200,000 domains with all of their fields. */
export const MAX_PREVIEW_BYTES = 256 * 1024 * 1024;

/** Of one person; the oldest are discarded. Together they take at most the bytes of one preview. */
const MAX_OPEN_PREVIEWS = 10;

const readNow = databaseClock();

interface PreviewInput extends SurveyOptions, Pick<FileOptions, "encoding"> {
  uploadId: string;
  fileName: string;
  /** `MAX_PREVIEW_BYTES`, but in tests. */
  maxBytes?: number;
}

interface Preview {
  analysis: FileAnalysis;
  rowsId: string;
  rowBytes: number;
  counts: ImportCounts;
  /** The one registrar of all its domains, folded; null if there are several, or if some have none. */
  registrarKey: string | null;
  previewedAt: string;
}

/**
 * Reads an upload and writes down what each of its rows would do. It is read again only if its end
 * overturns what its beginning showed. Nothing is left of what fails.
 *
 * @throws {RequestError} 400 for an unknown upload or a mapping that does not fit, 409 for an upload that
 *   is part of an import, 422 for a file that cannot be read.
 */
export const startImport: Job<
  Parsed<typeof parseNewImport> & { userId: string; maxBytes?: number },
  Import
> = {
  name: "start import",
  async run(sql, { userId, ...input }) {
    const { uploadId } = input;
    const [existing] = await readColumn(sql`select id from imports where upload_id = ${uploadId}`);
    if (existing !== undefined) {
      const detail = "This upload is already part of an import. Upload the file again.";
      throw new RequestError(409, detail, { existing });
    }
    const fileName = await findUpload(sql, uploadId, userId);
    if (fileName === undefined) {
      const detail = "This upload does not exist or has expired. Upload the file again.";
      throw badFields([{ pointer: "/uploadId", code: "unknown", detail }]);
    }
    const preview = await makePreview(sql, await createPreviewRows(sql), { ...input, fileName });
    const row = {
      id: Bun.randomUUIDv7(),
      user_id: userId,
      upload_id: uploadId,
      state: "preview",
      file_name: fileName,
      created_at: preview.previewedAt,
      ...columnsOf(preview),
    };
    await sql`insert into imports ${sql(row)}`;
    return keepPreview(sql, row.id, preview);
  },
};

/** Compares again. Rows that were left out stay so. @throws {RequestError} As `startImport`, and 404. */
export const changePreview: Job<{ id: string } & ImportInput, Import> = {
  name: "change preview",
  async run(sql, { id, ...input }) {
    const record = await findImport(sql, id);
    const before = rowsOfPreview(record);
    const { analysis, uploadId, fileName } = record;
    // A question about a column is answered by a mapping only: what was proposed is no answer.
    const isAsked = analysis.ambiguous.some(({ code }) => code === "field" || code === "no-name");
    const preview = await makePreview(sql, await createPreviewRows(sql), {
      uploadId,
      fileName,
      mapping: input.mapping ?? (isAsked ? undefined : analysis.mapping),
      dateOrder: input.dateOrder ?? record.dateOrder,
      defaults: input.defaults ?? record.defaults,
      rememberedAt: input.mapping === undefined ? analysis.remembered : null,
    });
    await skipAgain(sql, before, preview);
    await sql`update imports set ${sql(columnsOf(preview))} where id = ${id}`;
    await removePreviewRows.run(sql, before);
    return keepPreview(sql, id, preview);
  },
};

function columnsOf({ analysis, rowsId, rowBytes, counts, registrarKey, previewedAt }: Preview) {
  return {
    previewed_at: previewedAt,
    staging: rowsId,
    analysis: JSON.stringify({ ...analysis, rowBytes }),
    date_order: analysis.dateOrder,
    defaults: JSON.stringify(analysis.defaults),
    counts: JSON.stringify(counts),
    registrar_key: registrarKey,
  };
}

/** Keeps the upload of a preview, and discards the person's oldest other previews beyond the limits. */
async function keepPreview(sql: SQL, id: string, { rowBytes }: Preview): Promise<Import> {
  const record = await findImport(sql, id);
  await sql`update uploads set expires_at = ${instantIn(sql, PREVIEW_SECONDS)}
    where id = ${record.uploadId}`;
  const others = await sql<{ id: string; analysis: string }[]>`
    select id, analysis from imports
    where user_id = (select user_id from imports where id = ${id}) and state = 'preview' and id <> ${id}
    order by id desc`;
  let bytes = rowBytes;
  for (const [index, other] of others.entries()) {
    const of: { rowBytes: number } = JSON.parse(other.analysis);
    bytes += of.rowBytes;
    if (index + 2 <= MAX_OPEN_PREVIEWS && bytes <= MAX_PREVIEW_BYTES) continue;
    await discardPreview.run(sql, other.id);
  }
  return toImport(record);
}

async function makePreview(sql: SQL, rowsId: string, input: PreviewInput): Promise<Preview> {
  const { uploadId, fileName } = input;
  if (!(await hasContent(sql, uploadId))) {
    throw new RequestError(409, "The file of this import is gone. Upload it again.");
  }
  const labels = await readColumn(sql`select label from registrars order by label_key`);
  const guess = guessRegistrar(fileName, labels);
  const file = await openFile(readContent(sql, uploadId), {
    ...input,
    registrars: new Set(labels.map(foldLabel)),
    recall: (header) => recallLayout(sql, header, guess),
  });
  const registrarKeys = new Set<string | null>();
  const tally = { counts: { ...NO_ROWS }, rows: 0, bytes: 0, hasRegistrar: false, registrarKeys };
  const { maxBytes = MAX_PREVIEW_BYTES } = input;
  const of = sourceOfFile({ own: file.own, name: fileName }, input.defaults);
  // Postgres writes one batch while the next is read.
  let written: Promise<void> = Promise.resolve();
  for await (const batch of file.rows()) {
    // Both at once: after a failed write the other fails too, and says only that.
    const [planned] = await Promise.all([planRows(sql, batch, of), written]);
    await yieldToEventLoop();
    written = writeRows(sql, planned, { rowsId, tally, maxBytes });
    written.catch(() => undefined);
  }
  await written;
  if (tally.rows === 0) {
    const detail = "The file has no domains, only a header. Choose another file.";
    throw unreadable("no-names", detail);
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
  const { counts, bytes: rowBytes } = tally;
  const [registrarKey = null] = registrarKeys.size === 1 ? registrarKeys : [];
  const previewedAt = (await readNow(sql)).toISOString();
  if (registrarKey !== null) {
    counts.missing = await countMissing(sql, { registrarKey, rowsId, before: previewedAt });
  }
  return { analysis, rowsId, rowBytes, counts, registrarKey, previewedAt };
}

/** The last mapping of these headers, but not its registrar if the file's name mentions another. */
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

/** Whether a person has to name the registrar: the days of a table need a source. */
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

interface Tally {
  counts: ImportCounts;
  rows: number;
  /** What the texts of the rows take; in UTF-8 some characters take more than one byte. */
  bytes: number;
  hasRegistrar: boolean;
  /** Null: of a domain without a registrar. */
  registrarKeys: Set<string | null>;
}

async function writeRows(
  sql: SQL,
  planned: readonly PlannedRow[],
  { rowsId, tally, maxBytes }: { rowsId: string; tally: Tally; maxBytes: number },
): Promise<void> {
  const keyed = planned.map((row, index) => ({ key: rowKey(tally.rows + index + 1), row }));
  const records = toRecords(rowsId, keyed);
  for (const [index, row] of planned.entries()) countRow(tally, row, records[index] ?? {});
  if (tally.bytes > maxBytes) {
    const detail = "This file is too large to preview. Split it into smaller files.";
    throw unreadable("preview-too-large", detail);
  }
  await insertRows(sql, "import_rows", records);
}

function countRow(tally: Tally, row: PlannedRow, record: SqlRow): void {
  for (const column in record) {
    const value = record[column];
    if (typeof value === "string") tally.bytes += value.length;
  }
  tally.rows += 1;
  tally.counts[row.class] += 1;
  if (isReadInPart(row)) tally.counts.partly += 1;
  if (LOSING.has(record["status_key"])) tally.counts.losing += 1;
  const { registrar } = row.values;
  tally.hasRegistrar ||= registrar !== undefined;
  if (row.target !== null) tally.registrarKeys.add(registrar ? foldLabel(registrar) : null);
}
