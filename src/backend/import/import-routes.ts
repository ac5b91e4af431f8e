import {
  parseImport,
  parseImportList,
  parseImportRowPage,
  type Import,
  type ImportQuestion,
} from "../../shared/import.ts";
import { textLike, type FieldProblem } from "../../shared/parse.ts";
import { RequestError } from "../http/request-error.ts";
import { csvFile } from "../http/responses.ts";
import { route, type RequestContext, type Route } from "../http/route.ts";
import type { Maker } from "../domains/write/history.ts";
import type { Database } from "../database/database.ts";
import { writeTemplate } from "../domains/list/csv-export.ts";
import { commitImport, previewUndo, undoImport } from "./import-jobs.ts";
import { listImports, toImport } from "./import-record.ts";
import { leftOutCsv, readRows } from "./list-rows.ts";
import {
  parseDiscard,
  parseNewImport,
  parsePreviewChange,
  parseRowChange,
  parseRowQuery,
} from "./import-input.ts";
import {
  changePreview,
  changeRows,
  findImport,
  missingImport,
  notOpen,
  startImport,
} from "./preview-routes.ts";
import { discardPreview, discardPreviews, UNDO_DAYS, sweepImports } from "./save-preview.ts";

const parseIdempotencyKey = textLike(
  /^[\x21-\x7e]{1,200}$/,
  "value",
  "Idempotency-Key, of 1 to 200 visible ASCII characters",
);

/** Imports of files. */
export const createImports = (database: Database) => ({
  routes: importRoutes,
  sweeps: [() => sweepImports(database)],
});

const importRoutes: readonly Route[] = [
  route({
    summary: "List the imports",
    method: "GET",
    path: "/api/imports",
    role: "viewer",
    answer: parseImportList,
    handle: async ({ database }) => ({ items: (await database.read(listImports)).map(toImport) }),
  }),
  // Reads an upload and compares it with the register; 422 where it cannot.
  route({
    summary: "Read an upload and preview what it would change",
    method: "POST",
    path: "/api/imports",
    role: "editor",
    body: parseNewImport,
    answer: parseImport,
    statuses: [201],
    sends: ["Location"],
    problems: [409, 422],
    handle: (context) => startImport(context, context.body),
  }),
  route({
    summary: "Discard every preview",
    method: "DELETE",
    path: "/api/imports",
    role: "editor",
    query: parseDiscard,
    answer: null,
    handle: ({ database }) => discardPreviews(database),
  }),
  route({
    summary: "Download an empty list to fill in",
    method: "GET",
    path: "/api/imports/template.csv",
    role: "viewer",
    answer: "text/csv",
    handle: () => csvFile("domains-template.csv", writeTemplate()),
  }),
  route({
    summary: "Read an import",
    method: "GET",
    path: "/api/imports/:id",
    role: "viewer",
    answer: parseImport,
    handle: ({ database, params: { id } }) =>
      database.read(async (sql) => toImport(await findImport(sql, id))),
  }),
  route({
    summary: "Preview again with another mapping, date order or defaults",
    method: "PATCH",
    path: "/api/imports/:id",
    role: "editor",
    body: parsePreviewChange,
    answer: parseImport,
    problems: [409, 422],
    handle: (context) => changePreview(context, context.params.id, context.body),
  }),
  route({
    summary: "Discard a preview and its upload",
    method: "DELETE",
    path: "/api/imports/:id",
    role: "editor",
    answer: null,
    problems: [409],
    async handle({ database, params: { id } }) {
      const result = await discardPreview(database, id);
      if (result === "missing") throw missingImport();
      if (result === "committed") throw notOpen();
    },
  }),
  route({
    summary: "List the rows of an import",
    method: "GET",
    path: "/api/imports/:id/rows",
    role: "viewer",
    query: parseRowQuery,
    answer: parseImportRowPage,
    async handle({ database, params: { id }, query }) {
      const record = await database.read((sql) => findImport(sql, id));
      return database.readMany(readRows, { record, query });
    },
  }),
  route({
    summary: "Leave rows of a preview out, or take them in again",
    method: "PATCH",
    path: "/api/imports/:id/rows",
    role: "editor",
    body: parseRowChange,
    answer: parseImport,
    problems: [409],
    handle: ({ database, params: { id }, body }) => changeRows(database, id, body),
  }),
  route({
    summary: "Export the rows that are not imported, with the reason",
    method: "GET",
    path: "/api/imports/:id/left-out.csv",
    role: "viewer",
    answer: "text/csv",
    async handle({ database, params: { id } }) {
      const { rowsId } = await database.read((sql) => findImport(sql, id));
      if (rowsId === null) throw new RequestError(404, "The rows of this import are gone.");
      return csvFile("left-out.csv", leftOutCsv(database, rowsId));
    },
  }),
  route({
    summary: "Import what the preview shows",
    method: "POST",
    path: "/api/imports/:id/commit",
    role: "editor",
    headers: { "Idempotency-Key": parseIdempotencyKey },
    answer: parseImport,
    problems: [409],
    handle: (context) => commit(context, context.params.id),
  }),
  route({
    summary: "Undo an import",
    method: "POST",
    path: "/api/imports/:id/undo",
    role: "editor",
    answer: parseImport,
    problems: [409],
    handle: ({ database, user, params: { id } }) => undo(database, undoImport, { id, by: user }),
  }),
  route({
    summary: "Read an import as it would be after an undo, with what that would change",
    method: "GET",
    path: "/api/imports/:id/undo",
    role: "editor",
    answer: parseImport,
    problems: [409],
    handle: ({ database, user, params: { id } }) => undo(database, previewUndo, { id, by: user }),
  }),
];

