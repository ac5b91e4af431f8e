import { createHash } from "node:crypto";
import type { ListedStatus } from "../../../shared/accounts.ts";
import {
  ApiFault,
  malformed,
  type RegistrarReader,
  type ReaderContext,
} from "./registrar-reader.ts";
import { expiryOf, flagOf, hostsOf, objectOf, statusOf } from "./values.ts";

const ORIGINS: Readonly<Record<string, string>> = {
  eu: "https://eu.api.ovh.com",
  ca: "https://ca.api.ovh.com",
  us: "https://us.api.ovhcloud.com",
};

const STATES: Readonly<Record<string, ListedStatus>> = {
  ok: "active",
  expired: "expired",
  restorable: "redemption",
  pending_delete: "pending-delete",
  outgoing_transfer: "transferring-out",
  pending_incoming_transfer: "transferring-in",
  pending_create: "pending",
  pending_installation: "pending",
  dispute: "suspended",
};

/** Statuses of answers about one name. */
const [EXPIRED, UNKNOWN] = [460, 404];
const UNKNOWN_WORDS =
  "OVHcloud gives no details of it: it may have been transferred, or have expired.";

/** API v1: a list of names, and two calls for the details of each. */
export const ovh: RegistrarReader = {
  registrar: "ovh",
  label: "OVHcloud",
  fields: [
    { name: "endpoint", label: "Endpoint: eu, ca or us", secret: false },
    { name: "applicationKey", label: "Application key", secret: true },
    { name: "applicationSecret", label: "Application secret", secret: true },
    { name: "consumerKey", label: "Consumer key", secret: true },
  ],
  rights:
    "Create the keys at https://eu.api.ovh.com/createToken with the rules GET /auth/time, GET /domain and GET /domain/*, and nothing else. Set their validity to unlimited, or enter new ones here before they expire.",
  origin({ endpoint = "" }) {
    const origin = ORIGINS[endpoint.replace(/^ovh-/i, "").toLowerCase()];
    if (origin === undefined) throw new ApiFault("credentials", "The endpoint is eu, ca or us.");
    return origin;
  },
  identity: ["consumerKey"],
  intervalMs: 500,
  calls: [
    "GET /v1/auth/time",
    "GET /v1/domain",
    "GET /v1/domain/:name",
    "GET /v1/domain/:name/serviceInfos",
  ],
  advice: {
    credentials: "Create new keys at createToken of the right endpoint; they may have expired.",
    access: "Create keys with the rules GET /domain and GET /domain/*.",
    clock: "Set this server’s clock, preferably by NTP.",
  },
  codes: {
    credentials: "INVALID_KEY NOT_CREDENTIAL INVALID_CREDENTIAL",
    access: "NOT_GRANTED_CALL",
    clock: "QUERY_TIME_OUT",
    limited: "TOO_MANY_REQUESTS",
  },
  codesOf: (body) => [objectOf(body)["errorCode"]],

  async readPage(context) {
    const { body } = await context.ask({ path: "/v1/auth/time" });
    if (typeof body !== "number") throw malformed("time");
    context.clockAheadMs = body * 1_000 - context.now().getTime();
    const names = await get(context, "/v1/domain");
    if (!Array.isArray(names)) throw malformed("list of domains");
    return { rows: names.map((name) => ({ name })), next: null };
  },

  details: {
    calls: 2,
    async read(context, name) {
      const path = `/v1/domain/${encodeURIComponent(name)}`;
      const domain = await getDetail(context, path);
      const service = await getDetail(context, `${path}/serviceInfos`);
      const refusals = new Set([domain["refusal"], service["refusal"]]);
      const hosts = Array.isArray(domain["nameServers"]) ? domain["nameServers"] : [];
      const expired = { status: "expired", statusRaw: String(EXPIRED) } as const;
      return {
        ...expiryOf(service["expiration"]),
        autoRenew: readAutoRenew(service["renew"]),
        locked: flagOf(domain["transferLockStatus"], { locked: true, unlocked: false }),
        nameservers: hostsOf(hosts.map((host) => objectOf(host)["nameServer"])),
        ...(refusals.has(EXPIRED) ? expired : readStatus(domain["state"])),
        left: domain["state"] === "deleted" ? "cancelled" : null,
        ...(refusals.has(UNKNOWN) && { reason: UNKNOWN_WORDS }),
      };
    },
  },
};

async function get(context: ReaderContext, path: string): Promise<unknown> {
  const { applicationKey = "", applicationSecret = "", consumerKey = "" } = context.fields;
  const time = context.now().getTime() + context.clockAheadMs;
  const timestamp = String(Math.floor(time / 1_000));
  const url = `${context.origin}${path}`;
  const headers = {
    "x-ovh-application": applicationKey,
    "x-ovh-consumer": consumerKey,
    "x-ovh-timestamp": timestamp,
    "x-ovh-signature": signOvh([applicationSecret, consumerKey, "GET", url, "", timestamp]),
  };
  try {
    return (await context.ask({ path, headers })).body;
  } catch (error) {
    if (!(error instanceof ApiFault) || error.outcome !== "clock") throw error;
    const minutes = Math.round(Math.abs(context.clockAheadMs) / 60_000);
    throw new ApiFault("clock", `${error.message} Our clock is ${minutes} minutes off.`);
  }
}

/** Both secrets, method, URL, body and time, signed. @see https://github.com/ovh/go-ovh */
export function signOvh(parts: readonly string[]): string {
  return `$1$${createHash("sha1").update(parts.join("+")).digest("hex")}`;
}

/** An answer about one name; of one that is expired or unknown, which OVH refuses, only the status. */
async function getDetail(context: ReaderContext, path: string) {
  try {
    return objectOf(await get(context, path));
  } catch (error) {
    const refusal = error instanceof ApiFault ? error.status : null;
    if (refusal !== EXPIRED && refusal !== UNKNOWN) throw error;
    return objectOf({ refusal });
  }
}

function readStatus(state: unknown) {
  const told = statusOf(state, STATES);
  const word = told.statusRaw?.toLowerCase() ?? "";
  if (word.endsWith("_suspended")) return { ...told, status: "suspended" } as const;
  return word.startsWith("autorenew_") ? ({ ...told, status: "active" } as const) : told;
}

function readAutoRenew(renew: unknown): boolean | null {
  const { automatic, forced, deleteAtExpiration } = objectOf(renew);
  if (flagOf(deleteAtExpiration) === true) return false;
  return flagOf(automatic) === true || flagOf(forced) || flagOf(automatic);
}
