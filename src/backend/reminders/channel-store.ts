import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import type { Channel } from "../../shared/reminders.ts";

/** A channel as it is stored, with the secrets that sign its webhooks. */
export interface StoredChannel extends Omit<Channel, "secret" | "hasSecret"> {
  secret: string | null;
  previousSecret: string | null;
  rotatedAt: Instant | null;
}

/** All channels, the oldest first; or the one with an id. */
export async function readChannels(sql: SQL, id?: string): Promise<StoredChannel[]> {
  const rows = await sql<(Omit<StoredChannel, "changes"> & { changes: unknown })[]>`
    select id, kind, name, target, filter, rhythm, changes, state, secret,
      previous_secret as "previousSecret", rotated_at as "rotatedAt",
      last_sent_at as "lastSentAt", last_error as "lastError"
    from channels ${id === undefined ? sql`` : sql`where id = ${id}`} order by id`;
  return rows.map((row) => Object.assign(row, { changes: row.changes === 1 }));
}
