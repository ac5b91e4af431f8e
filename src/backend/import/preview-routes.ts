import { json } from "../http/answer.ts";
import { badFields, problem } from "../http/problem.ts";
import { readJson } from "../http/read-body.ts";
import type { Errand } from "../domains/domain-routes.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";
import { findUpload } from "../uploads/uploads.ts";
import { findByUpload, readImport, toImport } from "./import-record.ts";
import { parseImportInput } from "./parse-import-input.ts";
import { previewFile, type Previewed } from "./preview-file.ts";
import { discardStaging } from "./preview/stagings.ts";
import { addImport, replacePreview } from "./save-preview.ts";

/** What a request to the imports comes with. */
export interface ImportErrand extends Errand {
  files: UploadFiles;
  userId: string;
}

/** `POST /api/imports`: reads an upload and compares it with the register; 422 where it cannot. */
export async function startImport(errand: ImportErrand): Promise<Response> {
  const body = await readJson(errand.request);
  if (body instanceof Response) return body;
  const input = parseImportInput(body, { withUpload: true });
  if (Array.isArray(input)) return badFields(input);
  const { database, files, userId, request } = errand;
  const { uploadId = "", mapping, dateOrder = null, defaults = {} } = input;

  const existing = await database.read((sql) => findByUpload(sql, uploadId));
  if (existing !== null) return usedTwice(existing);
  const upload = await database.read((sql) => findUpload(sql, uploadId, userId));
  if (upload === null || !(await files.has(uploadId))) {
    const detail = "There is no such upload of yours, or its day is over: upload the file again";
    return badFields([{ pointer: "/uploadId", code: "unknown", detail }]);
  }
  const file = { uploadId, mapping, dateOrder, defaults, columns: null };
  const previewed = await previewFile(errand, file, request.signal);
  if (previewed.kind !== "preview") return refusal(previewed);
  const given = { uploadId, dateOrder, defaults, fileName: upload.name, userId };
  const added = await addImport(database, previewed.preview, given);
  if ("existing" in added) return usedTwice(added.existing);
  return json(toImport(added), 201, { Location: `/api/imports/${added.id}` });
}

/** `PATCH /api/imports/:id`: compares anew, with another mapping, date order or defaults. */
export async function changePreview(errand: ImportErrand, id: string): Promise<Response> {
  const body = await readJson(errand.request);
  if (body instanceof Response) return body;
  const input = parseImportInput(body, { withUpload: false });
  if (Array.isArray(input)) return badFields(input);
  const { database, files, request } = errand;
  const record = await database.read((sql) => readImport(sql, id));
  if (record === null) return missingImport();
  if (record.state !== "preview" || record.unfinished !== null) return notOpen();
  if (!(await files.has(record.uploadId))) {
    return problem(409, "The file of this import is not there any more: upload it again");
  }

  const { columns, mapping: before } = record.analysis;
  const choices = {
    dateOrder: input.dateOrder ?? record.dateOrder,
    defaults: input.defaults ?? record.defaults,
  };
  // A question about a column is answered by a mapping only: what was proposed is no answer.
  const chosen = record.analysis.ambiguous.some(({ code }) => code !== "date-order")
    ? undefined
    : before;
  const mapping = input.mapping ?? chosen;
  const file = { uploadId: record.uploadId, mapping, columns, ...choices };
  const previewed = await previewFile(errand, file, request.signal);
  if (previewed.kind !== "preview") return refusal(previewed);
  const { preview } = previewed;
  const replaced = await replacePreview(database, record, { preview, choices });
  return replaced === null ? notOpen() : json(toImport(replaced));
}

/** `DELETE /api/imports/:id`: gives a preview up, its upload with it. */
export async function dropPreview(
  { database, files }: ImportErrand,
  id: string,
): Promise<Response> {
  const dropped = await database.write(async (sql) => {
    const [row] = await sql<{ staging: string; upload_id: string }[]>`
      delete from imports where id = ${id} and state = 'preview' and unfinished is null
      returning staging, upload_id`;
    if (row === undefined) return (await readImport(sql, id)) === null ? "missing" : "committed";
    await sql`delete from uploads where id = ${row.upload_id}`;
    return row;
  });
  if (dropped === "missing") return missingImport();
  if (dropped === "committed") return notOpen();
  await files.remove(dropped.upload_id);
  await discardStaging(database, dropped.staging);
  return new Response(null, { status: 204 });
}

/** 404 */
export function missingImport(): Response {
  return problem(404, "There is no import with this id");
}

function notOpen(): Response {
  return problem(409, "The import is no preview any more, or has just been changed elsewhere");
}

function usedTwice(existing: string): Response {
  const detail = "The upload is in an import already: upload the file again";
  return problem(409, detail, { existing });
}

function refusal(previewed: Exclude<Previewed, { kind: "preview" }>): Response {
  if (previewed.kind === "bad-mapping") return badFields(previewed.problems);
  const { code, message: detail } = previewed.error;
  return problem(422, detail, { errors: [{ pointer: "/uploadId", code, detail }] });
}
