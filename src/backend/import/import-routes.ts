import type { ImportQuestion } from "../../shared/import.ts";
import type { FieldProblem } from "../../shared/problem.ts";
import { parseParameters } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { csvFile, json } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { writeTemplate } from "../domains/csv-export.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";
import { commitImport } from "./commit/commit-import.ts";
import { undoImport } from "./commit/undo-import.ts";
import { listImports, readImport, toImport } from "./import-record.ts";
import { leftOutCsv, listRows } from "./list-rows.ts";
import { parseRowQuery } from "./import-input.ts";
import {
  changePreview,
  changeRows,
  dropPreview,
  dropPreviews,
  missingImport,
  startImport,
} from "./preview-routes.ts";
import { UNDO_DAYS } from "./sweep-imports.ts";

/** The routes of imports; `files` has their uploads. */
export function createImportRoutes(files: UploadFiles): Route[] {
  return [
    {
      path: "/api/imports",
      methods: {
        GET: showImports,
        POST: (context) => startImport(files, context),
        DELETE: (context) => dropPreviews(files, context),
      },
    },
    { path: "/api/imports/template.csv", methods: { GET: showTemplate } },
    {
      path: "/api/imports/:id",
      methods: {
        GET: showImport,
        PATCH: (context, id) => changePreview(files, context, id),
        DELETE: (context, id) => dropPreview(files, context, id),
      },
    },
    { path: "/api/imports/:id/rows", methods: { GET: showRows, PATCH: changeRows } },
    { path: "/api/imports/:id/left-out.csv", methods: { GET: showLeftOut } },
    {
      path: "/api/imports/:id/commit",
      methods: { POST: (context, id) => commit(files, context, id) },
    },
    { path: "/api/imports/:id/undo", methods: { POST: undo } },
  ];
}

async function showImports({ database }: RequestContext): Promise<Response> {
  const records = await database.read(listImports);
  return json({ items: records.map(toImport) });
}

async function showImport({ database }: RequestContext, id: string): Promise<Response> {
  const record = await database.read((sql) => readImport(sql, id));
  if (record === null) throw missingImport();
  return json(toImport(record));
}

/** `GET /api/imports/:id/rows?class=&after=&limit=` */
async function showRows({ database, url }: RequestContext, id: string): Promise<Response> {
  const query = parseParameters(url.searchParams, parseRowQuery);
  return database.read(async (sql) => {
    const record = await readImport(sql, id);
    if (record === null) throw missingImport();
    return json(await listRows(sql, record, query));
  });
}

/** `GET /api/imports/:id/left-out.csv`: the rows that are not imported, with the reason. */
async function showLeftOut(context: RequestContext, id: string): Promise<Response> {
  const { database, request } = context;
  const record = await database.read((sql) => readImport(sql, id));
  if (record === null) throw missingImport();
  if (record.rowsId === null) throw new RequestError(404, "The rows of this import are gone.");
  return csvFile(request, "left-out.csv", leftOutCsv(database, record.rowsId));
}

/** `GET /api/imports/template.csv`: an empty list to fill in. */
function showTemplate({ request }: RequestContext): Promise<Response> {
  return csvFile(request, "domains-template.csv", writeTemplate());
}

/** `POST /api/imports/:id/commit` with `Idempotency-Key`, of 1 to 200 visible ASCII characters. */
async function commit(files: UploadFiles, context: RequestContext, id: string): Promise<Response> {
  const { database, request, user } = context;
  const key = request.headers.get("idempotency-key") ?? "";
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new RequestError(400, "Expected Idempotency-Key, of 1 to 200 visible ASCII characters");
  }
  const committed = await database.writeMany(commitImport, { id, key, email: user.email });
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
  // It may hold what nobody needs any more, such as transfer codes in columns that were not read.
  await files.remove(record.uploadId);
  return json(toImport(record));
}

async function undo({ database, user }: RequestContext, id: string): Promise<Response> {
  const undone = await database.writeMany(undoImport, { id, email: user.email });
  if (undone.kind === "missing") throw missingImport();
  if (undone.kind === "preview") {
    throw new RequestError(409, "This import is a preview: there is nothing to undo.");
  }
  if (undone.kind === "too-late") {
    const detail = `An import can be undone for ${UNDO_DAYS} days, and they are over.`;
    throw new RequestError(409, detail);
  }
  return json(toImport(undone.record));
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
