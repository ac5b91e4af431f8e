import type { SQL } from "bun";
import type { Author } from "../../register/history.ts";
import { takeTurns } from "../../take-turns.ts";
import { lockImport, type ImportRecord } from "../import-record.ts";
import { lookupEnd, lookupPrefix } from "../preview/staged-rows.ts";
import { copyRows } from "./copy-rows.ts";
import { takeImportLock } from "./import-lock.ts";
import { renewPlans } from "./renew-plans.ts";

/** What became of a commit. `other-key`: somebody else committed it before. */
export type Committed =
  | { kind: "committed"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "open"; record: ImportRecord }
  | { kind: "other-key"; record: ImportRecord };

/** Rows of one statement: a few milliseconds' work. */
const BATCH = 500;

/**
 * Makes a preview part of the register, all of it or nothing, inside one transaction that takes
 * turns. What has changed since the preview is compared anew, so `counts` say what was done. The
 * same key again is the same commit; its answer is the import as it is by then.
 */
export async function commitImport(
  sql: SQL,
  id: string,
  { key, author }: { key: string; author: Author },
): Promise<Committed> {
  await takeImportLock(sql);
  const record = await lockImport(sql, id);
  if (record === null) return { kind: "missing" };
  if (record.state !== "preview" || record.staging === null) {
    return { kind: record.commitKey === key ? "committed" : "other-key", record };
  }
  if (record.analysis.ambiguous.length > 0) return { kind: "open", record };

  const { staging, analysis } = record;
  const counts = { ...record.counts };
  const commit = { importId: id, stamp: createStamp(), ...author };
  let from = lookupPrefix(staging);
  for (let to = await endOfBatch(sql, from); to !== null; to = await endOfBatch(sql, from)) {
    await renewPlans(sql, { from, to }, { staging, own: analysis.own, counts });
    await takeTurns();
    await copyRows(sql, { from, to }, commit);
    await takeTurns();
    from = to;
  }
  await sql`update imports set state = 'committed', committed_at = ${author.at},
    commit_key = ${key}, stamp = ${commit.stamp}, counts = ${JSON.stringify(counts)}
    where id = ${id}`;
  await sql`delete from uploads where id = ${record.uploadId}`;
  const done = { state: "committed", committedAt: author.at, commitKey: key, counts } as const;
  return { kind: "committed", record: { ...record, ...done, stamp: commit.stamp } };
}

/**
 * Where a batch ends that begins after `from`; null: there is none. Names go in by their order, not
 * by the file's, so that each page of an index is written once and not once for every batch.
 */
async function endOfBatch(sql: SQL, from: string): Promise<string | null> {
  const end = lookupEnd(from);
  const [row] = await sql<{ last: string | null }[]>`
    select max(lookup) as last from (
      select lookup from import_rows where lookup > ${from} and lookup < ${end}
      order by lookup limit ${BATCH}) batch`;
  return row?.last ?? null;
}

/**
 * All but the last twelve digits of a UUID of this moment (version 7, RFC 9562 §5.7): with a row key
 * behind it, an id that sorts by time as every other does.
 */
function createStamp(): string {
  return Bun.randomUUIDv7().slice(0, -12);
}
