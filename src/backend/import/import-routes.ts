import type { FieldProblem } from "../../shared/contract.ts";
import type { ImportList, ImportQuestion } from "../../shared/import-contract.ts";
import { json } from "../http/answer.ts";
import { badFields, problem } from "../http/problem.ts";
import type { Author } from "../domains/history.ts";
import { commitImport } from "./commit/commit-import.ts";
import { undoImport } from "./commit/undo-import.ts";
import { listImports, readImport, toImport } from "./import-record.ts";
import { listRows } from "./list-rows.ts";
import { parseRowQuery } from "./parse-row-query.ts";
import { missingImport, type ImportErrand } from "./preview-routes.ts";
import { UNDO_DAYS } from "./sweep-imports.ts";

/** `GET /api/imports` */
export async function showImports({ database }: ImportErrand): Promise<Response> {
  const records = await database.read(listImports);
  const list: ImportList = { items: records.map(toImport) };
  return json(list);
}

/** `GET /api/imports/:id` */
export async function showImport({ database }: ImportErrand, id: string): Promise<Response> {
  const record = await database.read((sql) => readImport(sql, id));
  return record === null ? missingImport() : json(toImport(record));
}

/** `GET /api/imports/:id/rows?class=&after=&limit=` */
export async function showRows({ database, url }: ImportErrand, id: string): Promise<Response> {
  const query = parseRowQuery(url.searchParams);
  if (Array.isArray(query)) return badFields(query);
  return database.read(async (sql) => {
    const record = await readImport(sql, id);
    return record === null ? missingImport() : json(await listRows(sql, record, query));
  });
}

/** `POST /api/imports/:id/commit` with `Idempotency-Key`, of 1 to 200 visible ASCII characters. */
export async function commit(errand: ImportErrand, id: string): Promise<Response> {
  const { database, files, request, email } = errand;
  const key = request.headers.get("idempotency-key") ?? "";
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    return problem(400, "Expected Idempotency-Key, of 1 to 200 visible ASCII characters");
  }
  const committed = await database.writeMany((sql, size) =>
    commitImport(sql, id, { key, author: authorNow(email), size }),
  );
  if (committed.kind === "missing") return missingImport();
  const { record } = committed;
  if (committed.kind === "other-key") {
    return problem(409, "The import was committed before, with another Idempotency-Key");
  }
  if (committed.kind === "open") {
    const errors = record.analysis.ambiguous.map(toProblem);
    const detail = "Something is open that only a person can decide, so nothing was imported";
    return problem(409, detail, { errors });
  }
  // It may hold what nobody needs any more, such as transfer codes in columns that were not read.
  await files.remove(record.uploadId);
  return json(toImport(record));
}

/** `POST /api/imports/:id/undo` */
export async function undo({ database, email }: ImportErrand, id: string): Promise<Response> {
  const undone = await database.writeMany((sql, size) =>
    undoImport(sql, id, { author: authorNow(email), size }),
  );
  if (undone.kind === "missing") return missingImport();
  if (undone.kind === "preview") return problem(409, "The import is a preview: nothing to undo");
  if (undone.kind === "too-late") {
    return problem(409, `An import can be undone for ${UNDO_DAYS} days, and these are over`);
  }
  return json(toImport(undone.record));
}

/** To be asked for in one's turn: it may have been waited for, while others wrote. */
function authorNow(email: string): Author {
  return { email, at: new Date().toISOString() };
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
  const detail = `Expected to know whether days or months come first in column ${question.column + 1}`;
  return { pointer: "/dateOrder", code, detail };
}
