import { type CheckKind, parseReach } from "./check-summary.ts";
import {
  boolean,
  exactObject,
  list,
  nullable,
  number,
  object,
  orElse,
  record,
  text,
  type Parsed,
  type Parser,
} from "./parse.ts";

/** One set of records; `data` in the form of a zone file, sorted, without what changes by itself. */
export type RecordSet = Parsed<typeof recordSet>;

const recordSet = object({ outcome: text, data: list(text) });

const instant = orElse(nullable(text), null);

/** What a registry or a registrar publishes about a domain, by RDAP or by WHOIS. */
export type Registration = Parsed<typeof parseRegistration>;

const parseRegistration = object({
  /** Null: the answer does not say. */
  registered: orElse(nullable(boolean), null),
  expiresAt: instant,
  createdAt: instant,
  changedAt: instant,
  /** Folded and sorted, RFC 8056: `client transfer prohibited`; `active` is `ok`. */
  statuses: list(text),
  /** Lower case, without a final dot, sorted. */
  nameServers: list(text),
  ds: list(object({ keyTag: number, algorithm: number, digestType: number, digest: text })),
  /** Whether the parent zone vouches for the keys; null: not said. A registry may leave out `ds`. */
  delegationSigned: orElse(nullable(boolean), null),
  registrar: nullable(text),
  /** Names of what the answer withholds, RFC 9537. */
  redacted: orElse(list(text), []),
});

export type DnsResult = Parsed<typeof parseDnsResult>;

const parseDnsResult = object({
  a: recordSet,
  aaaa: recordSet,
  ns: recordSet,
  mx: recordSet,
  txt: recordSet,
  caa: recordSet,
  ds: recordSet,
  dnskey: recordSet,
  soa: recordSet,
  /** The policy of `_dmarc.<name>`, RFC 7489 §6.1. */
  dmarc: recordSet,
  /** Why validating resolvers refuse the name; null where they need not. */
  dnssecFault: nullable(text),
  /** Addresses of the name that nothing outside can reach. */
  privateAddresses: list(text),
  /** Records that point to a name which does not exist: `MX mail.gone.example`; null: not known. */
  dangling: nullable(list(text)),
});

/** What is set up: what the parent zone delegates, and what each of its name servers says. */
export type DelegationResult = Parsed<typeof parseDelegation>;

export type DelegatedServer = DelegationResult["servers"][number];

const parseDelegation = object({
  /** The zone above, such as `com` or `co.uk`. */
  parent: text,
  ns: recordSet,
  ds: recordSet,
  servers: list(
    object({
      host: text,
      /** Null: the host has no address that may be asked. */
      address: nullable(text),
      /** Of its answer to SOA, or `blocked`. */
      outcome: text,
      authoritative: boolean,
      /** Null: it did not answer that. */
      ns: nullable(list(text)),
    }),
  ),
  /** Registrable domains of its name servers that are not registered. */
  unknownHosts: list(text),
  /** Those that could not be asked about. */
  unaskedHosts: orElse(list(text), []),
});

export type Certificate = Parsed<typeof parseCertificate>;

const parseCertificate = object({
  address: text,
  subject: text,
  names: list(text),
  validFrom: text,
  validTo: text,
  nameMatches: boolean,
  /** Whether it leads to an authority that this machine trusts. */
  chain: text,
});

/** Where a browser ends up that opens the name. */
export type WebResult = Parsed<typeof parseWeb>;

const parseWeb = object({
  status: number,
  /** Each address that was asked, the first being the name itself. */
  urls: list(text),
  /** The first address of another registrable domain, or of another port; it is not asked. */
  leadsTo: nullable(text),
});

export interface CheckResults {
  registry: Registration;
  registrar: Registration;
  whois: Registration;
  dns: DnsResult;
  delegation: DelegationResult;
  tls: Certificate[];
  http: WebResult;
}

/** Reads the result of each kind of check: from an answer of the API, and as the database has it. */
export const RESULT_PARSERS: { readonly [K in CheckKind]: Parser<CheckResults[K]> } = {
  registry: parseRegistration,
  registrar: parseRegistration,
  whois: parseRegistration,
  dns: parseDnsResult,
  delegation: parseDelegation,
  tls: list(parseCertificate),
  http: parseWeb,
};

const parseHost = object({
  /** `host:port`, or the host alone. */
  host: text,
  /** `rdap` or `whois`. */
  kind: text,
  intervalMs: number,
  nextAt: text,
  blockedUntil: nullable(text),
  /** Questions on this UTC day. */
  today: number,
  lastOutcome: nullable(text),
});

/**
 * `GET /api/checks`. `choice` is the owner's, null before one is made; `on` is what holds.
 * `estimate`: when nothing will be due any more; `nextAt`: when something is due again; null where
 * nothing is. `reach` is null while checks are off. `outcomes` counts the latest checks.
 */
export type ChecksStatus = Parsed<typeof parseChecksStatus>;

export const parseChecksStatus = object({
  on: boolean,
  choice: nullable(boolean),
  /** `CHECKS` decides, so that the owner cannot choose. */
  fixed: boolean,
  due: number,
  running: number,
  estimate: nullable(text),
  nextAt: nullable(text),
  reach: nullable(parseReach),
  hosts: list(parseHost),
  bootstrap: object({ publication: text, tlds: number }),
  outcomes: record(number),
  /** Suffixes in use that no public source answers for. */
  unsupported: list(text),
});

const OUTCOME_LABELS = {
  ok: "Answered",
  absent: "Publishes nothing",
  withheld: "Withholds the date",
  limited: "Asked for fewer requests",
  refused: "Refused to answer",
  timeout: "No answer in time",
  unreachable: "Can’t be reached",
  malformed: "Answer can’t be read",
  servfail: "The resolvers fail",
  formerr: "The resolvers don’t understand the question",
  notimp: "The resolvers don’t know such questions",
  other: "The resolvers answer with an unknown error",
  unsupported: "No public source",
  blocked: "Private address, not asked",
  off: "Not asked: checks were off",
  "not-found": "Not found",
} as const;

/** `absent` and `withheld`: it names no expiry date. `servfail` to `other` are of DNS only. */
export type CheckOutcome = keyof typeof OUTCOME_LABELS;

export function outcomeInWords(outcome: string): string {
  const labels: Readonly<Record<string, string>> = OUTCOME_LABELS;
  return labels[outcome] ?? outcome;
}

export const parseChecksChoice = exactObject({ on: boolean });
