import type { SQL } from "bun";
import type { Import, ImportQuestion } from "../../shared/import.ts";
import type { RowChange } from "../../shared/import-input.ts";
import type { FieldProblem } from "../../shared/parse.ts";
import type { Job } from "../database/database.ts";
import { changeIdAt, markNoNews, startOperation, type Maker } from "../domains/write/history.ts";
import { foretell, undoOperation } from "../domains/write/undo-operation.ts";
import { RequestError } from "../http/request-error.ts";
import { applyRows } from "../merge/apply-rows.ts";
import { isSkipped, isTaken, rowId, skipRows } from "../merge/preview-rows.ts";
import {
  findImport,
  lockImport,
  rememberLayout,
  rowsOfPreview,
  saveCounts,
  sourceOfFile,
  toImport,
  UNDO_DAYS,
} from "./import-record.ts";

/**
 * Makes a preview part of the register, once for each key. `isStale`: nothing was imported, as rows
 * would do something else by now than their preview said, which says so from then on.
 *
 * @throws {RequestError} 404; 409 after a commit with another key, or while a question is open.
 */
export const commitImport: Job<
  { id: string; key: string; by: Maker },
  { current: Import; isStale: boolean }
> = {
  name: "commit import",
  async run(sql, { id, key, by }) {
    const record = await lockImport(sql, id);
    // Only now: while the job waited, others have written.
    const author = { ...(await startOperation(sql, by)), operation: id, importId: id };
    const { state, rowsId, analysis, fileName, counts } = record;
    if (state !== "preview" || rowsId === null) {
      if (record.commitKey === key) return { current: toImport(record), isStale: false };
      throw new RequestError(
        409,
        "This import was already committed, with another Idempotency-Key.",
      );
    }
    if (analysis.ambiguous.length > 0) {
      const errors = analysis.ambiguous.map(toProblem);
      const detail = "Nothing was imported: a question about this file is still open.";
      throw new RequestError(409, detail, { errors });
    }

    // But for its last twelve digits: with a row key behind it, an id that sorts by time as others do.
    const stamp = changeIdAt(author.at).slice(0, -12);
    const source = sourceOfFile({ own: analysis.own, name: fileName }, record.defaults);
    if (!(await applyRows(sql, { rowsId, counts, source }, { ...author, stamp }))) {
      await saveCounts(sql, record);
      return { current: toImport(record), isStale: true };
    }
    await markNoNews(sql, author);
    await sql`update imports set state = 'committed', committed_at = ${author.at},
      commit_key = ${key}, counts = ${JSON.stringify(counts)} where id = ${id}`;
    // It may hold what is no longer needed, such as transfer codes in columns that were not read.
    await sql`delete from uploads where id = ${record.uploadId}`;
    await rememberLayout(sql, record, author.at);
    return { current: toImport(await findImport(sql, id)), isStale: false };
  },
};

function toProblem(question: ImportQuestion): FieldProblem {
  const { code } = question;
  const ask = (pointer: string, what: string) => ({ pointer, code, detail: `Say ${what}` });
  if (code === "no-name") return ask("/mapping", "which column has the names");
  if (code === "field") {
    const columns = question.columns.map((column) => column + 1).join(", ");
    return ask("/mapping", `which of the columns ${columns} is ${question.field}, if any`);
  }
  if (code === "registrar") {
    const what = "which registrar this file is from, or that it is not known";
    return ask("/defaults/registrar", what);
  }
  return ask("/dateOrder", `whether days or months come first in column ${question.column + 1}`);
}

/**
 * Reverts what a committed import did, except for what was edited since; once.
 *
 * @throws {RequestError} 404; 409 for a preview, and once its rows are no longer stored.
 */
export const undoImport: Job<{ id: string; by: Maker }, Import> = {
  name: "undo import",
  async run(sql, { id, by }) {
    const record = await lockImport(sql, id);
    const author = await startOperation(sql, by);
    if (record.state === "undone") return toImport(record);
    if (record.state === "preview") {
      throw new RequestError(409, "This import is a preview: there is nothing to undo.");
    }
    if (record.rowsId === null) {
      const detail = `Imports can be undone for ${UNDO_DAYS} days; this one is older.`;
      throw new RequestError(409, detail);
    }
    await undoOperation(sql, id, author);
    return toImport(await findImport(sql, id));
  },
};

/** Finds out what an undo would do now: undoes the import, and takes that back. */
export const previewUndo: typeof undoImport = {
  name: "preview the undo of an import",
  run: (sql, input) => foretell(sql, () => undoImport.run(sql, input)),
};

/** Leaves rows of a preview out, or takes them in again. @throws {RequestError} 404 or 409 */
export const skipPreviewRows: Job<{ id: string } & RowChange, Import> = {
  name: "skip preview rows",
  async run(sql, { id, skip, skipped }) {
    const record = await lockImport(sql, id);
    const preview = { rowsId: rowsOfPreview(record), counts: record.counts };
    const isMoved = (skipped ? isTaken : isSkipped)(sql, preview.rowsId);
    const rows = sql`${isMoved} and ${rowsWhere(sql, preview.rowsId, skip)}`;
    await skipRows(sql, preview, { rows, skipped });
    await saveCounts(sql, record);
    return toImport(record);
  },
};

function rowsWhere(sql: SQL, rowsId: string, skip: RowChange["skip"]) {
  if ("ids" in skip) {
    const ids = skip.ids.map((key) => rowId(rowsId, key));
    return ids.length === 0 ? sql`1 = 0` : sql`id in ${sql(ids)}`;
  }
  if (skip.class === "skipped") return isSkipped(sql, rowsId);
  return skip.class === "partly" ? sql`partly = 1` : sql`class = ${skip.class}`;
}
