import type { SQL } from "bun";
import {
  DATE_ORDERS,
  KEPT_BY_HAND,
  NO_ROWS,
  type DateOrder,
  type Import,
  type ImportColumn,
  type ImportCounts,
  type ImportDefaults,
  type ImportUndo,
} from "../../shared/import.ts";
import { DAY_SECONDS } from "../../shared/day.ts";
import { foldLabel } from "../../shared/text.ts";
import { type Database, instantIn, type Job, readColumn } from "../database/database.ts";
import { gone, RequestError } from "../http/request-error.ts";
import { removePreviewRows } from "../merge/preview-rows.ts";
import type { RowSource } from "../merge/plan-rows.ts";
import type { FileAnalysis, RememberedLayout } from "./reading/file-survey.ts";
import { foldHeader } from "./reading/headers.ts";
import { LAYOUTS } from "./reading/registrar-layouts.ts";
import type { DateReading } from "./values/date-order.ts";

export interface ImportRecord {
  id: string;
  uploadId: string;
  state: Import["state"];
  fileName: string;
  createdAt: string;
  previewedAt: string;
  committedAt: string | null;
  undoneAt: string | null;
  /** Where its rows are; null: they were kept for as long as an undo was possible. */
  rowsId: string | null;
  analysis: FileAnalysis;
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
  counts: ImportCounts;
  registrarKey: string | null;
  commitKey: string | null;
  undo: ImportUndo | null;
}

type Json = "analysis" | "defaults" | "counts";
type Row = Omit<ImportRecord, Json | "undo"> & Record<Json, string> & { undo: string | null };

const COLUMNS = `id, upload_id as "uploadId", state, file_name as "fileName",
  created_at as "createdAt", previewed_at as "previewedAt", committed_at as "committedAt",
  undone_at as "undoneAt", staging as "rowsId", analysis, date_order as "dateOrder", defaults, counts,
  registrar_key as "registrarKey", commit_key as "commitKey", undo`;

const MAX_LISTED = 50;

export async function saveCounts(sql: SQL, { id, counts }: ImportRecord): Promise<void> {
  await sql`update imports set counts = ${JSON.stringify(counts)} where id = ${id}`;
}

export async function findImport(sql: SQL, id: string): Promise<ImportRecord> {
  const [row] = await sql<Row[]>`
    select ${sql.unsafe(COLUMNS)} from imports where id = ${id}`;
  if (row === undefined) throw gone("import");
  return toRecord(row);
}

/** The source of the rows of a file. People edit our own export: it asks about no value but the archive. */
export function sourceOfFile(
  { own, name }: Pick<RowSource, "own" | "name">,
  { keepRegistrar, keepByHand = [...KEPT_BY_HAND], bringBack }: ImportDefaults = {},
): RowSource {
  return { own, name, keepRegistrar, keepByHand: own ? undefined : keepByHand, bringBack };
}

export function notOpen(): RequestError {
  return new RequestError(
    409,
    "This import is no longer a preview, or was just changed elsewhere.",
  );
}

/** The rows of a preview. @throws {RequestError} 409 for an import in another state. */
export function rowsOfPreview({ state, rowsId }: ImportRecord): string {
  if (state !== "preview" || rowsId === null) throw notOpen();
  return rowsId;
}

export async function listImports(sql: SQL): Promise<ImportRecord[]> {
  const rows = await sql<Row[]>`
    select ${sql.unsafe(COLUMNS)} from imports order by id desc limit ${MAX_LISTED}`;
  return rows.map(toRecord);
}

export function toImport(record: ImportRecord): Import {
  const { id, state, fileName, createdAt, committedAt, undoneAt, analysis } = record;
  const { dateOrder, defaults, counts, undo } = record;
  const { registrar, layout, remembered, ambiguous } = analysis;
  const format = registrar ?? LAYOUTS.find((each) => each.id === layout)?.label ?? layout;
  const columns = toImportColumns(analysis);
  const file = { fileName, format, remembered, columns, ambiguous, dateOrder, defaults, counts };
  return { id, state, createdAt, committedAt, undoneAt, ...file, undo };
}

/** An import that no other transaction changes until this one ends. @throws {RequestError} 404 */
export async function lockImport(sql: SQL, id: string): Promise<ImportRecord> {
  await sql`update imports set state = state where id = ${id}`;
  return findImport(sql, id);
}

function toRecord(row: Row): ImportRecord {
  return {
    ...row,
    analysis: JSON.parse(row.analysis),
    defaults: JSON.parse(row.defaults),
    counts: { ...NO_ROWS, ...JSON.parse(row.counts) },
    undo: row.undo === null ? null : JSON.parse(row.undo),
  };
}

