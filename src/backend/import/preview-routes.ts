import type { ImportDefaults } from "../../shared/import.ts";
import { readJson } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { json, noContent } from "../http/responses.ts";
import type { RequestContext } from "../http/router.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";
import { findUpload } from "../uploads/uploads.ts";
import { findByUpload, readImport, toImport } from "./import-record.ts";
import { parseImportChange, parseNewImport, type GivenDefaults } from "./parse-import-input.ts";
import { previewFile, type Previewed } from "./preview-file.ts";
import { discardStaging } from "./preview/stagings.ts";
import { addImport, replacePreview } from "./save-preview.ts";

/** `POST /api/imports`: reads an upload and compares it with the register; 422 where it cannot. */
export async function startImport(files: UploadFiles, context: RequestContext): Promise<Response> {
  const input = await readJson(context, parseNewImport);
  const { database, request } = context;
  const userId = context.user.id;
  const { uploadId, mapping, dateOrder = null } = input;
  const defaults = knownDefaults(input.defaults ?? {});

  const existing = await database.read((sql) => findByUpload(sql, uploadId));
  if (existing !== null) throw usedTwice(existing);
  const upload = await database.read((sql) => findUpload(sql, uploadId, userId));
  if (upload === null || !(await files.has(uploadId))) {
    const detail = "This upload does not exist or has expired. Upload the file again.";
    throw badFields([{ pointer: "/uploadId", code: "unknown", detail }]);
  }
  const file = { uploadId, mapping, dateOrder, defaults, columns: null };
  const previewed = await previewFile({ database, files }, file, request.signal);
  if (previewed.kind !== "preview") throw refusal(previewed);
  const given = { uploadId, dateOrder, defaults, fileName: upload.name, userId };
  const added = await addImport(database, previewed.preview, given);
  if ("existing" in added) throw usedTwice(added.existing);
  return json(toImport(added), 201, { Location: `/api/imports/${added.id}` });
}

/** `PATCH /api/imports/:id`: compares anew, with another mapping, date order or defaults. */
export async function changePreview(
  files: UploadFiles,
  context: RequestContext,
  id: string,
): Promise<Response> {
  const input = await readJson(context, parseImportChange);
  const { database, request } = context;
  const record = await database.read((sql) => readImport(sql, id));
  if (record === null) throw missingImport();
  if (record.state !== "preview" || record.unfinished !== null) throw notOpen();
  if (!(await files.has(record.uploadId))) {
    throw new RequestError(409, "The file of this import is gone. Upload it again.");
  }

  const { columns, mapping: before } = record.analysis;
  const choices = {
    dateOrder: input.dateOrder ?? record.dateOrder,
    defaults: input.defaults === undefined ? record.defaults : knownDefaults(input.defaults),
  };
  // A question about a column is answered by a mapping only: what was proposed is no answer.
  const chosen = record.analysis.ambiguous.some(({ code }) => code !== "date-order")
    ? undefined
    : before;
  const mapping = input.mapping ?? chosen;
  const file = { uploadId: record.uploadId, mapping, columns, ...choices };
  const previewed = await previewFile({ database, files }, file, request.signal);
  if (previewed.kind !== "preview") throw refusal(previewed);
  const { preview } = previewed;
  const replaced = await replacePreview(database, record, { preview, choices });
  if (replaced === null) throw notOpen();
  return json(toImport(replaced));
}

/** `DELETE /api/imports/:id`: gives a preview up, its upload with it. */
export async function dropPreview(
  files: UploadFiles,
  { database }: RequestContext,
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
  if (dropped === "missing") throw missingImport();
  if (dropped === "committed") throw notOpen();
  await files.remove(dropped.upload_id);
  await discardStaging(database, dropped.staging);
  return noContent();
}

/** The defaults that name something. */
function knownDefaults(given: GivenDefaults): ImportDefaults {
  const { registrar, account, owner, tags = [], currency } = given;
  return {
    ...(registrar && { registrar }),
    ...(account && { account }),
    ...(owner && { owner }),
    ...(tags.length > 0 && { tags }),
    ...(currency && { currency }),
  };
}

/** 404 */
export function missingImport(): RequestError {
  return new RequestError(404, "This import no longer exists.");
}

function notOpen(): RequestError {
  return new RequestError(
    409,
    "This import is no longer a preview, or was just changed elsewhere.",
  );
}

function usedTwice(existing: string): RequestError {
  const detail = "This upload is already part of an import. Upload the file again.";
  return new RequestError(409, detail, { existing });
}

function refusal(previewed: Exclude<Previewed, { kind: "preview" }>): RequestError {
  if (previewed.kind === "bad-mapping") return badFields(previewed.problems);
  const { code, message: detail } = previewed.error;
  return new RequestError(422, detail, { errors: [{ pointer: "/uploadId", code, detail }] });
}
