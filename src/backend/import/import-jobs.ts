import type { SQL } from "bun";
import type { Parsed } from "../../shared/parse.ts";
import type { Job } from "../database/database.ts";
import { changeIdAt, markNoNews, startOperation, type Maker } from "../domains/write/history.ts";
import { undoChanges } from "../domains/write/undo-operation.ts";
import { applyRows } from "../merge/apply-rows.ts";
import { rowId, skipRows } from "../merge/planned-rows.ts";
import type { parseRowChange } from "./import-input.ts";
import {
  lockImport,
  readImport,
  saveCounts,
  type ImportRecord,
  rememberLayout,
} from "./import-record.ts";

/**
 * What became of a commit. `stale`: rows do something else than their preview said, which says so by now.
 * `other-key`: it was committed before, with another key.
 */
type Committed =
  | { kind: "committed" | "open" | "stale" | "other-key"; record: ImportRecord }
  | { kind: "missing" };

/**
 * Makes a preview part of the register, in one transaction. With a key that was used before, the answer is
 * the import as it is now.
 */
export const commitImport: Job<{ id: string; key: string; by: Maker }, Committed> = {
  name: "commit import",
  async run(sql, { id, key, by }) {
    await lockImport(sql, id);
    // Only now: while the job waited, others have written.
    const author = { ...(await startOperation(sql, by)), operation: id, importId: id };
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    const { state, rowsId, analysis, fileName } = record;
    if (state !== "preview" || rowsId === null) {
      return { kind: record.commitKey === key ? "committed" : "other-key", record };
    }
    if (analysis.ambiguous.length > 0) return { kind: "open", record };

    // But for its last twelve digits: with a row key behind it, an id that sorts by time as others do.
    const stamp = changeIdAt(author.at).slice(0, -12);
    const { counts } = record;
    const { keepRegistrar } = record.defaults;
    const source = { own: analysis.own, name: fileName, keepRegistrar };
    const plan = { rowsId, counts, source };
    if (!(await applyRows(sql, plan, { ...author, stamp }))) {
      await saveCounts(sql, record);
      return { kind: "stale", record };
    }
    await markNoNews(sql, author);
    await sql`update imports set state = 'committed', committed_at = ${author.at},
      commit_key = ${key}, stamp = ${stamp}, counts = ${JSON.stringify(counts)} where id = ${id}`;
    // It may hold what is no longer needed, such as transfer codes in columns that were not read.
    await sql`delete from uploads where id = ${record.uploadId}`;
    await rememberLayout(sql, record, author.at);
    const done = { committedAt: author.at, commitKey: key, stamp, counts };
    return { kind: "committed", record: { ...record, state: "committed", ...done } };
  },
};

/** What became of an undo. `too-late`: its rows are no longer stored. */
type Undone =
  { kind: "undone"; record: ImportRecord } | { kind: "missing" | "preview" | "too-late" };

/**
 * Reverts what a committed import did, except for what was edited since, in one transaction. For an
 * import that is undone already, the answer is the import.
 */
export const undoImport: Job<{ id: string; by: Maker }, Undone> = {
  name: "undo import",
  async run(sql, { id, by }) {
    await lockImport(sql, id);
    const { at } = await startOperation(sql, by);
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    if (record.state === "preview") return { kind: "preview" };
    if (record.state === "undone") return { kind: "undone", record };
    if (record.rowsId === null) return { kind: "too-late" };
    const { kept, ...done } = await undoChanges(sql, id, { by, at, importId: id });
    // A domain that was deleted since stays deleted.
    const undo = { ...done, kept: kept.filter(({ fields }) => fields.length > 0) };
    await sql`update imports set state = 'undone', undone_at = ${at}, undo = ${JSON.stringify(undo)}
      where id = ${id}`;
    return { kind: "undone", record: { ...record, state: "undone", undoneAt: at, undo } };
  },
};

/** Finds out what an undo would do now: undoes the import, and takes that back. */
export const previewUndo: typeof undoImport = {
  name: "preview the undo of an import",
  async run(sql, input) {
    await sql`savepoint undo`;
    const undone = await undoImport.run(sql, input);
    await sql`rollback to savepoint undo`;
    return undone;
  },
};

/** Leaves rows of a preview out, or takes them in again; `closed`: it is no preview any more. */
export const skipPreviewRows: Job<
  { id: string } & Parsed<typeof parseRowChange>,
  ImportRecord | "missing" | "closed"
> = {
  name: "skip preview rows",
  async run(sql, { id, skip, skipped }) {
    await lockImport(sql, id);
    const record = await readImport(sql, id);
    if (record === null) return "missing";
    const { state, rowsId, counts } = record;
    if (state !== "preview" || rowsId === null) return "closed";
    const rows = rowsWhere(sql, rowsId, skip);
    while (await skipRows(sql, { rowsId, counts }, { rows, skipped }));
    await saveCounts(sql, record);
    return record;
  },
};

function rowsWhere(sql: SQL, rowsId: string, skip: Parsed<typeof parseRowChange>["skip"]) {
  if ("ids" in skip) {
    const ids = skip.ids.map((key) => rowId(rowsId, key));
    return ids.length === 0 ? sql`1 = 0` : sql`id in ${sql(ids)}`;
  }
  if (skip.class === "skipped") return sql`1 = 1`;
  return skip.class === "partly" ? sql`partly = 1` : sql`class = ${skip.class}`;
}