async function commit(
  { database, request, user }: RequestContext<"", "owner">,
  id: string,
): Promise<Import> {
  const key = request.headers.get("idempotency-key") ?? "";
  const committed = await database.writeMany(commitImport, { id, key, by: user });
  if (committed.kind === "missing") throw missingImport();
  const { record } = committed;
  if (committed.kind === "other-key") {
    throw new RequestError(409, "This import was committed before, with another Idempotency-Key.");
  }
  if (committed.kind === "open") {
    const errors = record.analysis.ambiguous.map(toProblem);
    const detail = "Nothing was imported: a question about this file is still open.";
    throw new RequestError(409, detail, { errors });
  }
  if (committed.kind === "stale") {
    const detail =
      "Nothing was imported: the register has changed since this preview, " +
      "which shows what the file would do now. Look at it again.";
    throw new RequestError(409, detail, { current: toImport(record) });
  }
  return toImport(record);
}

async function undo(
  database: Database,
  job: typeof undoImport,
  input: { id: string; by: Maker },
): Promise<Import> {
  const undone = await database.writeMany(job, input);
  if (undone.kind === "undone") return toImport(undone.record);
  if (undone.kind === "missing") throw missingImport();
  const detail =
    undone.kind === "preview"
      ? "This import is a preview: there is nothing to undo."
      : `An import can be undone for ${UNDO_DAYS} days, and they are over.`;
  throw new RequestError(409, detail);
}

function toProblem(question: ImportQuestion): FieldProblem {
  const { code } = question;
  if (code === "no-name") {
    return { pointer: "/mapping", code, detail: "Expected to know which column has the names" };
  }
  if (code === "field") {
    const columns = question.columns.map((column) => column + 1).join(", ");
    const detail = `Expected to know which of the columns ${columns} is ${question.field}, if any`;
    return { pointer: "/mapping", code, detail };
  }
  if (code === "registrar") {
    const detail = "Expected to know which registrar this file is from, or that it is not known";
    return { pointer: "/defaults/registrar", code, detail };
  }
  const detail = `Expected to know whether days or months come first in column ${question.column + 1}`;
  return { pointer: "/dateOrder", code, detail };
}
