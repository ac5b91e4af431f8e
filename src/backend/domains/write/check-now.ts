import type { SQL } from "bun";
import type { CheckKind } from "../../../shared/check-summary.ts";
import { isCurrent } from "../list/filter-condition.ts";
import { countRows } from "../../database/database.ts";
import { EVERYTHING } from "../../http/route.ts";

/** Goes before everything that is due by itself. */
export const CHECK_NOW_PRIORITY = 9;

/** Kinds that ask no single host: their queue is the kind itself. */
export const NETWORK_KINDS = ["dns", "delegation", "tls", "http"] as const satisfies CheckKind[];

export function isNetworkKind(kind: string): kind is (typeof NETWORK_KINDS)[number] {
  return NETWORK_KINDS.some((each) => each === kind);
}

/**
 * Makes checks due at once; each still waits for its host's interval. A new domain has none yet:
 * those of the network are made here, and the planner makes the others due at once. Returns how many
 * of the domains are checked: none that is archived.
 */
export async function checkNow(
  sql: SQL,
  ids: readonly string[],
  kinds: readonly CheckKind[],
  now: Date,
): Promise<number> {
  const at = now.toISOString();
  const checked = sql`domains where id in ${sql([...ids])} and ${isCurrent(sql, EVERYTHING)}`;
  await sql`update checks set due_at = ${at}, priority = ${CHECK_NOW_PRIORITY}
    where domain_id in ${sql([...ids])} and kind in ${sql([...kinds])}`;
  for (const kind of kinds.filter(isNetworkKind)) {
    await sql`insert into checks (domain_id, kind, name, queue, due_at, priority, failures)
      select id, cast(${kind} as text), name, cast(${kind} as text), cast(${at} as text),
        cast(${CHECK_NOW_PRIORITY} as integer), 0
      from ${checked} on conflict do nothing`;
  }
  return countRows(sql, checked);
}
