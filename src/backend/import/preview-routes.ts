import type { SQL } from "bun";
import type { Import } from "../../shared/import.ts";
import type { Parsed } from "../../shared/parse.ts";
import type { Database } from "../database/database.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { Reply, type RequestContext } from "../http/route.ts";
import { findUpload } from "../uploads/uploads.ts";
import type { parseNewImport, parsePreviewChange, parseRowChange } from "./import-input.ts";
import { skipPreviewRows } from "./import-jobs.ts";
import { findByUpload, type ImportRecord, readImport, toImport } from "./import-record.ts";
import { type Preview, type PreviewInput, previewUpload } from "./make-preview.ts";
import { addImport, removeRows, replacePreview } from "./save-preview.ts";

type Context = Pick<RequestContext<"", "owner">, "database" | "request" | "user">;

/** `POST /api/imports`: reads an upload and compares it with the register; 422 where it cannot. */
export async function startImport(
  context: Context,
  input: Parsed<typeof parseNewImport>,
): Promise<Reply<Import>> {
  const { database, user } = context;
  const { uploadId, mapping, dateOrder = null, defaults } = input;
  const existing = await database.read((sql) => findByUpload(sql, uploadId));
  if (existing !== null) throw usedTwice(existing);
  const upload = await database.read((sql) => findUpload(sql, uploadId, user.id));
  if (upload === null) throw missingUpload();
  const { name: fileName } = upload;
  const options = { mapping, dateOrder, defaults, fileName };
  const preview = await readUpload(context, uploadId, options);
  if (preview === null) throw missingUpload();
  const given = { uploadId, fileName, userId: user.id };
  const added = await addImport(database, preview, given);
  if ("existing" in added) throw usedTwice(added.existing);
  return new Reply(toImport(added), [["Location", `/api/imports/${added.id}`]]);
}

/** `PATCH /api/imports/:id`: compares again, with another mapping, date order or defaults. */
export async function changePreview(
  context: Context,
  id: string,
  input: Parsed<typeof parsePreviewChange>,
): Promise<Import> {
  const { database } = context;
  const record = await database.read((sql) => findImport(sql, id));
  if (record.state !== "preview") throw notOpen();
  const { analysis, uploadId, fileName } = record;
  const dateOrder = input.dateOrder ?? record.dateOrder;
  const defaults = input.defaults ?? record.defaults;
  // A question about a column is answered by a mapping only: what was proposed is no answer.
  const isAsked = analysis.ambiguous.some(({ code }) => code === "field" || code === "no-name");
  const mapping = input.mapping ?? (isAsked ? undefined : analysis.mapping);
  const rememberedAt = input.mapping === undefined ? analysis.remembered : null;
  const options = { mapping, dateOrder, defaults, fileName, rememberedAt };
  const preview = await readUpload(context, uploadId, options);
  const replaced =
    preview && (await database.writeMany(replacePreview, { before: record, preview }));
  await removeRows(database, replaced?.unused ?? []);
  if (replaced?.record) return toImport(replaced.record);
  // It was committed, discarded or changed meanwhile; the first two remove the upload.
  const now = await database.read((sql) => findImport(sql, id));
  if (now.state !== "preview" || preview !== null) throw notOpen();
  throw new RequestError(409, "The file of this import is gone. Upload it again.");
}

/** `PATCH /api/imports/:id/rows`: leaves rows of a preview out, or takes them in again. */
export async function changeRows(
  database: Database,
  id: string,
  change: Parsed<typeof parseRowChange>,
): Promise<Import> {
  const record = await database.writeMany(skipPreviewRows, { id, ...change });
  if (record === "missing") throw missingImport();
  if (record === "closed") throw notOpen();
  return toImport(record);
}

/** @throws {RequestError} 404 */
export async function findImport(sql: SQL, id: string): Promise<ImportRecord> {
  const record = await readImport(sql, id);
  if (record === null) throw missingImport();
  return record;
}

export function missingImport(): RequestError {
  return new RequestError(404, "This import no longer exists.");
}

/** The preview of an upload; null where its content is gone. */
async function readUpload(
  { database, request: { signal } }: Context,
  uploadId: string,
  given: Omit<PreviewInput, "uploadId">,
): Promise<Preview | null> {
  const previewed = await database.writeMany(previewUpload, { uploadId, ...given });
  if (previewed.kind === "missing") return null;
  if (previewed.kind === "bad-mapping") throw badFields(previewed.problems);
  if (previewed.kind === "unreadable") {
    const { code, detail } = previewed;
    throw new RequestError(422, detail, { errors: [{ pointer: "/uploadId", code, detail }] });
  }
  const { preview } = previewed;
  if (!signal.aborted) return preview;
  await removeRows(database, [preview.rowsId]);
  throw signal.reason;
}

function missingUpload(): RequestError {
  const detail = "This upload does not exist or has expired. Upload the file again.";
  return badFields([{ pointer: "/uploadId", code: "unknown", detail }]);
}

export function notOpen(): RequestError {
  return new RequestError(
    409,
    "This import is no longer a preview, or was just changed elsewhere.",
  );
}

function usedTwice(existing: string): RequestError {
  const detail = "This upload is already part of an import. Upload the file again.";
  return new RequestError(409, detail, { existing });
}
