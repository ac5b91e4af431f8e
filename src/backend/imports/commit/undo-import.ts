import type { SQL } from "bun";
import type { ImportUndo } from "../../../import-contract.ts";
import { readDomains } from "../../register/domain-row.ts";
import type { Author } from "../../register/history.ts";
import { statement, type Statement } from "../../statement.ts";
import { takeTurns } from "../../take-turns.ts";
import { lockImport, readImport, type ImportRecord } from "../import-record.ts";
import { rowId } from "../preview/staged-rows.ts";
import { takeImportLock } from "./import-lock.ts";
import { judgeUndo, type Done } from "./judge-undo.ts";
import { removeBelongings, restoreDomains, type UndoStamp } from "./take-back.ts";

/** What became of an undo. `too-late`: what it would need is not kept any more. */
export type Undone =
  | { kind: "undone"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "preview" }
  | { kind: "too-late" };

/** Names that are judged at a time; few enough for everybody else to have a turn soon. */
const BATCH = 1000;

/** Names that one statement removes at the end. */
const REMOVED = 2000;

/** Names with later edits that are listed. */
const LISTED = 1000;

/**
 * Takes back what a committed import did, all of it or nothing, except for what was edited since. Of
 * an import that is undone already, it is the answer once more. For `Database.writeMany`.
 */
export async function* undoImport(
  sql: SQL,
  id: string,
  author: Author,
): AsyncGenerator<Statement, Undone, undefined> {
  yield takeImportLock();
  yield lockImport(id);
  const record = await readImport(sql, id);
  if (record === null) return { kind: "missing" };
  const { staging, stamp } = record;
  if (record.state === "preview") return { kind: "preview" };
  if (record.state === "undone") return { kind: "undone", record };
  if (staging === null || stamp === null) return { kind: "too-late" };

  const undo: ImportUndo = { restored: 0, removed: 0, kept: [] };
  const removed: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const done: Done[] = await listDone(sql, staging, after);
    yield* undoBatch(sql, done, { undo, removed, stamp: { importId: id, stamp, ...author } });
    await takeTurns();
    after = done.length < BATCH ? null : (done.at(-1)?.rowKey ?? null);
  }
  // By their names, because that is how they lie in most indexes.
  removed.sort();
  for (let start = 0; start < removed.length; start += REMOVED) {
    const names = removed.slice(start, start + REMOVED);
    yield statement`delete from domains where name in ${names}`;
  }
  yield statement`update imports set state = 'undone', undone_at = ${author.at},
    undo = ${JSON.stringify(undo)} where id = ${id}`;
  return { kind: "undone", record: { ...record, state: "undone", undoneAt: author.at, undo } };
}

async function* undoBatch(
  sql: SQL,
  done: readonly Done[],
  { undo, removed, stamp }: { undo: ImportUndo; removed: string[]; stamp: UndoStamp },
): AsyncGenerator<Statement, void, undefined> {
  const ids = done.map(({ domainId }) => domainId);
  const domains = new Map((await readDomains(sql, ids)).map((domain) => [domain.id, domain]));
  await takeTurns();
  // What was deleted since is gone either way.
  const verdicts = done.flatMap((each) => {
    const domain = domains.get(each.domainId);
    return domain === undefined ? [] : [judgeUndo(each, domain)];
  });
  const unwanted = verdicts.filter((verdict) => verdict.kind === "remove");
  const restored = verdicts.filter((verdict) => verdict.kind === "restore");
  yield* removeBelongings(unwanted, stamp);
  yield* restoreDomains(sql, restored, stamp);
  for (const { domain } of unwanted) removed.push(domain.name);
  undo.removed += unwanted.length;
  undo.restored += restored.filter(({ back }) => back).length;
  for (const verdict of verdicts) {
    if (verdict.kind === "remove" || verdict.kept.length === 0) continue;
    const { name, unicode } = verdict.domain;
    if (undo.kept.length < LISTED) undo.kept.push({ name, unicode, fields: verdict.kept });
  }
}

async function listDone(sql: SQL, staging: string, after: string): Promise<Done[]> {
  const rows = await sql<
    {
      row_key: string;
      class: Done["class"];
      domain_id: string;
      changes: string;
      observed_day: string | null;
    }[]
  >`select row_key, class, domain_id, changes, observed_day from import_rows
    where id > ${rowId(staging, after)} and id < ${rowId(staging, "A")}
      and class in ('new', 'changed')
    order by id limit ${BATCH}`;
  return [...rows].map((row) => ({
    rowKey: row.row_key,
    class: row.class,
    domainId: row.domain_id,
    changes: JSON.parse(row.changes),
    observed: row.observed_day !== null,
  }));
}
