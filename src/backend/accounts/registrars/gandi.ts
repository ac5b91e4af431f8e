import { ApiFault, type RegistrarReader, type RegistrarRow } from "./registrar-reader.ts";
import { eppStatusOf, expiryOf, flagOf, hasCode, hostsOf, objectOf, rowsOf } from "./values.ts";

const PAGE_SIZE = 100;
const ORIGIN = "https://api.gandi.net";

/** API v5. @see https://api.gandi.net/docs/domains/ */
export const gandi: RegistrarReader = {
  registrar: "gandi",
  label: "Gandi",
  fields: [
    { name: "token", label: "Personal access token", secret: true },
    { name: "sharingId", label: "Organization id (sharing_id)", secret: false, optional: true },
  ],
  rights:
    "Create a personal access token under Organizations → your organization → Sharing, with only the right to see and renew domain names. With more than one organization, give its id as well, or the list may be empty.",
  recorded: true,
  origin: () => ORIGIN,
  identity: ["token", "sharingId"],
  intervalMs: 500,
  calls: ["GET /v5/domain/domains"],
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  advice: {
    credentials: "Create a new personal access token: they expire after a year at most.",
    access: "Give the token the right to see the domain names; it may also have expired.",
  },

  codes: { credentials: "401", access: "403", limited: "429" },

  async readPage({ ask, origin, now, fields: { sharingId = "" } }, { page }) {
    const sharing = sharingId === "" ? "" : `&sharing_id=${encodeURIComponent(sharingId)}`;
    const { body, headers } = await ask({
      path: `/v5/domain/domains?page=${page}&per_page=${PAGE_SIZE}${sharing}`,
    });
    const rows = rowsOf(body, "list of domains");
    const { link } = headers;
    const next = link === undefined ? null : nextPage(link, [origin, ORIGIN]);
    if (next !== null && next !== page + 1) {
      throw new ApiFault("unstable", `Page ${page} of the list leads to page ${next}.`);
    }
    const isLast = next === null && (link !== undefined || rows.length < PAGE_SIZE);
    return {
      rows: rows.map((row) => readRow(row, now())),
      total: headers["total-count"],
      next: isLast ? null : page + 1,
    };
  },
};

/** The page that a Link header (RFC 8288) calls the next; null without one. @throws {ApiFault} */
function nextPage(link: string, origins: readonly string[]): number | null {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next\b/i.exec(link)?.[1];
  if (target === undefined) return null;
  const url = URL.parse(target, origins[0]);
  if (url === null || !origins.includes(url.origin)) {
    throw new ApiFault("broken", "The next page is on another host.");
  }
  return Number(url.searchParams.get("page"));
}

function readRow(row: Readonly<Record<string, unknown>>, now: Date): RegistrarRow {
  const { status, autorenew, dates, nameserver } = row;
  const { registry_ends_at, hold_begins_at } = objectOf(dates);
  const epp = eppStatusOf(status);
  const isHeld = epp.status === "suspended" && hasCode(status, /^clientHold$/) === true;
  const isExpired = isHeld && Date.parse(String(hold_begins_at)) <= now.getTime();
  return {
    name: row["fqdn"],
    ...expiryOf(registry_ends_at),
    autoRenew: flagOf(objectOf(autorenew)["enabled"] ?? autorenew),
    locked: hasCode(status, /^clientTransferProhibited$/),
    nameservers: hostsOf(objectOf(nameserver)["hosts"]),
    ...epp,
    ...(isExpired && { status: "expired" }),
  };
}
