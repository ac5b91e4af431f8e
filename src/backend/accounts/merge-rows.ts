import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { NO_ROWS } from "../../shared/import.ts";
import { chunks, insertRows, updateRows } from "../database/bulk-rows.ts";
import { toColumns } from "../domains/columns.ts";
import { addObservations, refreshExpiry } from "../domains/expiry.ts";
import type { Maker, Operator } from "../domains/history.ts";
import { applyRows } from "../merge/apply-rows.ts";
import { planRows, type PlannedRow, type RowSource, type SourceRow } from "../merge/plan-rows.ts";
import { rowKey, toRecords } from "../merge/planned-rows.ts";
import { registrarLabel, sourceOfAccount, type AccountRow } from "./stored-accounts.ts";

/** Who the history says made what a list changed. */
export function makerOf(account: Pick<AccountRow, "registrar" | "label">): Maker {
  return { id: null, name: sourceOfAccount(account) };
}

export function rowSource(account: Pick<AccountRow, "registrar" | "label">): RowSource {
  return { own: false, name: registrarLabel(account), account: sourceOfAccount(account) };
}

/** Compares rows with the register and makes them part of it, as an import does. */
export async function mergeRows(
  sql: SQL,
  rows: readonly SourceRow[],
  source: RowSource,
  author: Operator,
): Promise<void> {
  const rowsId = Bun.randomUUIDv7("base64url");
  const counts = { ...NO_ROWS };
  for (const batch of chunks(rows)) {
    const planned = await planRows(sql, batch, source);
    await confirmReports(sql, planned, author.at);
    const wanted = planned.filter((row) => row.class === "new" || row.class === "changed");
    if (wanted.length === 0) continue;
    if (counts.new + counts.changed === 0) {
      await sql`insert into import_stagings ${sql({ id: rowsId, created_at: author.at })}`;
    }
    for (const row of wanted) counts[row.class] += 1;
    const records = toRecords(
      rowsId,
      wanted.map((row) => ({ key: rowKey(row.line), row })),
    );
    await insertRows(sql, "import_rows", records);
  }
  if (counts.new + counts.changed === 0) return;
  const stamp = Bun.randomUUIDv7().slice(0, -12);
  await applyRows(sql, { rowsId, counts, source }, { ...author, stamp });
  await sql`delete from import_rows where staging = ${rowsId}`;
  await sql`delete from import_stagings where id = ${rowsId}`;
}

/** Stores reports that change nothing a person sees but who reported the expiry. */
async function confirmReports(sql: SQL, planned: readonly PlannedRow[], at: Instant) {
  const targets = planned.flatMap((row) => (row.class === "same" && row.target ? row.target : []));
  const reports = targets.flatMap(({ after, observation }) =>
    observation === null
      ? []
      : [{ domainId: after.id, source: observation.source, date: observation.day, observedAt: at }],
  );
  if (reports.length === 0) return;
  await addObservations(sql, reports);
  const ids = new Set(reports.map(({ domainId }) => domainId));
  const confirmed = targets.filter(({ after }) => ids.has(after.id));
  const rows = confirmed.map(({ after: { id, expires } }) =>
    Object.assign({ id }, toColumns({ expires: planSource(expires, at) })),
  );
  await updateRows(sql, "domains", rows);
}

/** An expiry whose report comes with this list has its time. */
function planSource<T extends { observedAt: Instant } | null>(expires: T, at: Instant): T {
  return expires !== null && expires.observedAt > at ? { ...expires, observedAt: at } : expires;
}

/**
 * Reports a day once more that the account still says after the registry moved: whether a renewal has
 * been paid for depends on which came later.
 */
export async function repeatReports(
  sql: SQL,
  account: Pick<AccountRow, "registrar" | "label">,
  { days, at }: { days: ReadonlyMap<string, string | null>; at: Instant },
): Promise<void> {
  const source = sourceOfAccount(account);
  const rows = await sql<{ id: string; name: string; date: string }[]>`
    select d.id, d.name, o.value as date from observations o join domains d on d.id = o.domain_id
    where o.source = ${source} and o.kind = 'expires' and not exists (
        select 1 from observations l where l.domain_id = o.domain_id and l.kind = 'expires'
          and l.source = ${source} and l.observed_at > o.observed_at)
      and exists (
        select 1 from observations r where r.domain_id = o.domain_id and r.kind = 'expires'
          and r.source like 'rdap:%' and r.observed_at > o.observed_at and r.value <> o.value)`;
  for (const { id, name, date } of rows) {
    if (days.get(name) !== date) continue;
    await addObservations(sql, [{ domainId: id, source, date, observedAt: at }]);
    await refreshExpiry(sql, id);
  }
}
