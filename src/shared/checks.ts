import { SEVERITIES } from "./findings.ts";
import {
  boolean,
  exactObject,
  list,
  nullable,
  number,
  object,
  oneOf,
  orElse,
  record,
  text,
  type Parsed,
} from "./parse.ts";

/** The JSON shapes of live checks. */

/** The kinds of checks of a domain. */
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
  nextAt: text,
  detail: nullable(text),
  result: (value: unknown) => value,
});

const recordSet = object({ outcome: text, data: list(text) });

const day = orElse(nullable(text), null);

/** What a registry, a registrar or WHOIS publishes, as far as people read it. */
const parseRegistration = object({
  expiresAt: day,
  createdAt: day,
  statuses: list(text),
  nameServers: list(text),
  ds: list((value) => value),
  delegationSigned: orElse(nullable(boolean), null),
  registrar: nullable(text),
});

/** The result of each kind of check, as far as people read it. */
export const RESULT_PARSERS = {
  registry: parseRegistration,
  registrar: parseRegistration,
  whois: parseRegistration,
  dns: object({
    a: recordSet,
    aaaa: recordSet,
    ns: recordSet,
    mx: recordSet,
    txt: recordSet,
    caa: recordSet,
    ds: recordSet,
  }),
  delegation: object({
    parent: text,
    ns: recordSet,
    ds: recordSet,
    servers: list(object({ host: text, outcome: text, authoritative: boolean })),
  }),
  tls: list(
    object({
      address: text,
      subject: text,
      validTo: text,
      nameMatches: boolean,
      chain: text,
    }),
  ),
  http: object({ status: number, urls: list(text), leadsTo: nullable(text) }),
} as const satisfies Record<CheckKind, (value: unknown) => unknown>;

/** What a check found: since when, what was seen, and what to do. */
export type Finding = Parsed<typeof parseFinding>;

export const parseFinding = object({
  code: text,
  /** What it is, as a heading. */
  label: text,
  severity: oneOf(SEVERITIES),
  since: text,
  text,
  advice: text,
});

const parseHost = object({
  /** `host:port`, or the host alone. */
  host: text,
  /** `rdap` or `whois`. */
  kind: text,
  intervalMs: number,
  nextAt: text,
  /** It asked to be left alone until then. */
  blockedUntil: nullable(text),
  /** Questions on this UTC day. */
  today: number,
  lastOutcome: nullable(text),
});

/**
 * `GET /api/checks`. `choice` is the owner's, null while there is none; `on` is what holds. `estimate`
 * is when nothing will be due any more, null where nothing is. `outcomes` counts the latest checks.
 */
export type ChecksStatus = Parsed<typeof parseChecksStatus>;

export const parseChecksStatus = object({
  on: boolean,
  choice: nullable(boolean),
  /** Whether `CHECKS` decides, so that nobody can choose. */
  fixed: boolean,
  due: number,
  running: number,
  estimate: nullable(text),
  hosts: list(parseHost),
  bootstrap: object({ publication: text, tlds: number }),
  outcomes: record(number),
  /** Suffixes in use that no public source answers for. */
  unsupported: list(text),
});

/** How a check ended, as people read it. */
const OUTCOME_LABELS = {
  ok: "Answered",
  absent: "Publishes nothing",
  withheld: "Withholds the date",
  limited: "Asked us to slow down",
  refused: "Refused to answer",
  timeout: "No answer in time",
  unreachable: "Can’t be reached",
  malformed: "Answer can’t be read",
  unsupported: "No public source",
  blocked: "Private address, not asked",
  off: "Not asked: checks were off",
  "not-found": "Not found",
} as const;

/** How a question to another host ended. `absent` and `withheld`: it names no expiry date. */
export type CheckOutcome = keyof typeof OUTCOME_LABELS;

/** How a check ended: `Asked us to slow down`. */
export function outcomeInWords(outcome: string): string {
  const labels: Readonly<Record<string, string>> = OUTCOME_LABELS;
  return labels[outcome] ?? outcome;
}

/** `PUT /api/checks`. */
export const parseChecksChoice = exactObject({ on: boolean });

/** Where sources of dates that are asked live begin, and what they are. */
const LIVE_SOURCES = [
  ["rdap:", "Registry"],
  ["rdap-registrar:", "Registrar"],
  ["whois:", "WHOIS"],
] as const;

/** The source of a date or a change as people read it: `Registry (rdap.verisign.com)`. */
export function sourceInWords(source: string): string {
  const live = LIVE_SOURCES.find(([prefix]) => source.startsWith(prefix));
  return live === undefined ? source : `${live[1]} (${source.slice(live[0].length)})`;
}
