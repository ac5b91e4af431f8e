import { analyse, type AnalyseOptions } from "../../src/backend/import/columns/analyse.ts";
import type { Analysis } from "../../src/backend/import/columns/analysis.ts";
import type { ByteSource } from "../../src/backend/import/reading/byte-source.ts";
import type { ImportRow } from "../../src/backend/import/reading/import-row.ts";
import { readRows } from "../../src/backend/import/reading/read-rows.ts";

const EXPORTS = new URL("../data/registrar-exports/", import.meta.url);

/** The day of every test import: what is after it is to come. */
export const TODAY = "2026-11-21";

/** A file of test/data/registrar-exports. */
export function exportFile(name: string): ByteSource {
  return () => Bun.file(new URL(name, EXPORTS)).stream();
}

/** The text of such a file, to be changed by a test. */
export function exportText(name: string): Promise<string> {
  return Bun.file(new URL(name, EXPORTS)).text();
}

/** A text as an uploaded file, handed over in chunks of `size` bytes. */
export function fileOf(content: string | Uint8Array, size = 65_536): ByteSource {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

/** Analyses a file and reads all of its rows. */
export async function importAll(
  source: ByteSource | string,
  options: AnalyseOptions = {},
): Promise<{ analysis: Analysis; rows: ImportRow[] }> {
  const open = typeof source === "string" ? fileOf(source) : source;
  const analysis = await analyse(open, { today: TODAY, ...options });
  const rows: ImportRow[] = [];
  for await (const batch of readRows(open, analysis)) rows.push(...batch);
  return { analysis, rows };
}
