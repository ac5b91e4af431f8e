import type { SQL } from "bun";
import type { Change, Domain } from "../../../shared/domain.ts";
import type { ImportUndo } from "../../../shared/import.ts";
import type { BulkJob } from "../../database/database.ts";
import { deleteDomains } from "../../domains/bin.ts";
import { editMany } from "../../domains/edit-many.ts";
import { readDomains } from "../../domains/read-domains.ts";
import { effectiveExpiry, readObservations } from "../../domains/expiry.ts";
import { editedSinceAdded, hasValue, valuesBefore } from "../../domains/history.ts";
import { lockImport, readImport, type ImportRecord } from "../import-record.ts";
import { lookupPrefix } from "../preview/preview-rows.ts";
import { nextRange, type CommitStamp, type RowRange } from "./copy-rows.ts";

/** Domains that are read and judged at a time. */
const BATCH_ROWS = 1000;

const MAX_KEPT_DOMAINS = 1000;

/** What became of an undo. `too-late`: its rows are no longer stored. */
type Undone =
  | { kind: "undone"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "preview" }
  | { kind: "too-late" };

/** What an import did to one domain. */
export interface ImportedChange {
  rowKey: string;
  class: "new" | "changed";
  domainId: string;
  changes: Change["fields"];
  /** Whether it added an observation of the expiry. */
  observed: boolean;
}

/** How it is reverted; `kept` are the fields that somebody edited since. */
type RevertPlan =
  | { kind: "remove" | "keep"; domain: Domain; kept: string[] }
  | {
      kind: "restore";
      rowKey: string;
      domain: Domain;
      /** With the values from before; the expiry follows from the observations that are left. */
      restored: Domain;
      observed: boolean;
      /** Whether anything is restored at all. */
      back: boolean;
      kept: string[];
    };

/**
 * Reverts what a committed import did, except for what was edited since, in one transaction. For an
 * import that is undone already, the answer is the import. Of what an older version left unfinished,
 * it reverts the part that was done.
 */
export const undoImport: BulkJob<{ id: string; email: string }, Undone> = {
  name: "undo import",
  async run(sql, { id, email }) {
    await lockImport(sql, id);
    const at = new Date().toISOString();
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    const { state, rowsId, unfinished } = record;
    if (state === "preview" && unfinished === null) return { kind: "preview" };
    if (state === "undone") return { kind: "undone", record };
    const stamp = unfinished?.stamp ?? record.stamp;
    if (rowsId === null || stamp === null) return { kind: "too-late" };

    const undo: ImportUndo = unfinished?.undo ?? { restored: 0, removed: 0, kept: [] };
    const { from, end } = unfinished ?? {};
    const rows = { rowsId, from: from ?? lookupPrefix(rowsId), end };
    await revertRows(sql, rows, { importId: id, email, at, stamp }, undo);
    await sql`update imports set state = 'undone', undone_at = ${at}, stamp = ${stamp},
      undo = ${JSON.stringify(undo)}, unfinished = null where id = ${id}`;
    const undone = { undoneAt: at, stamp, undo, unfinished: null };
    return { kind: "undone", record: { ...record, state: "undone", ...undone } };
  },
};

/** Reverts rows of an import, and adds to `undo` what was done. */
async function revertRows(
  sql: SQL,
  { rowsId, from, end }: Omit<RowRange, "to"> & { end: string | undefined },
  commit: CommitStamp,
  undo: ImportUndo,
): Promise<void> {
  for (let after = from, more = true; more;) {
    const { last, ...range } = await nextRange(sql, { rowsId, from: after, end }, BATCH_ROWS);
    const done = await listImported(sql, range);
    const ids = done.map(({ domainId }) => domainId);
    const domains = new Map((await readDomains(sql, ids)).map((domain) => [domain.id, domain]));
    // A domain that was deleted since stays deleted.
    const plans = done.flatMap((each) => {
      const domain = domains.get(each.domainId);
      return domain === undefined ? [] : [planRevert(each, domain)];
    });
    const removed = plans.filter(({ kind }) => kind === "remove").map(({ domain }) => domain);
    const restored = plans.filter((plan) => plan.kind === "restore");
    await deleteDomains(sql, removed, commit);
    await restoreDomains(sql, restored, commit);
    undo.removed += removed.length;
    undo.restored += restored.filter(({ back }) => back).length;
    for (const { domain, kept } of plans.filter((plan) => plan.kept.length > 0)) {
      const { name, unicode } = domain;
      if (undo.kept.length < MAX_KEPT_DOMAINS) undo.kept.push({ name, unicode, fields: kept });
    }
    after = range.to;
    more = !last;
  }
}

async function listImported(sql: SQL, { from, to }: RowRange): Promise<ImportedChange[]> {
  const rows = await sql<
    {
      row_key: string;
      class: ImportedChange["class"];
      domain_id: string;
      changes: string;
      observed_day: string | null;
    }[]
  >`select row_key, class, domain_id, changes, observed_day from import_rows
    where lookup > ${from} and lookup <= ${to} and class in ('new', 'changed')
    order by lookup`;
  return rows.map((row) => ({
    rowKey: row.row_key,
    class: row.class,
    domainId: row.domain_id,
    changes: JSON.parse(row.changes),
    observed: row.observed_day !== null,
  }));
}

/**
 * Decides about one domain, as it is now. One that the import added is removed, unless any of it was
 * edited since: then all of it is kept. Of one that was known before, each field is restored that
 * still has the value from the import.
 */
export function planRevert(done: ImportedChange, domain: Domain): RevertPlan {
  if (done.class === "new") {
    const kept = editedSinceAdded(done.changes, domain);
    return { kind: kept.length === 0 ? "remove" : "keep", domain, kept };
  }
  const changed = done.changes.filter(({ field, after }) => !hasValue(domain, field, after));
  const edited = changed.map(({ field }) => field);
  const back = done.changes.filter(({ field }) => field !== "expires" && !edited.includes(field));
  return {
    kind: "restore",
    rowKey: done.rowKey,
    domain,
    restored: { ...domain, ...valuesBefore(back) },
    observed: done.observed,
    back: done.observed || edited.length < done.changes.length,
    kept: edited,
  };
}

/**
 * Restores the values from before the import. Its observations are deleted, and the expiry follows
 * from those that are left.
 */
async function restoreDomains(
  sql: SQL,
  plans: readonly Extract<RevertPlan, { kind: "restore" }>[],
  commit: CommitStamp,
) {
  if (plans.length === 0) return;
  const observations = plans
    .filter(({ observed }) => observed)
    .map(({ rowKey }) => ({ id: commit.stamp + rowKey }));
  if (observations.length > 0) {
    await sql`delete from observations where id in ${sql(observations, "id")}`;
  }
  const ids = plans.map(({ domain }) => domain.id);
  const left = await readObservations(sql, ids);
  const edits = plans.map(({ domain, restored }) => {
    const expires = effectiveExpiry(left.get(domain.id) ?? []);
    return { before: domain, after: { ...restored, expires } };
  });
  await editMany(sql, edits, commit);
}
