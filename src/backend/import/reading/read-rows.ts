import type { Analysis } from "../columns/analysis.ts";
import type { ByteSource } from "./byte-source.ts";
import type { ImportRow } from "./import-row.ts";
import { createNormaliser } from "./normalise-row.ts";
import { readTable } from "./read-table.ts";
import { SeenNames } from "./seen-names.ts";

/**
 * Reads the rows of a file as its analysis says, in batches of at most `batchSize`. Memory is that
 * of a batch, and 24 bytes for each name, by which repeated ones are found. Between batches other
 * requests get their turn.
 *
 * @throws {ImportError} `record-too-long` or `too-many-rows`, possibly after some batches.
 */
export async function* readRows(
  open: ByteSource,
  analysis: Analysis,
  { batchSize = 250 }: { batchSize?: number } = {},
): AsyncGenerator<ImportRow[]> {
  const normalise = createNormaliser(analysis);
  const seen = new SeenNames();
  let batch: ImportRow[] = [];
  for await (const rows of readTable(open, analysis.source)) {
    for (const each of rows) {
      const row = normalise(each);
      if (row.name !== null) row.repeats = seen.add(row.name.name, row.line);
      batch.push(row);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
