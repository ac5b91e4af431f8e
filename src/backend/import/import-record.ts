import type { SQL } from "bun";
import type {
  DateOrder,
  Import,
  ImportCounts,
  ImportDefaults,
  ImportUndo,
} from "../../shared/import.ts";
import { formatName, toImportColumns, type FileAnalysis } from "./reading/analysis.ts";

/** An import as the database has it. */
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
  staging: string | null;
  analysis: FileAnalysis;
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
  counts: ImportCounts;
  registrarKey: string | null;
  /** Which fields it changes of names that are there; null: any. */
  changedFields: readonly string[] | null;
  /** The idempotency key of its commit. */
  commitKey: string | null;
  /** What the ids of the changes and observations begin with that its commit wrote. */
  stamp: string | null;
  undo: ImportUndo | null;
  unfinished: UnfinishedImport | null;
}

/**
 * The rows that are still to be reverted of a commit or an undo which an older version left half
 * done: those with a `lookup` after `from`, up to `end`. This version leaves none.
 */
interface UnfinishedImport {
  stamp: string;
  from: string | undefined;
  end: string | undefined;
  undo: ImportUndo;
}

type Row = Record<"id" | "upload_id" | "file_name" | "created_at" | "previewed_at", string> &
  Record<"analysis" | "defaults" | "counts", string> &
  Record<"committed_at" | "undone_at" | "staging" | "registrar_key", string | null> &
  Record<"changed_fields" | "commit_key" | "stamp" | "undo" | "unfinished", string | null> & {
    state: Import["state"];
    date_order: DateOrder | null;
  };

const LISTED = 50;

/** One import, or null where there is none with this id. */
export async function readImport(sql: SQL, id: string): Promise<ImportRecord | null> {
  const [row] = await sql<Row[]>`select * from imports where id = ${id}`;
  return row === undefined ? null : toRecord(row);
}

/** The latest 50 imports, newest first. */
export async function listImports(sql: SQL): Promise<ImportRecord[]> {
  const rows = await sql<Row[]>`select * from imports order by id desc limit ${LISTED}`;
  return [...rows].map(toRecord);
}

/** The import that an upload is in, or null. */
export async function findByUpload(sql: SQL, uploadId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`select id from imports where upload_id = ${uploadId}`;
  return row?.id ?? null;
}

/** An import as the API shows it. */
export function toImport(record: ImportRecord): Import {
  const { analysis } = record;
  return {
    id: record.id,
    state: record.state,
    fileName: record.fileName,
    createdAt: record.createdAt,
    committedAt: record.committedAt,
    undoneAt: record.undoneAt,
    format: formatName(analysis),
    columns: toImportColumns(analysis),
    ambiguous: analysis.ambiguous,
    dateOrder: record.dateOrder,
    defaults: record.defaults,
    counts: record.counts,
    undo: record.undo,
  };
}

/** Keeps others from changing an import until the transaction ends. */
export async function lockImport(sql: SQL, id: string): Promise<void> {
  await sql`update imports set state = state where id = ${id}`;
}

function toRecord(row: Row): ImportRecord {
  return {
    id: row.id,
    uploadId: row.upload_id,
    state: row.state,
    fileName: row.file_name,
    createdAt: row.created_at,
    previewedAt: row.previewed_at,
    committedAt: row.committed_at,
    undoneAt: row.undone_at,
    staging: row.staging,
    analysis: JSON.parse(row.analysis),
    dateOrder: row.date_order,
    defaults: JSON.parse(row.defaults),
    counts: JSON.parse(row.counts),
    registrarKey: row.registrar_key,
    changedFields: row.changed_fields === null ? null : JSON.parse(row.changed_fields),
    commitKey: row.commit_key,
    stamp: row.stamp,
    undo: row.undo === null ? null : JSON.parse(row.undo),
    unfinished: row.unfinished === null ? null : readUnfinished(JSON.parse(row.unfinished)),
  };
}

/** Reads what version 0.1.0 wrote: a commit had come up to `after`, an undo goes on from there. */
function readUnfinished(note: {
  kind: "commit" | "undo";
  stamp: string;
  after: string;
  end?: string | null;
  undo?: ImportUndo;
}): UnfinishedImport {
  const { kind, stamp, after, end, undo = { restored: 0, removed: 0, kept: [] } } = note;
  return kind === "commit"
    ? { stamp, from: undefined, end: after, undo }
    : { stamp, from: after, end: end ?? undefined, undo };
}