function toImportColumns({ columns, mapping }: FileAnalysis): ImportColumn[] {
  return columns.map(({ header, secret, samples, dates }, index) => {
    const field = mapping[index] ?? "ignore";
    return { header, secret, field, samples, dates: dates && possibleOrders(dates) };
  });
}

/** The orders that the cells allow, whichever has been chosen. */
function possibleOrders(reading: DateReading): NonNullable<ImportColumn["dates"]> {
  const { order, evidence, choices = [] } = reading;
  const decisive = DATE_ORDERS.filter((each) => evidence[each] > 0);
  if (decisive.length > 1) return { orders: decisive, contradictory: true };
  if (choices.length > 0) return { orders: choices, contradictory: decisive.length > 0 };
  const orders = DATE_ORDERS.filter((each) => each === (decisive[0] ?? order));
  return { orders, contradictory: false };
}

/** Layouts that are remembered; those that were used longest ago are forgotten. */
const MAX_LAYOUTS = 500;

/** How the last file with these headers was read; not its registrar if a `guess` says another. */
export async function recallLayout(
  sql: SQL,
  header: readonly string[],
  guess: string | null,
): Promise<RememberedLayout | null> {
  const [row] = await sql<
    (Omit<RememberedLayout, Json> & Record<"mapping" | "defaults", string>)[]
  >`
    select mapping, date_order as "dateOrder", defaults, used_at as "usedAt" from import_layouts
    where key = ${layoutKey(header)}`;
  if (row === undefined) return null;
  const defaults: ImportDefaults = JSON.parse(row.defaults);
  const isOther = guess !== null && foldLabel(defaults.registrar ?? guess) !== foldLabel(guess);
  if (isOther) delete defaults.registrar;
  return { ...row, mapping: JSON.parse(row.mapping), defaults };
}

/** Remembers how a file of an unknown layout was read, for the next one with its headers. */
export async function rememberLayout(
  sql: SQL,
  { analysis, dateOrder, defaults }: ImportRecord,
  usedAt: string,
): Promise<void> {
  const { separator, header } = analysis.source.format;
  if (separator === "none" || header === null || analysis.layout !== null) return;
  // About the domains of this file, not of the next.
  const { keepRegistrar: _, keepByHand: __, bringBack: ___, ...remembered } = defaults;
  const row = {
    key: layoutKey(header),
    mapping: JSON.stringify(analysis.mapping),
    date_order: dateOrder,
    defaults: JSON.stringify(remembered),
    used_at: usedAt,
  };
  await sql`delete from import_layouts where key = ${row.key} or key not in (
    select key from import_layouts order by used_at desc limit ${MAX_LAYOUTS - 1})`;
  await sql`insert into import_layouts ${sql(row)}`;
}

/** The same for headers that differ in case, punctuation or diacritics only. */
function layoutKey(header: readonly string[]): string {
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(header.map(foldHeader)))
    .digest("hex");
}

/** How long an uncommitted preview and its upload are kept. */
export const PREVIEW_SECONDS = DAY_SECONDS;

/** How long an import can be undone, and redone: its rows are kept that long, then only its counts. */
export const UNDO_DAYS = 30;

/** Rows older than this that no import points to are swept: another version writes them first. */
const ABANDONED_SECONDS = 60 * 60;

export async function discardPreviews(database: Database): Promise<void> {
  const ids = await database.read((sql) =>
    readColumn(sql`select id from imports where state = 'preview'`),
  );
  for (const id of ids) await database.writeMany(discardPreview, id);
}

/** Discards a preview with its rows and its upload; false for an import that is no preview. */
export const discardPreview: Job<string, boolean> = {
  name: "discard preview",
  async run(sql, id) {
    const [preview] = await sql<{ upload: string; rows: string }[]>`
      delete from imports where id = ${id} and state = 'preview'
      returning upload_id as upload, staging as rows`;
    if (preview === undefined) return false;
    await sql`delete from uploads where id = ${preview.upload}`;
    await removePreviewRows.run(sql, preview.rows);
    return true;
  },
};

/** Removes previews older than a day, and rows that are no longer needed. Their uploads expire then, too. */
export async function sweepImports(database: Database): Promise<void> {
  await database.write(async (sql) => {
    await sql`delete from imports
      where state = 'preview' and previewed_at <= ${instantIn(sql, -PREVIEW_SECONDS)}`;
    // Those of an undone import, too: its undo can be undone, after which it stands again.
    await sql`update imports set staging = null where staging is not null
      and committed_at <= ${instantIn(sql, -UNDO_DAYS * DAY_SECONDS)}`;
  });
  const orphans = await database.read((sql) =>
    readColumn(sql`select id from import_stagings
      where created_at < ${instantIn(sql, -ABANDONED_SECONDS)}
        and id not in (select staging from imports where staging is not null)`),
  );
  for (const id of orphans) await database.writeMany(removePreviewRows, id);
}
