import { OutboundError, type OutboundFailure } from "../outbound/outbound.ts";
import type { Outcome, Registration } from "./registration.ts";

/** What one check of one domain found; `result` has the shape of its kind. */
export interface CheckResult<T> {
  outcome: Outcome;
  /** Who answered, as observations name it: `rdap:rdap.verisign.com`. */
  source: string;
  /** One sentence for people where the outcome needs one. */
  detail: string | null;
  result: T | null;
  /** How long the host asks to be left alone. */
  retryAfterMs: number | null;
}

const OUTCOMES: Readonly<Record<OutboundFailure, Outcome>> = {
  blocked: "blocked",
  unresolved: "unreachable",
  timeout: "timeout",
  unreachable: "unreachable",
  certificate: "unreachable",
  "too-large": "malformed",
  malformed: "malformed",
};

/** The result of a check that brought no answer. @throws whatever is no failure of a connection */
export function failedCheck(source: string, error: unknown): CheckResult<never> {
  if (!(error instanceof OutboundError)) throw error;
  const outcome = OUTCOMES[error.failure];
  return { outcome, source, detail: error.message, result: null, retryAfterMs: null };
}

/** What an answer says, if it says anything. */
export function knownOf(registration: Registration): Registration | null {
  const { registered, statuses } = registration;
  return registered === null && statuses.length === 0 ? null : registration;
}
