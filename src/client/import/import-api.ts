import { type Import, parseImport } from "../../shared/import.ts";
import type { HttpOptions } from "../http.ts";
import { callApi } from "../session/session-store.ts";

/** The latest imports, newest first. */
export const IMPORTS = "/api/imports";
/** For calls that work through a whole file. */
const IMPORT_TIMEOUT_MS = 300_000;

/** Where an import is read. */
export function importPath(id: string): string {
  return `${IMPORTS}/${encodeURIComponent(id)}`;
}

/** Changes an import, which is what the server answers. @throws {HttpError} */
export function changeImport(path: string, options: HttpOptions<Import>): Promise<Import> {
  return callApi(path, { timeout: IMPORT_TIMEOUT_MS, parse: parseImport, ...options });
}

/** Reads an import. @throws {HttpError} 404 where there is no such import. */
export function readImport(id: string): Promise<Import> {
  return callApi(importPath(id), { parse: parseImport });
}
