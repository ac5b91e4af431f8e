import type { SQL } from "bun";
import type { Day, Instant } from "../../shared/day.ts";
import { chosenBy, type Recipient } from "./daily-run.ts";
import { addDelivery } from "./deliveries.ts";
import { EMPTY_PAYLOAD, MAX_PAYLOAD_NAMES, type PayloadName } from "./payload.ts";

/** A change has the time at which it began; it is seen once it is committed, which is later. */
const OVERLAP_MS = 10 * 60_000;

/** What people and imports changed of late: the time of the last change, and the operations before it. */
export async function readLastChanges(sql: SQL): Promise<string> {
  const [last] = await sql<{ at: Instant | null }[]>`select max(at) as at from changes`;
  const at = last?.at ?? "";
  return [at, ...(await listOperations(sql, at)).map(keyOf)].join(" ");
}

/** Operations and imports that changed something a while before an instant, and since. */
async function listOperations(sql: SQL, at: Instant) {
  const from = new Date((Date.parse(at) || 0) - OVERLAP_MS).toISOString();
  return sql<{ id: string; at: Instant; by: string }[]>`
    select coalesce(operation, import_id) as id, at, min(made_by) as by from changes
    where at > ${from} and coalesce(operation, import_id) is not null group by 1, 2 order by 2, 1`;
}

/**
 * Adds a message for each operation or import since `seen`, an answer of `readLastChanges`, for each
 * channel that asks for changes. Returns whether there was any. Inside a transaction.
 */
export async function tellChanges(
  sql: SQL,
  channels: readonly Recipient[],
  { seen, now, today }: { seen: string; now: Date; today: Day },
): Promise<boolean> {
  const [last = "", ...told] = seen.split(" ");
  const operations = (await listOperations(sql, last)).filter(
    (operation) => !told.includes(keyOf(operation)),
  );
  let added = false;
  for (const channel of channels) {
    const isChosen = await chosenBy(sql, channel, today);
    for (const { id, at, by } of operations) {
      const key = `changed:${channel.id}:${keyOf({ id, at })}`;
      const found = await sql<PayloadName[]>`
        select distinct domain_id as "domainId", cast(null as text) as "expiresOn",
          cast(null as integer) as threshold, 'digest' as reason
        from changes where at = ${at} and coalesce(operation, import_id) = ${id}
          and domain_id in (select id from domains where ${isChosen()})`;
      if (found.length === 0) continue;
      const names = found.slice(0, MAX_PAYLOAD_NAMES);
      const rest = found.length - names.length;
      const more = [{ threshold: null, reason: "digest" as const, names: rest }];
      const payload = { ...EMPTY_PAYLOAD, names, more: rest > 0 ? more : [], changedBy: by };
      const message = { channelId: channel.id, key, type: "domain.changed" as const, payload };
      await addDelivery(sql, { ...message, at: now });
      added = true;
    }
  }
  return added;
}

/** An import and its undo have one id. */
function keyOf({ id, at }: { id: string; at: Instant }): string {
  return `${id}@${at}`;
}
