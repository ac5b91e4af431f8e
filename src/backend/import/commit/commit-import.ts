import type { SQL } from "bun";
import type { ImportCounts } from "../../../shared/import.ts";
import type { BulkJob } from "../../database/database.ts";
import type { Author } from "../../domains/history.ts";
import { lockImport, readImport, type ImportRecord } from "../import-record.ts";
import { rememberLayout } from "../layout-memory.ts";
import { lookupPrefix } from "../preview/preview-rows.ts";
import { copyRows, copyTags, nextRange } from "./copy-rows.ts";
import { revalidate } from "./revalidate.ts";

/** What became of a commit. `other-key`: it was committed before, with another key. */
type Committed =
  | { kind: "committed"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "open"; record: ImportRecord }
  | { kind: "other-key"; record: ImportRecord };

/**
 * Makes a preview part of the register, in one transaction. Rows whose domain has changed since the
 * preview are compared again, so `counts` say what was done. With a key that was used before, the
 * answer is the import as it is now.
 */
export const commitImport: BulkJob<{ id: string; key: string; email: string }, Committed> = {
  name: "commit import",
  async run(sql, { id, key, email }) {
    await lockImport(sql, id);
    // Only now: while the job waited, others have written.
    const author = { email, at: new Date().toISOString() };
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    const { state, rowsId, analysis } = record;
    if (state !== "preview" || rowsId === null) {
      return { kind: record.commitKey === key ? "committed" : "other-key", record };
    }
    if (analysis.ambiguous.length > 0) return { kind: "open", record };

    // A UUID of this moment (version 7, RFC 9562 §5.7) but for its last twelve digits: with a row key
    // behind it, an id that sorts by time as every other does.
    const stamp = Bun.randomUUIDv7().slice(0, -12);
    const counts = await copyPreview(sql, { ...record, rowsId }, { ...author, stamp });
    await sql`update imports set state = 'committed', committed_at = ${author.at},
      commit_key = ${key}, stamp = ${stamp}, counts = ${JSON.stringify(counts)} where id = ${id}`;
    await sql`delete from uploads where id = ${record.uploadId}`;
    await rememberLayout(sql, record, author.at);
    const done = { committedAt: author.at, commitKey: key, stamp, counts };
    return { kind: "committed", record: { ...record, state: "committed", ...done } };
  },
};

/** Copies all preview rows into the register, range by range; returns their counts by class. */
async function copyPreview(
  sql: SQL,
  { id, rowsId, analysis, ...record }: ImportRecord & { rowsId: string },
  author: Author & { stamp: string },
): Promise<ImportCounts> {
  const counts = { ...record.counts };
  const file = { own: analysis.own, fileName: record.fileName };
  for (let from = lookupPrefix(rowsId), more = true; more;) {
    const { last, ...range } = await nextRange(sql, { rowsId, from });
    const revalidated = await revalidate(sql, range, file, counts);
    await copyRows(sql, range, { ...author, importId: id });
    await copyTags(sql, range, revalidated);
    from = range.to;
    more = !last;
  }
  return counts;
}
