import {
  type Import,
  type ImportInput,
  parseImport,
  type RowChange,
  type RowFilter,
} from "../../shared/import.ts";
import { parseUpload } from "../../shared/upload.ts";
import { callApi } from "../session/session-store.ts";

/** The latest imports, newest first. */
export const IMPORTS = "/api/imports";
const IMPORT_TIMEOUT_MS = 300_000;
/** For calls that work through a whole file and return the import. */
const WHOLE_FILE = { timeout: IMPORT_TIMEOUT_MS, parse: parseImport };

/**
 * Uploads a file and starts an import of it.
 *
 * @param onUploaded Called when the server has the file and begins to read it.
 * @throws {HttpError} 413 for a file that is too large, 422 for one that is not a list of domains.
 */
export async function addImport(
  file: File,
  signal: AbortSignal,
  onUploaded: () => void,
): Promise<Import> {
  const body = new FormData();
  body.append("file", file);
  const upload = { method: "POST", body, signal, parse: parseUpload } as const;
  const { uploadId } = await callApi("/api/upload/post", upload);
  onUploaded();
  return callApi(IMPORTS, { method: "POST", body: { uploadId }, signal, ...WHOLE_FILE });
}

/** @throws {HttpError} 404 where there is no such import. */
export function readImport(id: string): Promise<Import> {
  return callApi(importPath(id), { parse: parseImport });
}

/** Changes the mapping, date order or defaults of a preview; absent ones stay. @throws {HttpError} */
export function editImport(id: string, body: ImportInput): Promise<Import> {
  return callApi(importPath(id), { method: "PATCH", body, ...WHOLE_FILE });
}

/** Discards a preview and its file. @throws {HttpError} 409 where it is no longer a preview. */
export function discardImport(id: string): Promise<unknown> {
  return callApi(importPath(id), { method: "DELETE" });
}

/** Discards all previews. @throws {HttpError} */
export function discardDrafts(): Promise<unknown> {
  return callApi(IMPORTS, { method: "DELETE", query: { state: "preview" } });
}

/** Leaves rows of a preview out, or takes them in again. @throws {HttpError} */
export function changeRows(id: string, body: RowChange): Promise<Import> {
  return callApi(`${importPath(id)}/rows`, { method: "PATCH", body, ...WHOLE_FILE });
}

/** Where a page of the preview rows of a class is read; `after` is the `next` of the page before. */
export function rowsPath(id: string, shown: RowFilter, after: string | null): string {
  const query = new URLSearchParams({ class: shown, ...(after !== null && { after }) });
  return `${importPath(id)}/rows?${query}`;
}

/**
 * Writes an import into the register. The import's id is the idempotency key, as an import is
 * committed only once: a retry after a lost response, also from another tab, returns the result.
 *
 * @throws {HttpError}
 */
export function commitImport(id: string): Promise<Import> {
  return callApi(`${importPath(id)}/commit`, {
    method: "POST",
    headers: { "Idempotency-Key": id },
    ...WHOLE_FILE,
  });
}

/** Undoes a committed import; later edits stay. @throws {HttpError} */
export function undoImport(id: string): Promise<Import> {
  return callApi(`${importPath(id)}/undo`, { method: "POST", ...WHOLE_FILE });
}

/** Where an import is read. */
export function importPath(id: string): string {
  return `${IMPORTS}/${encodeURIComponent(id)}`;
}
