import type { SQL } from "bun";
import { nullable, object, orElse, text, type Parsed } from "../../shared/parse.ts";
import type { Channel } from "../../shared/reminders.ts";

/** What only some kinds of channels have: the secrets that sign messages. */
const parseConfig = object({
  secret: orElse(nullable(text), null),
  /** It signs too for a while after it was replaced, at `rotatedAt`. */
  previousSecret: orElse(nullable(text), null),
  rotatedAt: orElse(nullable(text), null),
});

/** A channel as it is stored. */
export interface StoredChannel extends Omit<Channel, "secret" | "hasSecret"> {
  config: Parsed<typeof parseConfig>;
}

/** All channels, the oldest first; or the one with an id. */
export async function readChannels(sql: SQL, id?: string): Promise<StoredChannel[]> {
  const rows = await sql<
    (Omit<StoredChannel, "changes" | "config"> & { changes: number; config: string })[]
  >`select id, kind, name, target, filter, rhythm, changes, config, state,
      last_sent_at as "lastSentAt", last_error as "lastError"
    from channels ${id === undefined ? sql`` : sql`where id = ${id}`} order by id`;
  return rows.map((row) =>
    Object.assign(row, {
      changes: row.changes === 1,
      config: parseConfig(JSON.parse(row.config)),
    }),
  );
}
