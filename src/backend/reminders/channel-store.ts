import type { SQL } from "bun";
import * as p from "../../shared/parse.ts";
import type { Channel } from "../../shared/reminders.ts";
import { equalSecrets } from "../auth/tokens/secrets.ts";
import { parseStored } from "../database/database.ts";
import { readSetting } from "../database/setting-store.ts";
import { gone } from "../http/request-error.ts";

/** The secrets that sign messages; only some kinds of channels have them. */
const parseConfig = p.object({
  secret: p.orElse(p.nullable(p.text), null),
  /** It signs too for a while after it was replaced, at `rotatedAt`. */
  previousSecret: p.orElse(p.nullable(p.text), null),
  rotatedAt: p.orElse(p.nullable(p.text), null),
});

export interface StoredChannel extends Omit<Channel, "secret" | "hasSecret"> {
  /** Null: it cannot be read, and nothing is sent until the channel is saved again. */
  config: p.Parsed<typeof parseConfig> | null;
}

export const UNREADABLE_CONFIG =
  "Its saved settings can’t be read: save it again or delete it. A webhook then gets a new secret.";

export async function readChannels(sql: SQL, id?: string): Promise<StoredChannel[]> {
  const rows = await sql<
    (Omit<StoredChannel, "changes" | "config"> & { changes: number; config: string })[]
  >`select id, kind, name, target, filter, person_id as person, rhythm, changes, config, state,
      last_sent_at as "lastSentAt", last_error as "lastError"
    from channels ${id === undefined ? sql`` : sql`where id = ${id}`} order by id`;
  return rows.map((row) => {
    const config = parseStored(row.config, parseConfig);
    const broken = { state: "broken", lastError: UNREADABLE_CONFIG } as const;
    const read = { changes: row.changes === 1, config };
    return Object.assign(row, config === null ? broken : {}, read);
  });
}

export async function findChannel(sql: SQL, id: string): Promise<StoredChannel> {
  const [channel] = await readChannels(sql, id);
  if (channel === undefined) throw gone("channel");
  return channel;
}

type Action = "acknowledge" | "unsubscribe";

/** Makes links to pages that act for a channel, signed for it, its target and what else is given. */
export async function createSigner(sql: SQL, publicUrl: string, channel: StoredChannel) {
  const key = await readKey(sql);
  return (action: Action, ...about: string[]): string => {
    const token = [channel.id, ...about, sign(key, action, channel, about)].join(".");
    return `${publicUrl}/api/${action}/${token}`;
  };
}

/** What a link was signed for; null for a forged link, and once its channel has changed. */
export async function readToken(sql: SQL, action: Action, token: string) {
  const [id = "", ...about] = token.split(".");
  const signature = about.pop() ?? "";
  const [channel] = await readChannels(sql, id);
  if (channel === undefined) return null;
  const expected = sign(await readKey(sql), action, channel, about);
  return equalSecrets(signature, expected) ? { channel, about } : null;
}

function sign(key: string, action: Action, channel: StoredChannel, about: readonly string[]) {
  const signed = JSON.stringify([action, channel.id, channel.target, ...about]);
  return new Bun.CryptoHasher("sha256", key).update(signed).digest("base64url");
}

/** A key for this purpose alone, derived from the secret that a register has from its start. */
async function readKey(sql: SQL): Promise<string> {
  const secret = await readSetting(sql, "xsrf secret", p.text);
  if (secret === null) throw new Error("The register has no secret");
  return new Bun.CryptoHasher("sha256", secret).update("links of messages").digest("base64url");
}
