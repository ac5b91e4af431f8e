import { urlFor } from "../../shared/api.ts";
import { parseImport, parseImportList, parseImportRowPage } from "../../shared/import.ts";
import { parseNewImport, parsePreviewChange, parseRowChange } from "../../shared/import-input.ts";
import * as p from "../../shared/parse.ts";
import { queryOf } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { csvFile } from "../http/responses.ts";
import { Reply, route, type Route } from "../http/route.ts";
import { writeTemplate } from "../domains/list/csv-export.ts";
import { commitImport, previewUndo, skipPreviewRows, undoImport } from "./import-jobs.ts";
import {
  discardPreview,
  discardPreviews,
  findImport,
  listImports,
  notOpen,
  sweepImports,
  toImport,
} from "./import-record.ts";
import { leftOutCsv, parseRowQuery, readRows } from "./list-rows.ts";
import { changePreview, startImport } from "./make-preview.ts";

const parseIdempotencyKey = p.textLike(
  /^[\x21-\x7e]{1,200}$/,
  "value",
  "1 to 200 visible ASCII characters",
);

const routes: readonly Route[] = [
  route("GET /api/imports", "viewer", {
    summary: "List the imports",
    answer: parseImportList,
    handle: async ({ database }) => ({ items: (await database.read(listImports)).map(toImport) }),
  }),
  // Reads an upload and compares it with the register; 422 where it cannot.
  route("POST /api/imports", "editor", {
    summary: "Read an upload and preview what it would change",
    body: parseNewImport,
    answer: parseImport,
    statuses: [201],
    sends: ["Location"],
    problems: [409, 422],
    async handle({ database, request: { signal }, peer, user, body }) {
      const added = await database.writeMany(startImport, { ...body, userId: user.id });
      // The sender has left, and will upload the file again.
      if (signal.aborted) await database.writeMany(discardPreview, added.id);
      return new Reply(added, [["Location", urlFor(peer, `/api/imports/${added.id}`)]]);
    },
  }),
  route("DELETE /api/imports", "editor", {
    summary: "Discard every preview",
    query: queryOf({ state: p.oneOf(["preview"]) }),
    answer: null,
    handle: ({ database }) => discardPreviews(database),
  }),
  route("GET /api/imports/template.csv", "viewer", {
    summary: "Download an empty list to fill in",
    answer: "text/csv",
    handle: () => csvFile("domains-template.csv", writeTemplate()),
  }),
  route("GET /api/imports/:id", "viewer", {
    summary: "Read an import",
    answer: parseImport,
    handle: ({ database, params: { id } }) =>
      database.read(async (sql) => toImport(await findImport(sql, id))),
  }),
  route("PATCH /api/imports/:id", "editor", {
    summary: "Preview again with another mapping, date order or defaults",
    body: parsePreviewChange,
    answer: parseImport,
    problems: [409, 422],
    handle: ({ database, params: { id }, body }) =>
      database.writeMany(changePreview, { ...body, id }),
  }),
  route("DELETE /api/imports/:id", "editor", {
    summary: "Discard a preview and its upload",
    answer: null,
    problems: [409],
    async handle({ database, params: { id } }) {
      if (await database.writeMany(discardPreview, id)) return;
      await database.read((sql) => findImport(sql, id));
      throw notOpen();
    },
  }),
  route("GET /api/imports/:id/rows", "viewer", {
    summary: "List the rows of an import",
    query: parseRowQuery,
    answer: parseImportRowPage,
    handle: ({ database, params: { id }, query }) => database.readMany(readRows, { id, query }),
  }),
  route("PATCH /api/imports/:id/rows", "editor", {
    summary: "Leave rows of a preview out, or take them in again",
    body: parseRowChange,
    answer: parseImport,
    problems: [409],
    handle: ({ database, params: { id }, body }) =>
      database.writeMany(skipPreviewRows, { ...body, id }),
  }),
  route("GET /api/imports/:id/left-out.csv", "viewer", {
    summary: "Export the rows that are not imported, with the reason",
    answer: "text/csv",
    async handle({ database, params: { id } }) {
      const { rowsId } = await database.read((sql) => findImport(sql, id));
      if (rowsId === null) throw new RequestError(404, "The rows of this import are gone.");
      return csvFile("left-out.csv", leftOutCsv(database, rowsId));
    },
  }),
  route("POST /api/imports/:id/commit", "editor", {
    summary: "Import what the preview shows",
    headers: { "Idempotency-Key": parseIdempotencyKey },
    answer: parseImport,
    problems: [409],
    async handle({ database, request, user, params: { id } }) {
      const key = request.headers.get("idempotency-key") ?? "";
      const input = { id, key, by: user };
      const { current, isStale } = await database.writeMany(commitImport, input);
      if (!isStale) return current;
      const detail =
        "Nothing was imported: the register has changed since this preview, " +
        "which shows what the file would do now. Look at it again.";
      throw new RequestError(409, detail, { current });
    },
  }),
  route("POST /api/imports/:id/undo", "editor", {
    summary: "Undo an import",
    answer: parseImport,
    problems: [409],
    handle: ({ database, user, params: { id } }) =>
      database.writeMany(undoImport, { id, by: user }),
  }),
  route("POST /api/imports/:id/undo/foretell", "editor", {
    summary: "Read an import as it would be after an undo, with what that would change",
    answer: parseImport,
    problems: [409],
    handle: ({ database, user, params: { id } }) =>
      database.writeMany(previewUndo, { id, by: user }),
  }),
];

export const imports = { routes, sweeps: [sweepImports] };
