import type { SQL } from "bun";
import type { Author } from "../../domains/history.ts";
import { PAUSE, type Statements, type Work } from "../../database/run-all.ts";
import { statement } from "../../database/statement.ts";
import type { Analysis } from "../columns/analysis.ts";
import {
  lockImport,
  noteUnfinished,
  readImport,
  type ImportRecord,
  type UnfinishedCommit,
} from "../import-record.ts";
import { lookupPrefix } from "../preview/staged-rows.ts";
import { copyRows } from "./copy-rows.ts";
import { copyTags } from "./copy-tags.ts";
import { takeImportLock } from "./import-lock.ts";
import { renewPlans } from "./renew-plans.ts";
import { nextRange } from "./row-range.ts";

/** What became of a commit. `other-key`: somebody else committed it before. */
export type Committed =
  | { kind: "committed"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "open"; record: ImportRecord }
  | { kind: "other-key"; record: ImportRecord };

/** Who commits, and of how many names at a time. */
export interface CommitOptions {
  key: string;
  author: Author;
  size: number;
}

/**
 * Makes a preview part of the register. What has changed since the preview is compared anew, so
 * `counts` say what was done. The same key again is the same commit; its answer is the import as it
 * is by then. One that is unfinished goes on, whoever asks. For `Database.writeMany`.
 */
export async function* commitImport(
  sql: SQL,
  id: string,
  { key, author, size }: CommitOptions,
): Work<Committed> {
  yield takeImportLock();
  yield lockImport(id);
  for (;;) {
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    const { state, staging, unfinished } = record;
    if (state !== "preview" || staging === null || unfinished?.kind === "undo") {
      return { kind: record.commitKey === key ? "committed" : "other-key", record };
    }
    if (record.analysis.ambiguous.length > 0) return { kind: "open", record };
    const begun = unfinished ?? begin(record, staging, { key, author });
    const done = yield* copyUntilPause(sql, record, { ...begun, staging, size });
    if (done !== null) return yield* conclude(record, done, key);
  }
}

async function* conclude(
  record: ImportRecord,
  { key: commitKey, at: committedAt, stamp, counts }: UnfinishedCommit,
  key: string,
): Statements<Committed> {
  const { id, uploadId } = record;
  yield statement`update imports set state = 'committed', committed_at = ${committedAt},
    commit_key = ${commitKey}, stamp = ${stamp}, counts = ${JSON.stringify(counts)},
    unfinished = null where id = ${id}`;
  yield statement`delete from uploads where id = ${uploadId}`;
  const done = {
    state: "committed",
    committedAt,
    commitKey,
    stamp,
    counts,
    unfinished: null,
  } as const;
  return { kind: commitKey === key ? "committed" : "other-key", record: { ...record, ...done } };
}

function begin(
  { counts }: ImportRecord,
  staging: string,
  { key, author }: { key: string; author: Author },
): UnfinishedCommit {
  const after = lookupPrefix(staging);
  return { kind: "commit", key, ...author, stamp: createStamp(), counts, after };
}

/** Copies rows for as long as nobody else wants to write; null where there are more by then. */
async function* copyUntilPause(
  sql: SQL,
  { id, analysis, changedFields, registrarKey, unfinished }: ImportRecord,
  { staging, size, ...begun }: UnfinishedCommit & { staging: string; size: number },
): Work<UnfinishedCommit | null> {
  // A later turn is of its own time: what it writes is later than what others wrote meanwhile.
  const first = { turn: begun.stamp };
  const later = { turn: createStamp(), at: new Date().toISOString() };
  const commit = { importId: id, ...begun, ...(unfinished === null ? first : later) };
  const counts = { ...begun.counts };
  let { after } = begun;
  for (;;) {
    const { last, ...range } = await nextRange(sql, { staging, from: after }, size);
    const fields = changedFields && new Set(changedFields);
    const renewed = yield* renewPlans(sql, range, { own: analysis.own, counts, fields });
    yield* copyRows(range, commit, { fields, counts, registrarKey });
    if (hasTags(analysis)) yield* copyTags(sql, range, renewed);
    after = range.to;
    const done = { ...begun, counts, after };
    if (last) return done;
    yield noteUnfinished(id, done);
    if (yield PAUSE) return null;
  }
}

/** Whether a row of the file can have tags at all. */
function hasTags({ mapping, defaults }: Analysis): boolean {
  return mapping.includes("tags") || defaults.tags !== undefined;
}

/**
 * All but the last twelve digits of a UUID of this moment (version 7, RFC 9562 §5.7): with a row key
 * behind it, an id that sorts by time as every other does.
 */
function createStamp(): string {
  return Bun.randomUUIDv7().slice(0, -12);
}
