import type { CheckOutcome, Registration } from "../../shared/checks.ts";
import { OutboundError, type OutboundFailure } from "../outbound/outbound.ts";
import { createCounter } from "../../shared/metrics.ts";

export const CHECK_RESULTS = createCounter("freehold_checks_total", "Checks by their outcome.");

/** What one check of one domain found; `result` has the shape of its kind. */
export interface CheckResult<T> {
  outcome: CheckOutcome;
  /** Who answered, as observations name it: `rdap:rdap.verisign.com`. */
  source: string;
  /** One sentence for people where the outcome needs one. */
  detail: string | null;
  result: T | null;
  /** How long the host asks to be left alone. */
  retryAfterMs: number | null;
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

/** Outcomes of a network that is not there: resolvers answer SERVFAIL without theirs. */
export const SILENT: ReadonlySet<string> = new Set(["timeout", "unreachable", "servfail"]);

/** The result of a check that was answered. */
export function answered<T>(
  source: string,
  result: T | null,
  outcome: CheckOutcome = "ok",
): CheckResult<T> {
  return { outcome, source, detail: null, result, retryAfterMs: null };
}

/** The result of a check that brought nothing. */
export function nothing(
  outcome: CheckOutcome,
  source: string,
  detail: string | null = null,
): CheckResult<never> {
  return { outcome, source, detail, result: null, retryAfterMs: null };
}

/** The result of a check that brought no answer. @throws whatever is no failure of a connection */
export function failedCheck(source: string, error: unknown): CheckResult<never> {
  if (!(error instanceof OutboundError)) throw error;
  return nothing(OUTCOMES[error.failure], source, error.message);
}

/** What an answer says, if it says anything. */
export function knownOf(registration: Registration): Registration | null {
  const { registered, statuses } = registration;
  return registered === null && statuses.length === 0 ? null : registration;
}
