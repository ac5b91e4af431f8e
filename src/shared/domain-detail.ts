import { parseCheck, parseFinding } from "./check-summary.ts";
import { domainShape, parseObservation } from "./domain.ts";
import {
  boolean,
  list,
  nullable,
  number,
  object,
  orElse,
  type Parsed,
  record,
  text,
} from "./parse.ts";

/** `GET /api/domains/:id`, where the id may also be the name: with each source's latest report. */
export type DomainDetail = Parsed<typeof parseDomainDetail>;

export const parseDomainDetail = object({
  ...domainShape,
  observations: list(parseObservation),
  /** The latest check of each kind that has been made: `registry`, `dns`, `tls` … */
  checks: record(parseCheck),
  /** Kinds of checks that are planned and have not been made yet. */
  waiting: list(text),
  findings: orElse(list(parseFinding), []),
  checksOn: orElse(boolean, false),
  /** The rule by which the expiry was chosen, see `decideExpiry`; null without an expiry. */
  expiryRule: orElse(number, null),
  loginUrl: orElse(text, null),
  /** The account at a registrar that no longer has it: since which UTC day, and why in words. */
  vanished: orElse(
    object({ account: text, label: text, since: text, reason: nullable(text) }),
    null,
  ),
});
