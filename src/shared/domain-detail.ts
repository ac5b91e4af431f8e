import { SEVERITIES } from "./check-summary.ts";
import { domainShape } from "./domain.ts";
import {
  anything,
  boolean,
  list,
  nullable,
  number,
  object,
  oneOf,
  orElse,
  type Parsed,
  record,
  text,
} from "./parse.ts";

/** One check of a domain; the shape of `result` follows from its kind. */
export type CheckSummary = Parsed<typeof parseCheck>;

const parseCheck = object({
  outcome: text,
  /** Who answered: `rdap:rdap.verisign.com`. */
  source: text,
  checkedAt: text,
  /** When it was answered last, which is what `result` is of; null: never. */
  answeredAt: orElse(nullable(text), null),
  nextAt: text,
  detail: nullable(text),
  result: anything,
});

/** What a check found: since when, what was seen, and what to do. */
export type Finding = Parsed<typeof parseFinding>;

const parseFinding = object({
  code: text,
  label: text,
  severity: oneOf(SEVERITIES),
  since: text,
  text,
  advice: text,
});

/** What a source reported of an expiry, and when; `date` null: it withdrew its word. */
export type Observation = Parsed<typeof parseObservation>;

const parseObservation = object({ source: text, date: nullable(text), observedAt: text });

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
