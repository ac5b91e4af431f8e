import type { CheckOutcome, Registration } from "../../shared/checks.ts";
import type { Instant } from "../../shared/day.ts";
import { createCounter } from "../../shared/metrics.ts";
import { OutboundError, type OutboundFailure } from "../outbound/outbound.ts";

export const CHECK_RESULTS = createCounter("freehold_checks_total", "Checks by their outcome.");

export interface CheckResult<T> {
  outcome: CheckOutcome;
  /** A sentence for people, if the outcome needs one. */
  detail: string | null;
  result: T | null;
  retryAfterMs: number | null;
  /** Where the registrar answers, if a registry named it and it may be asked. */
  related: URL | null;
}

const OUTCOMES: Readonly<Record<OutboundFailure, CheckOutcome>> = {
  blocked: "blocked",
  unresolved: "unreachable",
  timeout: "timeout",
  unreachable: "unreachable",
  certificate: "unreachable",
  "too-large": "malformed",
  malformed: "malformed",
};

/** Outcomes of a lost network; resolvers then answer SERVFAIL. */
export const SILENT: ReadonlySet<string> = new Set(["timeout", "unreachable", "servfail"]);

export function answered<T>(result: T | null, outcome: CheckOutcome = "ok"): CheckResult<T> {
  return { ...nothing(outcome), result };
}

export function nothing(outcome: CheckOutcome, detail: string | null = null): CheckResult<never> {
  return { outcome, detail, result: null, retryAfterMs: null, related: null };
}

/** @throws What is no failure of a connection */
export function failedCheck(error: unknown): CheckResult<never> {
  if (!(error instanceof OutboundError)) throw error;
  return nothing(OUTCOMES[error.failure], error.message);
}

export const UNKNOWN_REGISTRATION: Registration = {
  registered: null,
  expiresAt: null,
  createdAt: null,
  changedAt: null,
  statuses: null,
  nameServers: [],
  ds: [],
  delegationSigned: null,
  registrar: null,
  redacted: [],
};

/** There was no registration before. */
const FIRST_YEAR = 1985;
const MAX_YEARS_AHEAD = 100;

/** Null if no registration can be from that year. */
export function plausibleInstant(time: number, now: Date): Instant | null {
  if (!Number.isFinite(time)) return null;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const possible = FIRST_YEAR <= year && year <= now.getUTCFullYear() + MAX_YEARS_AHEAD;
  return possible ? date.toISOString() : null;
}

/** `clientHold` and `https://icann.org/epp#clientHold` become `client hold`; `active`, `ok`. */
export function foldEppStatus(written: string): string {
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

/** The texts that are not empty, each once. */
export function sortedOnce(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "").toSorted();
}
