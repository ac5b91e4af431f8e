import { type CheckResults, type Registration, RESULT_PARSERS } from "../../../shared/checks.ts";
import type { CheckKind } from "../../../shared/check-summary.ts";
import type { CheckSummary } from "../../../shared/domain-detail.ts";
import * as p from "../../../shared/parse.ts";
import { formatDay } from "../../ui/format.ts";

/** A fact that a check found, each value on its own line. */
type CheckFact = [term: string, values: readonly string[]];

/** Lines of a fact; a zone can have hundreds of records. */
const MAX_LINES = 8;

/** The facts that a check found. */
export function factsOf<K extends CheckKind>(kind: K, { result }: CheckSummary): CheckFact[] {
  // Of a result of another shape there are none.
  const known = p.orElse<CheckResults[K], null>(RESULT_PARSERS[kind], null)(result);
  return (known === null ? [] : FACTS[kind](known))
    .filter(([, values]) => values.length > 0)
    .map(([term, values]) => [
      term,
      values.length <= MAX_LINES
        ? values
        : [...values.slice(0, MAX_LINES), `and ${values.length - MAX_LINES} more`],
    ]);
}

const registrationFacts = (result: Registration): CheckFact[] => [
  ["Expires on", daysOf(result.expiresAt)],
  ["Registrar", result.registrar === null ? [] : [result.registrar]],
  ["Status", result.statuses?.length ? [result.statuses.join(", ")] : []],
  ["Name servers", result.nameServers],
  ["DNSSEC", result.delegationSigned || result.ds.length > 0 ? ["Signed"] : []],
  ["Registered on", daysOf(result.createdAt)],
];

const FACTS: { readonly [K in CheckKind]: (result: CheckResults[K]) => CheckFact[] } = {
  registry: registrationFacts,
  registrar: registrationFacts,
  whois: registrationFacts,
  dns: ({ a, aaaa, ns, mx, txt, caa, ds }) => [
    ["Addresses", [...a.data, ...aaaa.data]],
    ["Mail (MX)", mx.data],
    ["Name servers", ns.data],
    ["TXT", txt.data],
    ["CAA", caa.data],
    ["DNSSEC", ds.data.length > 0 ? ["Signed"] : []],
  ],
  delegation: ({ parent, ns, servers }) => [
    [`In .${parent}`, ns.data],
    ["They answer", servers.map((server) => `${server.host}: ${answerOf(server)}`)],
  ],
  tls: (certificates) => [
    ["Valid until", distinct(certificates.map(({ validTo }) => dayOf(validTo)))],
    [
      "Name",
      distinct(
        certificates.map(({ subject, nameMatches }) =>
          nameMatches ? subject : `${subject}, which is another name`,
        ),
      ),
    ],
    ["Authority", distinct(certificates.map(({ chain }) => CHAINS[chain] ?? chain))],
    ["Seen at", certificates.map(({ address }) => address)],
  ],
  http: ({ status, urls, leadsTo }) => [
    ["Status", [String(status)]],
    ["Leads to", [leadsTo ?? urls.at(-1) ?? ""]],
  ],
};

/** A registry tells instants in UTC; its day is the UTC day. */
function dayOf(instant: string): string {
  return formatDay(instant.slice(0, 10), "medium");
}

function daysOf(instant: string | null): string[] {
  return instant === null ? [] : [dayOf(instant)];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

const CHAINS: Readonly<Record<string, string>> = {
  trusted: "Trusted",
  "self-signed": "Self-signed: browsers warn about it",
  untrusted: "Not trusted: browsers warn about it",
  incomplete: "The server leaves out intermediate certificates",
  "not-judged": "Not judged, as the certificate isn’t valid now",
};

const SERVER_ANSWERS: Readonly<Record<string, string>> = {
  nxdomain: "doesn’t know the domain",
  nodata: "doesn’t serve the domain",
  servfail: "fails",
  refused: "refuses to answer",
  timeout: "no answer in time",
  unreachable: "can’t be reached",
  blocked: "has a private address, not asked",
};

function answerOf({ outcome, authoritative }: { outcome: string; authoritative: boolean }) {
  if (outcome === "data") return authoritative ? "yes" : "doesn’t serve the domain";
  return SERVER_ANSWERS[outcome] ?? outcome;
}
