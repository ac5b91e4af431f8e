import type { Import, ImportInput, ImportRowPage, RowClass } from "../../shared/import-contract.ts";
import { callApi } from "../session/call-api.ts";
import { parseList, parseRecord, textOrNull } from "../../shared/parse-json.ts";
import { parseImport } from "./parse-import.ts";
import { parseRow } from "./parse-row.ts";

const IMPORTS = "/api/imports";
/** Milliseconds that reading or writing all of a large file may take. */
const PATIENCE = 300_000;

/**
 * Sends a file and starts an import with it.
 *
 * @param onSent Told when the file is there and being read.
 * @throws {HttpError} 413 for a file too large, 422 for one that is no list of names.
 */
export async function addImport(
  file: File,
  signal: AbortSignal,
  onSent: () => void,
): Promise<Import> {
  const body = new FormData();
  body.append("file", file);
  const uploadId = await callApi("/api/upload/post", {
    method: "POST",
    body,
    signal,
    parse: (json) => String(parseRecord(json).uploadId),
  });
  onSent();
  return callApi(IMPORTS, {
    method: "POST",
    body: { uploadId } satisfies ImportInput,
    signal,
    timeout: PATIENCE,
    parse: parseImport,
  });
}

/** The latest imports, newest first. @throws {HttpError} */
export function listImports(signal: AbortSignal): Promise<Import[]> {
  return callApi(IMPORTS, {
    signal,
    parse: (json) => parseList(parseRecord(json).items, parseImport),
  });
}

/** One import as it stands. @throws {HttpError} 404 where there is none. */
export function readImport(id: string, signal?: AbortSignal): Promise<Import> {
  return callApi(pathOf(id), { signal, parse: parseImport });
}

/** Says what columns, dates or defaults are; what is absent stays. @throws {HttpError} */
export function editImport(id: string, body: ImportInput): Promise<Import> {
  return callApi(pathOf(id), { method: "PATCH", body, timeout: PATIENCE, parse: parseImport });
}

/** Gives a preview up, and the file with it. @throws {HttpError} 409 where it is none any more. */
export function dropImport(id: string): Promise<unknown> {
  return callApi(pathOf(id), { method: "DELETE" });
}

/** One page of the rows of a class. @throws {HttpError} */
export function listRows(
  id: string,
  query: { class: RowClass; after: string | null },
  signal: AbortSignal,
): Promise<ImportRowPage> {
  return callApi(`${pathOf(id)}/rows`, { query, signal, parse: parseRowPage });
}

/** Writes the import into the register, once however often it is sent with one key. @throws {HttpError} */
export function commitImport(id: string, key: string): Promise<Import> {
  return callApi(`${pathOf(id)}/commit`, {
    method: "POST",
    headers: { "Idempotency-Key": key },
    timeout: PATIENCE,
    parse: parseImport,
  });
}

/** Takes an import back; what was edited since stays. @throws {HttpError} */
export function undoImport(id: string): Promise<Import> {
  return callApi(`${pathOf(id)}/undo`, { method: "POST", timeout: PATIENCE, parse: parseImport });
}

function pathOf(id: string): string {
  return `${IMPORTS}/${encodeURIComponent(id)}`;
}

function parseRowPage(json: unknown): ImportRowPage {
  const { items, next } = parseRecord(json);
  return { items: parseList(items, parseRow), next: textOrNull(next) };
}
