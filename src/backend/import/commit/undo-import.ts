import type { SQL } from "bun";
import { readDomains } from "../../domains/read-domains.ts";
import type { Author } from "../../domains/history.ts";
import { PAUSE, type Statements, type Work } from "../../database/run-all.ts";
import { statement } from "../../database/statement.ts";
import { takeTurns } from "../../database/take-turns.ts";
import {
  lockImport,
  noteUnfinished,
  readImport,
  type ImportRecord,
  type UnfinishedUndo,
} from "../import-record.ts";
import { lookupPrefix } from "../preview/staged-rows.ts";
import { takeImportLock } from "./import-lock.ts";
import { judgeUndo, type Done } from "./judge-undo.ts";
import { nextRange, type RowRange } from "./row-range.ts";
import { removeDomains, restoreDomains } from "./take-back.ts";

/** What became of an undo. `too-late`: what it would need is not kept any more. */
export type Undone =
  | { kind: "undone"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "preview" }
  | { kind: "too-late" };

/** Names that are judged at a time, at most; few enough for everybody else to have a turn soon. */
const JUDGED = 1000;

/** Of the rows that a statement should have to do with: each is judged, and has its belongings. */
const SHARE = 0.5;

/** Names with later edits that are listed. */
const LISTED = 1000;

/**
 * Takes back what a committed import did, except for what was edited since. Of one that is undone
 * already, it is the answer once more; of a commit that is unfinished, it takes back what that has
 * done. For `Database.writeMany`.
 */
export async function* undoImport(
  sql: SQL,
  id: string,
  { author, size }: { author: Author; size: number },
): Work<Undone> {
  yield takeImportLock();
  yield lockImport(id);
  for (;;) {
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    const { staging, state } = record;
    if (state === "preview" && record.unfinished === null) return { kind: "preview" };
    if (state === "undone") return { kind: "undone", record };
    const begun = begin(record, author);
    if (staging === null || begun === null) return { kind: "too-late" };
    const done = yield* undoUntilPause(sql, id, {
      ...begun,
      staging,
      size: Math.min(size * SHARE, JUDGED),
    });
    if (done !== null) return yield* conclude(record, done);
  }
}

async function* conclude(
  record: ImportRecord,
  { at: undoneAt, stamp, undo }: UnfinishedUndo,
): Statements<Undone> {
  yield statement`update imports set state = 'undone', undone_at = ${undoneAt}, stamp = ${stamp},
    undo = ${JSON.stringify(undo)}, unfinished = null where id = ${record.id}`;
  const undone = { state: "undone", undoneAt, stamp, undo, unfinished: null } as const;
  return { kind: "undone", record: { ...record, ...undone } };
}

/** How far it is; null where it cannot be known any more what the import wrote. */
function begin(
  { staging, stamp: committed, unfinished }: ImportRecord,
  author: Author,
): UnfinishedUndo | null {
  if (unfinished?.kind === "undo") return unfinished;
  const stamp = unfinished?.stamp ?? committed;
  if (staging === null || stamp === null) return null;
  const undo = { restored: 0, removed: 0, kept: [] };
  const end = unfinished?.after ?? null;
  return { kind: "undo", ...author, stamp, after: lookupPrefix(staging), end, undo };
}

/** Takes names back for as long as nobody else wants to write; null where there are more by then. */
async function* undoUntilPause(
  sql: SQL,
  id: string,
  { staging, size, ...begun }: UnfinishedUndo & { staging: string; size: number },
): Work<UnfinishedUndo | null> {
  const at = new Date().toISOString();
  for (let done = begun; ;) {
    const { after: from, end } = done;
    const { last, ...range } = await nextRange(
      sql,
      { staging, from, ...(end !== null && { end }) },
      size,
    );
    const undo = yield* undoRange(sql, range, { ...done, importId: id, at });
    await takeTurns();
    done = { ...done, after: range.to, undo };
    if (last) return done;
    yield noteUnfinished(id, done);
    if (yield PAUSE) return null;
  }
}

async function* undoRange(
  sql: SQL,
  range: RowRange,
  begun: UnfinishedUndo & { importId: string },
): Statements<UnfinishedUndo["undo"]> {
  const done = await listDone(sql, range);
  const ids = done.map(({ domainId }) => domainId);
  const domains = new Map((await readDomains(sql, ids)).map((domain) => [domain.id, domain]));
  await takeTurns();
  // What was deleted since is gone either way.
  const verdicts = done.flatMap((each) => {
    const domain = domains.get(each.domainId);
    return domain === undefined ? [] : [judgeUndo(each, domain)];
  });
  const removed = verdicts.filter((verdict) => verdict.kind === "remove");
  const restored = verdicts.filter((verdict) => verdict.kind === "restore");
  yield* removeDomains(removed, begun);
  yield* restoreDomains(sql, restored, begun);
  const kept = verdicts.flatMap((verdict) => {
    if (verdict.kind === "remove" || verdict.kept.length === 0) return [];
    const { name, unicode } = verdict.domain;
    return [{ name, unicode, fields: verdict.kept }];
  });
  const { undo } = begun;
  return {
    removed: undo.removed + removed.length,
    restored: undo.restored + restored.filter(({ back }) => back).length,
    kept: [...undo.kept, ...kept].slice(0, LISTED),
  };
}

async function listDone(sql: SQL, { from, to }: RowRange): Promise<Done[]> {
  const rows = await sql<
    {
      row_key: string;
      class: Done["class"];
      domain_id: string;
      changes: string;
      observed_day: string | null;
    }[]
  >`select row_key, class, domain_id, changes, observed_day from import_rows
    where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
    order by lookup`;
  return [...rows].map((row) => ({
    rowKey: row.row_key,
    class: row.class,
    domainId: row.domain_id,
    changes: JSON.parse(row.changes),
    observed: row.observed_day !== null,
  }));
}
