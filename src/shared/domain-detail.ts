import { SEVERITIES } from "./check-summary.ts";
import { domainShape } from "./domain.ts";
import * as p from "./parse.ts";

/** One check of a domain; the shape of `result` follows from its kind. */
export type CheckSummary = p.Parsed<typeof parseCheck>;

const parseCheck = p.object({
  outcome: p.text,
  /** Who answered: `rdap:rdap.verisign.com`. */
  source: p.text,
  checkedAt: p.text,
  /** When it was answered last, which is what `result` is of; null: never. */
  answeredAt: p.orElse(p.nullable(p.text), null),
  nextAt: p.text,
  detail: p.nullable(p.text),
  result: p.anything,
});

/** What a check found: since when, what was seen, and what to do. */
export type Finding = p.Parsed<typeof parseFinding>;

const parseFinding = p.object({
  code: p.text,
  label: p.text,
  severity: p.oneOf(SEVERITIES),
  since: p.text,
  text: p.text,
  advice: p.text,
});

/** What a source reported of an expiry, and when; `date` null: it withdrew its word. */
export type Observation = p.Parsed<typeof parseObservation>;

const parseObservation = p.object({ source: p.text, date: p.nullable(p.text), observedAt: p.text });

/** `GET /api/domains/:id`, where the id may also be the name: with each source's latest report. */
export type DomainDetail = p.Parsed<typeof parseDomainDetail>;

export const parseDomainDetail = p.object({
  ...domainShape,
  observations: p.list(parseObservation),
  /** The latest check of each kind that has been made: `registry`, `dns`, `tls` … */
  checks: p.record(parseCheck),
  /** Kinds of checks that are planned and have not been made yet. */
  waiting: p.list(p.text),
  findings: p.orElse(p.list(parseFinding), []),
  checksOn: p.orElse(p.boolean, false),
  /** The rule by which the expiry was chosen, see `decideExpiry`; null without an expiry. */
  expiryRule: p.orElse(p.number, null),
  loginUrl: p.orElse(p.text, null),
  /** The account at a registrar that no longer has it: since which UTC day, and why in words. */
  vanished: p.orElse(
    p.object({ account: p.text, label: p.text, since: p.text, reason: p.nullable(p.text) }),
    null,
  ),
});
