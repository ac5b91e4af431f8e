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
  /** Null: it cannot be read, and nothing is sent until the channel is saved again. */
  config: Parsed<typeof parseConfig> | null;
}

/** Why nothing is sent to a channel without a readable config. */
export const UNREADABLE_CONFIG =
  "Its saved settings can’t be read: save it again or delete it. A webhook then gets a new secret.";

/** All channels, the oldest first; or the one with an id. */
export async function readChannels(sql: SQL, id?: string): Promise<StoredChannel[]> {
  const rows = await sql<
    (Omit<StoredChannel, "changes" | "config"> & { changes: number; config: string })[]
  >`select id, kind, name, target, filter, person_id as person, rhythm, changes, config, state,
      last_sent_at as "lastSentAt", last_error as "lastError"
    from channels ${id === undefined ? sql`` : sql`where id = ${id}`} order by id`;
  return rows.map((row) => {
    const config = readConfig(row.config);
    const broken = { state: "broken", lastError: UNREADABLE_CONFIG } as const;
    const read = { changes: row.changes === 1, config };
    return Object.assign(row, config === null ? broken : {}, read);
  });
}

function readConfig(json: string): StoredChannel["config"] {
  try {
    return parseConfig(JSON.parse(json));
  } catch {
    return null;
  }
}
