import type { SQL } from "bun";
import type {
  DateOrder,
  Import,
  ImportCounts,
  ImportDefaults,
  ImportUndo,
} from "../../shared/import-contract.ts";
import { statement, type Statement } from "../database/statement.ts";
import type { Analysis } from "./columns/analysis.ts";
import { formatName, showColumns } from "./columns/import-columns.ts";

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
  analysis: Analysis;
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
  unfinished: Unfinished | null;
}

/** A commit or an undo that is under way or was cut off, and who began it when. */
export type Unfinished = UnfinishedCommit | UnfinishedUndo;

interface Begun {
  email: string;
  at: string;
  /** As in the record. */
  stamp: string;
  /** The `lookup` of the last row that is done. */
  after: string;
}

export interface UnfinishedCommit extends Begun {
  kind: "commit";
  key: string;
  counts: ImportCounts;
}

export interface UnfinishedUndo extends Begun {
  kind: "undo";
  /** No row behind this `lookup` was ever committed; null: they all were. */
  end: string | null;
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

/** What is unfinished of which imports, oldest first. */
export async function listUnfinished(sql: SQL): Promise<{ id: string; unfinished: Unfinished }[]> {
  const rows = await sql<{ id: string; unfinished: string }[]>`
    select id, unfinished from imports where unfinished is not null order by id`;
  return [...rows].map(({ id, unfinished }) => ({ id, unfinished: JSON.parse(unfinished) }));
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
    columns: showColumns(analysis),
    ambiguous: analysis.ambiguous,
    dateOrder: record.dateOrder,
    defaults: record.defaults,
    counts: record.counts,
    undo: record.undo,
  };
}

/** Writes down how far it has come; null: there is nothing to finish. */
export function noteUnfinished(id: string, unfinished: Unfinished | null): Statement {
  const json = unfinished === null ? null : JSON.stringify(unfinished);
  return statement`update imports set unfinished = ${json} where id = ${id}`;
}

/** Keeps the row of an import from everybody else until the transaction ends. */
export function lockImport(id: string): Statement {
  return statement`update imports set state = state where id = ${id}`;
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
    unfinished: row.unfinished === null ? null : JSON.parse(row.unfinished),
  };
}
