import * as p from "./parse.ts";

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

/**
 * A refusal is an answer, too. `silent`: nothing answers; `partly`: of a kind nothing does;
 * `starting`: no answer since checks were turned on. Kinds that depend on each domain, as websites,
 * are never silent.
 */
export type Reach = p.Parsed<typeof parseReach>;

export const parseReach = p.object({
  state: p.oneOf(["starting", "answering", "partly", "silent"]),
  answeredAt: p.nullable(p.text),
  kinds: p.list(
    p.object({ kind: p.oneOf(CHECK_KINDS), answeredAt: p.nullable(p.text), isSilent: p.boolean }),
  ),
});
