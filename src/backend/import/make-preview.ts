import type { SQL } from "bun";
import { NO_ROWS, type Import } from "../../shared/import.ts";
import type { parseNewImport, ImportInput } from "../../shared/import-input.ts";
import type { Parsed } from "../../shared/parse.ts";
import { foldLabel } from "../../shared/text.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { databaseClock, hasRows, instantIn, type Job, readColumn } from "../database/database.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";
import { LOSING } from "../domains/list/filter-condition.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { planRows, type PlannedRow } from "../merge/plan-rows.ts";
import {
  countMissing,
  countMoves,
  createPreviewRows,
  isReadInPart,
  removePreviewRows,
  rowKey,
  skipAgain,
  toRecord,
} from "../merge/preview-rows.ts";
import { findUpload, readContent } from "../uploads/uploads.ts";
import {
  discardPreview,
  findImport,
  PREVIEW_SECONDS,
  recallLayout,
  rowsOfPreview,
  sourceOfFile,
  toImport,
} from "./import-record.ts";
import type { FileAnalysis, SurveyOptions } from "./reading/file-survey.ts";
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
  /** The rows of the preview before: names that were left out of it stay so. */
  before?: string;
  /** `MAX_PREVIEW_BYTES`, but in tests. */
  maxBytes?: number;
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
    const preview = await makePreview(sql, { ...input, fileName });
    const row = {
      id: Bun.randomUUIDv7(),
      user_id: userId,
      upload_id: uploadId,
      state: "preview",
      file_name: fileName,
      created_at: preview.previewed_at,
      ...preview,
    };
    await sql`insert into imports ${sql(row)}`;
    return keepPreview(sql, row.id);
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
    const preview = await makePreview(sql, {
      uploadId,
      fileName,
      before,
      mapping: input.mapping ?? (isAsked ? undefined : analysis.mapping),
      dateOrder: input.dateOrder ?? record.dateOrder,
      defaults: input.defaults ?? record.defaults,
      rememberedAt: input.mapping === undefined ? analysis.remembered : null,
    });
    await sql`update imports set ${sql(preview)} where id = ${id}`;
    await removePreviewRows.run(sql, before);
    return keepPreview(sql, id);
  },
};

/** Keeps the upload of a preview, and discards the person's oldest other previews beyond the limits. */
async function keepPreview(sql: SQL, id: string): Promise<Import> {
  const record = await findImport(sql, id);
  await sql`update uploads set expires_at = ${instantIn(sql, PREVIEW_SECONDS)}
    where id = ${record.uploadId}`;
  const previews = await sql<{ id: string; analysis: string }[]>`
    select id, analysis from imports
    where user_id = (select user_id from imports where id = ${id}) and state = 'preview'
    order by id = ${id} desc, id desc`;
  let bytes = 0;
  for (const [index, each] of previews.entries()) {
    const { rowBytes }: { rowBytes: number } = JSON.parse(each.analysis);
    bytes += rowBytes;
    if (index < MAX_OPEN_PREVIEWS && bytes <= MAX_PREVIEW_BYTES) continue;
    await discardPreview.run(sql, each.id);
  }
  return toImport(record);
}

/** Writes the rows of a preview; returns the columns of its import. */
async function makePreview(
  sql: SQL,
  input: PreviewInput,
): Promise<SqlRow & { previewed_at: string }> {
  const { uploadId, fileName, before, maxBytes = MAX_PREVIEW_BYTES } = input;
  if (!(await hasRows(sql`select 1 from upload_parts where upload_id = ${uploadId} limit 1`))) {
    throw new RequestError(409, "The file of this import is gone. Upload it again.");
  }
  const labels = await readColumn(sql`select label from registrars order by label_key`);
  const guess = guessRegistrar(fileName, labels);
  const file = await openFile(readContent(sql, uploadId), {
    ...input,
    registrars: new Set(labels.map(foldLabel)),
    recall: (header) => recallLayout(sql, header, guess),
  });
  const rowsId = await createPreviewRows(sql);
  const tally = new Tally();
  const source = sourceOfFile({ own: file.own, name: fileName }, input.defaults);
  // Postgres writes one batch while the next is read.
  let written: Promise<void> = Promise.resolve();
  for await (const batch of file.rows()) {
    // Both at once: after a failed write the other fails too, and says only that.
    const [planned] = await Promise.all([planRows(sql, batch, source), written]);
    await yieldToEventLoop();
    const records = planned.map((row) => tally.add(rowsId, row));
    if (tally.bytes > maxBytes) {
      const detail = "This file is too large to preview. Split it into smaller files.";
      throw unreadable("preview-too-large", detail);
    }
    written = insertRows(sql, "import_rows", records);
    written.catch(() => undefined);
  }
  await written;
  if (tally.rows === 0) {
    const detail = "The file has no domains, only a header. Choose another file.";
    throw unreadable("no-names", detail);
  }
  const { analysis, overturned } = file.finish();
  if (overturned !== null) {
    await removePreviewRows.run(sql, rowsId);
    return makePreview(sql, { ...input, ...overturned });
  }
  if (isOfUnknownRegistrar(analysis, tally)) {
    analysis.ambiguous.push({ code: "registrar", guess });
  }
  const { counts, bytes: rowBytes, registrarKeys } = tally;
  Object.assign(counts, await countMoves(sql, rowsId));
  const [registrarKey = null] = registrarKeys.size === 1 ? registrarKeys : [];
  const previewedAt = (await readNow(sql)).toISOString();
  if (registrarKey !== null) {
    counts.missing = await countMissing(sql, { registrarKey, rowsId, before: previewedAt });
  }
  if (before !== undefined) await skipAgain(sql, before, { rowsId, counts });
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

/** Whether a person has to name the registrar: the days of a table need a source. */
function isOfUnknownRegistrar(
  { own, source, defaults, ambiguous }: FileAnalysis,
  tally: Tally,
): boolean {
  const isTable = source.format.separator !== "none" && !own;
  return (
    isTable &&
    !tally.hasRegistrar &&
    !ambiguous.some((each) => each.code === "field" && each.field === "registrar") &&
    defaults.registrar === undefined &&
    defaults.registrarUnknown !== true
  );
}

/** What the rows of a preview come to. */
class Tally {
  readonly counts = { ...NO_ROWS };
  rows = 0;
  /** What the texts of the rows take; in UTF-8 some characters take more than one byte. */
  bytes = 0;
  hasRegistrar = false;
  /** Null: of a domain without a registrar. */
  readonly registrarKeys = new Set<string | null>();

  /** Counts the next row, and returns its record. */
  add(rowsId: string, row: PlannedRow): SqlRow {
    this.rows += 1;
    const record = toRecord(rowsId, rowKey(this.rows), row);
    for (const column in record) {
      const value = record[column];
      if (typeof value === "string") this.bytes += value.length;
    }
    this.counts[row.class] += 1;
    if (isReadInPart(row)) this.counts.partly += 1;
    if (LOSING.has(record["status_key"])) this.counts.losing += 1;
    const { registrar } = row.values;
    this.hasRegistrar ||= registrar !== undefined;
    if (row.target !== null) this.registrarKeys.add(registrar ? foldLabel(registrar) : null);
    return record;
  }
}
