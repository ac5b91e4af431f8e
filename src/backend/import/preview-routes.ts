import { readJson } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { json, noContent } from "../http/responses.ts";
import type { RequestContext } from "../http/router.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";
import { findUpload } from "../uploads/uploads.ts";
import { parseNewImport, parsePreviewChange } from "./import-input.ts";
import { findByUpload, readImport, toImport } from "./import-record.ts";
import { makePreview, type Preview } from "./preview/make-preview.ts";
import { ImportError } from "./reading/import-error.ts";
import { MappingError } from "./reading/mapping.ts";
import type { ReadOptions } from "./reading/read-file.ts";
import { addImport, discardPreview, replacePreview } from "./save-preview.ts";

/** `POST /api/imports`: reads an upload and compares it with the register; 422 where it cannot. */
export async function startImport(files: UploadFiles, context: RequestContext): Promise<Response> {
  const input = await readJson(context, parseNewImport);
  const { database, user } = context;
  const { uploadId, mapping, dateOrder = null, defaults = {} } = input;
  const existing = await database.read((sql) => findByUpload(sql, uploadId));
  if (existing !== null) throw usedTwice(existing);
  const upload = await database.read((sql) => findUpload(sql, uploadId, user.id));
  if (upload === null) throw missingUpload();
  const preview = await previewUpload(files, context, uploadId, { mapping, dateOrder, defaults });
  if (preview === null) throw missingUpload();
  const given = { uploadId, dateOrder, defaults, fileName: upload.name, userId: user.id };
  const added = await addImport({ database, files }, preview, given);
  if ("existing" in added) throw usedTwice(added.existing);
  return json(toImport(added), 201, { Location: `/api/imports/${added.id}` });
}

/** `PATCH /api/imports/:id`: compares again, with another mapping, date order or defaults. */
export async function changePreview(
  files: UploadFiles,
  context: RequestContext,
  id: string,
): Promise<Response> {
  const input = await readJson(context, parsePreviewChange);
  const { database } = context;
  const record = await database.read((sql) => readImport(sql, id));
  if (record === null) throw missingImport();
  if (record.state !== "preview") throw notOpen();
  const { analysis, uploadId } = record;
  const dateOrder = input.dateOrder ?? record.dateOrder;
  const defaults = input.defaults ?? record.defaults;
  // A question about a column is answered by a mapping only: what was proposed is no answer.
  const isAsked = analysis.ambiguous.some(({ code }) => code !== "date-order");
  const mapping = input.mapping ?? (isAsked ? undefined : analysis.mapping);
  const preview = await previewUpload(files, context, uploadId, { mapping, dateOrder, defaults });
  const choices = { dateOrder, defaults };
  const replaced =
    preview && (await replacePreview({ database, files }, record, { preview, choices }));
  if (replaced !== null) return json(toImport(replaced));
  // Somebody committed, discarded or changed it meanwhile; either of the first removes the file.
  const now = await database.read((sql) => readImport(sql, id));
  if (now === null) throw missingImport();
  if (now.state !== "preview" || preview !== null) throw notOpen();
  throw new RequestError(409, "The file of this import is gone. Upload it again.");
}

/** `DELETE /api/imports/:id`: discards a preview, its upload with it. */
export async function dropPreview(
  files: UploadFiles,
  { database }: RequestContext,
  id: string,
): Promise<Response> {
  const result = await discardPreview({ database, files }, id);
  if (result === "missing") throw missingImport();
  if (result === "committed") throw notOpen();
  return noContent();
}

export function missingImport(): RequestError {
  return new RequestError(404, "This import no longer exists.");
}

/** The preview of an upload; null where its file is gone, also where it goes while it is read. */
async function previewUpload(
  files: UploadFiles,
  { database, request: { signal } }: RequestContext,
  uploadId: string,
  options: ReadOptions,
): Promise<Preview | null> {
  if (!(await files.has(uploadId))) return null;
  try {
    return await makePreview(database, () => files.open(uploadId), { ...options, signal });
  } catch (error) {
    if (error instanceof MappingError) throw badFields(error.problems);
    if (error instanceof ImportError) {
      const { code, message: detail } = error;
      throw new RequestError(422, detail, { errors: [{ pointer: "/uploadId", code, detail }] });
    }
    if (await files.has(uploadId)) throw error;
    return null;
  }
}

function missingUpload(): RequestError {
  const detail = "This upload does not exist or has expired. Upload the file again.";
  return badFields([{ pointer: "/uploadId", code: "unknown", detail }]);
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
