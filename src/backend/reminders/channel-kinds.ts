import type { ChannelKind } from "../../shared/reminders.ts";
import { EMAIL_ADDRESS } from "../../shared/text.ts";
import { badFields } from "../http/request-error.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { StoredChannel } from "./channel-store.ts";
import {
  ALLOW_HINT,
  sendPost,
  writeDiscord,
  writeNtfy,
  type WritePost,
  writeSlack,
  writeTeams,
  writeWebhook,
} from "./posts.ts";
import { sendMail } from "./mail.ts";
import type { FindSmtp } from "./mail-server.ts";
import type { Message, SendResult } from "./message.ts";

const LOOKUP_TIMEOUT_MS = 5_000;

export interface Carriers {
  outbound: Outbound;
  findSmtp: FindSmtp;
}

interface Sending {
  /** Returns a target as it is stored. @throws {RequestError} 400 */
  checkTarget(given: string, carriers: Carriers): Promise<string>;
  /** Throws only what is a bug. */
  send(
    channel: StoredChannel,
    message: Message,
    carriers: Carriers & { now: Date; signal: AbortSignal },
  ): Promise<SendResult>;
}

/** What people read of a kind is in `CHANNELS` of `shared/`. */
export const SENDING: Readonly<Record<ChannelKind, Sending>> = {
  mail: {
    checkTarget: (given, { findSmtp }) => checkMailAddress(given, findSmtp),
    async send(channel, message, { findSmtp, signal }) {
      const smtp = await findSmtp();
      if ("problem" in smtp) return { kind: "paused", said: smtp.problem };
      return sendMail(smtp, channel, message, { signal });
    },
  },
  webhook: posting(writeWebhook),
  slack: posting(writeSlack),
  discord: posting(writeDiscord),
  teams: posting(writeTeams),
  ntfy: posting(writeNtfy, parseTopic),
};

function posting(write: WritePost, parse: (given: string) => URL = parseUrl): Sending {
  return {
    checkTarget: (given, { outbound }) => checkUrl(parse(given), outbound),
    send: (channel, message, { outbound, now, signal }) =>
      sendPost(outbound, write(channel, message, now), { now, signal }),
  };
}

const MAIL_ADDRESS = new RegExp(`^${EMAIL_ADDRESS}$`, "u");
const MAX_MAIL_ADDRESS = 254;

async function checkMailAddress(given: string, findSmtp: FindSmtp): Promise<string> {
  const smtp = await findSmtp();
  if ("problem" in smtp) throw refuseTarget(smtp.problem);
  if (MAIL_ADDRESS.test(given) && given.length <= MAX_MAIL_ADDRESS) return given;
  throw refuseTarget("Expected one e-mail address, such as ada@example.com.");
}

function parseUrl(given: string): URL {
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw refuseTarget("Expected an address that begins with https:// or http://.");
}

/** `ntfy.sh/my-topic`, or its URL. */
function parseTopic(given: string): URL {
  const url = parseUrl(given.includes("://") ? given : `https://${given}`);
  if (/\/[\w-]{1,64}$/.test(url.pathname)) return url;
  throw refuseTarget("Expected a host and a topic, such as ntfy.sh/my-topic.");
}

/** Refuses a URL whose host has no address that may be connected to. */
async function checkUrl(url: URL, outbound: Outbound): Promise<string> {
  const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  const { addresses, refused, outcome } = await outbound.locate(url.hostname, signal);
  if (addresses.length > 0) return url.href;
  if (refused.length > 0) {
    throw refuseTarget(`${refused[0]} is not a public address. ${ALLOW_HINT}`);
  }
  if (outcome !== "nxdomain" && outcome !== "nodata") return url.href; // Sending will tell.
  const hint = "A name that only a private network knows needs DNS_SERVERS and OUTBOUND_ALLOW.";
  throw refuseTarget(`${url.hostname} has no address. ${hint}`);
}

function refuseTarget(detail: string) {
  return badFields([{ pointer: "/target", code: "value", detail }]);
}
