import type { FileAnalysis } from "../../src/backend/import/reading/file-survey.ts";
import type { FileRow } from "../../src/backend/import/reading/parse-row.ts";
import { openFile, type FileOptions } from "../../src/backend/import/reading/read-file.ts";

const EXPORTS = new URL("../data/registrar-exports/", import.meta.url);

export type ByteSource = () => AsyncIterable<Uint8Array>;

/** The day of every test import: later days are to come. */
export const TODAY = "2026-11-21";

export function exportFile(name: string): ByteSource {
  return () => Bun.file(new URL(name, EXPORTS)).stream();
}

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

/** Reads all rows of a file, as a preview does, and tells how often it had to be opened. */
export async function importAll(
  source: ByteSource | string,
  options: FileOptions = {},
): Promise<{ analysis: FileAnalysis; rows: FileRow[]; opened: number; batches: number[] }> {
  const open = typeof source === "string" ? fileOf(source) : source;
  let settled: FileOptions = {};
  for (let opened = 1; ; opened += 1) {
    const file = await openFile(open(), { today: TODAY, ...options, ...settled });
    const batches = await Array.fromAsync(file.rows());
    const { analysis, overturned } = file.finish();
    if (overturned === null) {
      return {
        analysis,
        rows: batches.flat(),
        opened,
        batches: batches.map(({ length }) => length),
      };
    }
    settled = overturned;
  }
}
