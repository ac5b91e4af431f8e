import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import type { Domain, Handled } from "../../shared/domain.ts";
import { dueDay } from "../../shared/work.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { historyName, type Author } from "./history.ts";

/** Who takes care of which expiry, by the ids of domains; also of expiries that have moved since. */
export async function readHandled(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Handled[]>> {
  const rows = await sql<(Handled & { id: string })[]>`
    select domain_id as id, expires_on as "expiresOn", until, made_by_name as "by", made_by as "byId", made_at as at
    from handled where domain_id in ${sql([...ids])}`;
  const found = new Map<string, Handled[]>();
  // A value of the history: nothing else may be in it.
  for (const { id, ...handled } of rows) found.set(id, [...(found.get(id) ?? []), handled]);
  return found;
}

/** Stores what some edits change of it. Inside a transaction. */
export async function writeHandled(
  sql: SQL,
  edits: readonly { before: Domain | null; after: Domain }[],
): Promise<void> {
  const changed = edits.filter(({ before, after }) => (before?.handled ?? null) !== after.handled);
  if (changed.length === 0) return;
  const ids = changed.map(({ after }) => after.id);
  await sql`delete from handled where domain_id in ${sql(ids)}`;
  const rows = changed.flatMap(({ after: { id, handled } }) => {
    if (handled === null) return [];
    const { expiresOn, until, by, byId = null, at } = handled;
    const row = { domain_id: id, expires_on: expiresOn, until };
    return Object.assign(row, { made_by: byId, made_by_name: by, made_at: at });
  });
  await insertRows(sql, "handled", rows);
}

/**
 * What a domain holds from now on for which somebody wants no reminders until a day before it
 * expires, or, where `until` is null, until its expiry moves. Null where it expires by then, or has no
 * expiry.
 */
export function handledUntil(
  domain: Domain,
  until: Day | null,
  { by, at }: Author,
): Handled | null {
  const expiresOn = dueDay(domain);
  if (expiresOn === null || (until !== null && until >= expiresOn)) return null;
  return { expiresOn, until, by: historyName(by), byId: by.id, at };
}
