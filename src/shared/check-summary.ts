import {
  anything,
  boolean,
  list,
  nullable,
  object,
  oneOf,
  orElse,
  text,
  type Parsed,
} from "./parse.ts";

/** What a register and its lists tell of live checks; `checks.ts` has the rest, which is larger. */

/** How bad a finding is, the worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CHECK_KINDS = [
  "registry",
  "registrar",
  "whois",
  "dns",
  "delegation",
  "tls",
  "http",
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** One check of a domain; the shape of `result` follows from its kind. */
export type CheckSummary = Parsed<typeof parseCheck>;

export const parseCheck = object({
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

export const parseFinding = object({
  code: text,
  label: text,
  severity: oneOf(SEVERITIES),
  since: text,
  text,
  advice: text,
});

/**
 * A refusal is an answer, too. `silent`: nothing answers; `partly`: of a kind nothing does;
 * `starting`: no answer since checks were turned on. Kinds that depend on each domain, as websites,
 * are never silent.
 */
export type Reach = Parsed<typeof parseReach>;

export const parseReach = object({
  state: oneOf(["starting", "answering", "partly", "silent"]),
  answeredAt: nullable(text),
  kinds: list(object({ kind: oneOf(CHECK_KINDS), answeredAt: nullable(text), isSilent: boolean })),
});
