import { type CheckKind, parseReach } from "./check-summary.ts";
import * as p from "./parse.ts";

/** One set of records; `data` in the form of a zone file, sorted, without what changes by itself. */
export type RecordSet = p.Parsed<typeof recordSet>;

const recordSet = p.object({ outcome: p.text, data: p.list(p.text) });

const instant = p.orElse(p.nullable(p.text), null);

/** What a registry or a registrar publishes about a domain, by RDAP or by WHOIS. */
export type Registration = p.Parsed<typeof parseRegistration>;

const parseRegistration = p.object({
  /** Null: the answer does not say. */
  registered: p.orElse(p.nullable(p.boolean), null),
  expiresAt: instant,
  createdAt: instant,
  changedAt: instant,
  /** Folded and sorted, RFC 8056: `client transfer prohibited`; `active` is `ok`. Null: not said. */
  statuses: p.orElse(p.nullable(p.list(p.text)), null),
  /** Lower case, without a final dot, sorted. */
  nameServers: p.list(p.text),
  ds: p.list(
    p.object({ keyTag: p.number, algorithm: p.number, digestType: p.number, digest: p.text }),
  ),
  /** Whether the parent zone vouches for the keys; null: not said. A registry may leave out `ds`. */
  delegationSigned: p.orElse(p.nullable(p.boolean), null),
  registrar: p.nullable(p.text),
  /** Names of what the answer withholds, RFC 9537. */
  redacted: p.orElse(p.list(p.text), []),
});

export type DnsResult = p.Parsed<typeof parseDnsResult>;

const parseDnsResult = p.object({
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
  dnssecFault: p.nullable(p.text),
  /** Addresses of the name that nothing outside can reach. */
  privateAddresses: p.list(p.text),
  /** Records that point to a name which does not exist: `MX mail.gone.example`; null: not known. */
  dangling: p.nullable(p.list(p.text)),
});

/** What is set up: what the parent zone delegates, and what each of its name servers says. */
export type DelegationResult = p.Parsed<typeof parseDelegation>;

export type DelegatedServer = DelegationResult["servers"][number];

const parseDelegation = p.object({
  /** The zone above, such as `com` or `co.uk`. */
  parent: p.text,
  ns: recordSet,
  ds: recordSet,
  servers: p.list(
    p.object({
      host: p.text,
      /** Null: the host has no address that may be asked. */
      address: p.nullable(p.text),
      /** Of its answer to SOA, or `blocked`. */
      outcome: p.text,
      authoritative: p.boolean,
      /** Null: it did not answer that. */
      ns: p.nullable(p.list(p.text)),
    }),
  ),
  /** Registrable domains of its name servers that are not registered. */
  unknownHosts: p.list(p.text),
  /** Those that could not be asked about. */
  unaskedHosts: p.orElse(p.list(p.text), []),
});

export type Certificate = p.Parsed<typeof parseCertificate>;

const parseCertificate = p.object({
  address: p.text,
  subject: p.text,
  names: p.list(p.text),
  validFrom: p.text,
  validTo: p.text,
  nameMatches: p.boolean,
  /** Whether it leads to an authority that this machine trusts. */
  chain: p.text,
  /** When its address answered last; null: not known. */
  seenAt: instant,
});

/** Where a browser ends up that opens the name. */
export type WebResult = p.Parsed<typeof parseWeb>;

const parseWeb = p.object({
  status: p.number,
  /** Each address that was asked, the first being the name itself. */
  urls: p.list(p.text),
  /** The first address of another registrable domain, or of another port; it is not asked. */
  leadsTo: p.nullable(p.text),
});

const PARSERS = {
  registry: parseRegistration,
  registrar: parseRegistration,
  whois: parseRegistration,
  dns: parseDnsResult,
  delegation: parseDelegation,
  tls: p.list(parseCertificate),
  http: parseWeb,
} as const;

export type CheckResults = { [K in CheckKind]: p.Parsed<(typeof PARSERS)[K]> };

/** Reads the result of each kind of check: from an answer of the API, and as the database has it. */
export const RESULT_PARSERS: { readonly [K in CheckKind]: p.Parser<CheckResults[K]> } = PARSERS;

const parseHost = p.object({
  /** `host:port`, or the host alone. */
  host: p.text,
  /** `rdap` or `whois`. */
  kind: p.text,
  intervalMs: p.number,
  nextAt: p.text,
  blockedUntil: p.nullable(p.text),
  /** Questions on this UTC day. */
  today: p.number,
  lastOutcome: p.nullable(p.text),
});

/**
 * `GET /api/checks`. `choice` is the owner's, null before one is made; `on` is what holds.
 * `estimate`: when nothing will be due any more; `nextAt`: when something is due again; null where
 * nothing is. `reach` is null while checks are off. `outcomes` counts the latest checks.
 */
export type ChecksStatus = p.Parsed<typeof parseChecksStatus>;

export const parseChecksStatus = p.object({
  on: p.boolean,
  choice: p.nullable(p.boolean),
  /** `CHECKS` decides, so that the owner cannot choose. */
  fixed: p.boolean,
  due: p.number,
  running: p.number,
  estimate: p.nullable(p.text),
  nextAt: p.nullable(p.text),
  reach: p.nullable(parseReach),
  hosts: p.list(parseHost),
  bootstrap: p.object({ publication: p.text, tlds: p.number }),
  outcomes: p.record(p.number),
  /** Suffixes in use that no public source answers for. */
  unsupported: p.list(p.text),
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
  formerr: "The resolvers reject the query as malformed",
  notimp: "The resolvers don’t support this query type",
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

export const parseChecksChoice = p.exactObject({ on: p.boolean });
