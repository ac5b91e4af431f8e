import type { ListedStatus } from "../../../shared/accounts.ts";
import type { RegistrarReader, RegistrarRow } from "./registrar-reader.ts";
import { expiryOf, flagOf, hostsOf, rowsOf, textOf } from "./values.ts";

const PAGE_SIZE = 1_000;

/** What its 225 words mean; the first that matches. */
const STATUSES: readonly (readonly [RegExp, ListedStatus | "transferred-out" | "cancelled"])[] = [
  [/^ACTIVE$/, "active"],
  [/^TRANSFERRED|^UPDATED/, "transferred-out"],
  [/^EXPIRED_REASSIGNED$|^CANCELLED(?!_REDEEMABLE)/, "cancelled"],
  [/REDEEMABLE|REDEMPTION/, "redemption"],
  [/EXPIRED|^PENDING_EXPIR/, "expired"],
  [/TRANSFER_IN/, "transferring-in"],
  [/TRANSFER_OUT/, "transferring-out"],
  [/^(?:HELD|LOCKED|SUSPENDED|DISABLED|PARKED|CONFISCATED)/, "suspended"],
  [/^PENDING_(?:DNS|RENEW|UPDATE|EPP_UPDATE)/, "active"],
  [/^(?:PENDING|AWAITING)/, "pending"],
];

/** API v1. @see https://developer.godaddy.com/doc/endpoint/domains */
export const godaddy: RegistrarReader = {
  registrar: "godaddy",
  label: "GoDaddy",
  fields: [
    { name: "key", label: "API key", secret: true },
    { name: "secret", label: "API secret", secret: true },
  ],
  rights:
    "Create a production key at developer.godaddy.com under API Keys. GoDaddy has no read-only keys, and lets only some accounts use the API, depending on their number of domains or their plan.",
  origin: () => "https://api.godaddy.com",
  intervalMs: 1_200,
  calls: ["GET /v1/domains"],
  headers: ({ key, secret }) => ({ authorization: `sso-key ${key}:${secret}` }),
  advice: {
    credentials: "Create a new production key at developer.godaddy.com.",
    access:
      "The key is right, but GoDaddy does not let this account use the API: that needs more domains or a Discount Domain Club plan.",
  },
  codes: {
    credentials: "UNABLE_TO_AUTHENTICATE",
    access: "ACCESS_DENIED",
    limited: "TOO_MANY_REQUESTS QUOTA_EXCEEDED",
  },

  async readPage({ ask }, { cursor: marker }) {
    const after = marker === null ? "" : `&marker=${encodeURIComponent(marker)}`;
    const { body } = await ask({
      path: `/v1/domains?limit=${PAGE_SIZE}&includes=nameServers${after}`,
    });
    const rows = rowsOf(body, "list of domains");
    const isLast = rows.length < PAGE_SIZE;
    const next = isLast ? null : textOf(rows.at(-1)?.["domain"]);
    return { rows: rows.map(readRow), next, marker };
  },
};

function readRow(row: Readonly<Record<string, unknown>>): RegistrarRow {
  const statusRaw = textOf(row["status"]);
  const word = STATUSES.find(([form]) => form.test(statusRaw ?? ""))?.[1] ?? "unknown";
  const isGone = word === "transferred-out" || word === "cancelled";
  return {
    name: row["domain"],
    ...expiryOf(row["expires"]),
    autoRenew: flagOf(row["renewAuto"]),
    locked: flagOf(row["locked"]),
    privacy: flagOf(row["privacy"]),
    nameservers: hostsOf(row["nameServers"]),
    status: statusRaw === null ? null : isGone ? "unknown" : word,
    statusRaw,
    left: isGone ? word : null,
    // Registered elsewhere, with DNS at GoDaddy.
    isHosted: statusRaw === "ACTIVE" && (row["expires"] ?? null) === null,
  };
}
