import type { SQL } from "bun";
import { text } from "../../shared/parse.ts";
import { equalSecrets } from "../auth/secrets.ts";
import { readSetting } from "../database/setting-store.ts";
import { readChannels, type StoredChannel } from "./channel-store.ts";

type Action = "acknowledge" | "unsubscribe";

/**
 * Makes links below `PUBLIC_URL` to the pages that act for a channel. Each is signed for the channel,
 * its target and whatever else is given, and ends with the first two.
 */
export async function createSigner(sql: SQL, publicUrl: string, channel: StoredChannel) {
  const key = await readKey(sql);
  return (action: Action, ...about: string[]): string => {
    const token = [channel.id, ...about, sign(key, action, channel, about)].join(".");
    return `${publicUrl}/api/${action}/${token}`;
  };
}

/** What a link was signed for; null where it is none of ours, or its channel has changed. */
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
  const secret = await readSetting(sql, "xsrf secret", text);
  if (secret === null) throw new Error("The register has no secret");
  return new Bun.CryptoHasher("sha256", secret).update("links of messages").digest("base64url");
}
