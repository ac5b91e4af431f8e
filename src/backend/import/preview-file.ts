import type { FieldProblem } from "../../shared/contract.ts";
import type { Database } from "../database/database.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";
import { analyse } from "./columns/analyse.ts";
import type { ColumnAnalysis } from "./columns/analysis.ts";
import type { Mapping } from "./columns/field.ts";
import { ImportError } from "./import-error.ts";
import { parseMapping } from "./columns/parse-mapping.ts";
import { makePreview, type Preview } from "./preview/make-preview.ts";
import type { Choices } from "./save-preview.ts";

/** What is to be read, and what a person has said of it; `mapping` is not checked yet. */
export interface FileToRead extends Choices {
  uploadId: string;
  mapping: unknown;
  /** The columns where they are known: of a file that was read before. */
  columns: readonly ColumnAnalysis[] | null;
}

/** A preview, or why there is none: a bad mapping, or a file that is no list of names. */
export type Previewed =
  | { kind: "preview"; preview: Preview }
  | { kind: "bad-mapping"; problems: FieldProblem[] }
  | { kind: "unreadable"; error: ImportError };

/** Makes the preview of an uploaded file. */
export async function previewFile(
  { database, files }: { database: Database; files: UploadFiles },
  file: FileToRead,
  signal: AbortSignal,
): Promise<Previewed> {
  const { dateOrder, defaults } = file;
  const open = () => files.open(file.uploadId);
  try {
    const mapping = await checkMapping(file, open);
    if (Array.isArray(mapping)) return { kind: "bad-mapping", problems: mapping };
    const options = {
      ...(mapping && { mapping: mapping.mapping }),
      ...(dateOrder && { dateOrder }),
      defaults,
      signal,
    };
    return { kind: "preview", preview: await makePreview(database, open, options) };
  } catch (error) {
    if (error instanceof ImportError) return { kind: "unreadable", error };
    throw error;
  }
}

async function checkMapping(
  { mapping, columns }: FileToRead,
  open: () => ReadableStream<Uint8Array>,
): Promise<{ mapping: Mapping } | FieldProblem[] | null> {
  if (mapping === undefined) return null;
  const checked = parseMapping(mapping, columns ?? (await analyse(open)).columns);
  if ("mapping" in checked) return checked;
  return checked.problems.map(({ pointer, code, detail }) => ({
    pointer: `/mapping${pointer}`,
    code,
    detail,
  }));
}
