import type { SQL } from "bun";
import type { Author } from "../../register/history.ts";
import { statement, type Statement } from "../../statement.ts";
import { lockImport, readImport, type ImportRecord } from "../import-record.ts";
import { copyRows } from "./copy-rows.ts";
import { copyTags } from "./copy-tags.ts";
import { takeImportLock } from "./import-lock.ts";
import { renewPlans } from "./renew-plans.ts";
import { rowRange, splitRange } from "./row-range.ts";

/** What became of a commit. `other-key`: somebody else committed it before. */
export type Committed =
  | { kind: "committed"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "open"; record: ImportRecord }
  | { kind: "other-key"; record: ImportRecord };

/** Rows that one statement copies: most files in one go, and the longest in seconds. */
const BATCH = 20_000;

/**
 * Makes a preview part of the register, all of it or nothing. What has changed since the preview is
 * compared anew, so `counts` say what was done. The same key again is the same commit; its answer is
 * the import as it is by then. For `Database.writeMany`.
 */
export async function* commitImport(
  sql: SQL,
  id: string,
  { key, author }: { key: string; author: Author },
): AsyncGenerator<Statement, Committed, undefined> {
  yield takeImportLock();
  yield lockImport(id);
  const record = await readImport(sql, id);
  if (record === null) return { kind: "missing" };
  if (record.state !== "preview" || record.staging === null) {
    return { kind: record.commitKey === key ? "committed" : "other-key", record };
  }
  if (record.analysis.ambiguous.length > 0) return { kind: "open", record };

  const { staging, analysis, changedFields } = record;
  const counts = { ...record.counts };
  const fields = changedFields && new Set(changedFields);
  const rows = counts.new + counts.changed + counts.same + counts.duplicate + counts.invalid;
  const commit = { importId: id, stamp: createStamp(), ...author };
  for (const range of splitRange(rowRange(staging, 0, rows), BATCH)) {
    const renewed = yield* renewPlans(sql, range, { own: analysis.own, counts, fields });
    yield* copyRows(range, commit, fields);
    yield* copyTags(sql, range, renewed);
  }
  yield statement`update imports set state = 'committed', committed_at = ${author.at},
    commit_key = ${key}, stamp = ${commit.stamp}, counts = ${JSON.stringify(counts)}
    where id = ${id}`;
  yield statement`delete from uploads where id = ${record.uploadId}`;
  const done = { state: "committed", committedAt: author.at, commitKey: key, counts } as const;
  return { kind: "committed", record: { ...record, ...done, stamp: commit.stamp } };
}

/**
 * All but the last twelve digits of a UUID of this moment (version 7, RFC 9562 §5.7): with a row key
 * behind it, an id that sorts by time as every other does.
 */
function createStamp(): string {
  return Bun.randomUUIDv7().slice(0, -12);
}
