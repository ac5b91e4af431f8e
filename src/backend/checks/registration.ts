import type { Registration } from "../../shared/checks.ts";
import type { Instant } from "../../shared/day.ts";

/** What an answer says when it says nothing. */
export const UNKNOWN_REGISTRATION: Registration = {
  registered: null,
  expiresAt: null,
  createdAt: null,
  changedAt: null,
  statuses: [],
  nameServers: [],
  ds: [],
  delegationSigned: null,
  registrar: null,
  redacted: [],
};

/** Years that a registration can have: before 1985 there was none. */
const FIRST_YEAR = 1985;
const MAX_YEARS_AHEAD = 100;

/** An instant if its year can be one of a registration, else null. */
export function plausibleInstant(time: number, now: Date): Instant | null {
  if (!Number.isFinite(time)) return null;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const possible = FIRST_YEAR <= year && year <= now.getUTCFullYear() + MAX_YEARS_AHEAD;
  return possible ? date.toISOString() : null;
}

/**
 * One spelling of a status: `clientHold`, `client hold` and `https://icann.org/epp#clientHold` are
 * `client hold`; `active` is `ok`. An unknown one is kept.
 */
export function foldStatus(written: string): string {
  const words = written
    .trim()
    .replace(/^https?:\/\/[^\s#]*#/i, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[\s_-]+/)
    .join(" ");
  return words === "active" ? "ok" : words;
}

/** A host name in lower case without its final dot. */
export function foldHost(written: string): string {
  return written.trim().toLowerCase().replace(/\.$/, "");
}
