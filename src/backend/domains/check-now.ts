import type { SQL } from "bun";
import type { CheckKind } from "../../shared/checks.ts";

/** Goes before everything that is due by itself. */
export const CHECK_NOW_PRIORITY = 9;

/** Makes live checks due at once; each still waits for its host's interval. Inside a write. */
export async function checkNow(
  sql: SQL,
  ids: readonly string[],
  kinds: readonly CheckKind[],
  now: Date,
): Promise<void> {
  await sql`update checks set due_at = ${now.toISOString()}, priority = ${CHECK_NOW_PRIORITY}
    where domain_id in ${sql([...ids])} and kind in ${sql([...kinds])}`;
}
