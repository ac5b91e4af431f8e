import type * as packets from "dns-packet";
import { getDomain } from "tldts";
import type { DnsAnswer, DnsOutcome } from "../outbound/dns-client.ts";
import { type CheckResult, nothing } from "./check-result.ts";
import { formatRecords, type RecordSet } from "./dns-records.ts";
import {
  askAt,
  type DnsContext,
  findParent,
  isUnknownToParent,
  sayUnknown,
} from "./parent-zone.ts";

/** What is set up: what the parent zone delegates, and what each of its name servers says. */
export interface DelegationResult {
  /** The zone above, such as `com` or `co.uk`. */
  parent: string;
  ns: RecordSet;
  ds: RecordSet;
  servers: DelegatedServer[];
  /** Registrable domains of its name servers that their own TLD does not know. */
  unknownHosts: string[];
}

/** One address of a name server that the parent names. */
export interface DelegatedServer {
  host: string;
  /** Null: the host has no address that may be asked. */
  address: string | null;
  /** Of its answer to SOA. */
  outcome: DnsOutcome | "blocked";
  authoritative: boolean;
  ns: string[];
}

/** Name servers of a name that are asked. */
const MAX_SERVERS = 13;

/** Asks two servers of the parent for NS and DS, then each name server for SOA and NS, without recursion. */
export async function checkDelegation(context: DnsContext): Promise<CheckResult<DelegationResult>> {
  const { name } = context;
  const parent = await findParent(context);
  const fail = (detail: string) => nothing("unreachable", "delegation", detail);
  if (parent === null) return fail("No server of the zone above could be found");

  const answers = await Promise.all(
    parent.addresses.map(async (address) => {
      const ask = (type: packets.RecordType) => askAt(context, address, { name, type });
      const [ns, ds] = await Promise.all([ask("NS"), ask("DS")]);
      return { ns, ds };
    }),
  );
  const isGone = sayUnknown(answers.map(({ ns }) => ns));
  const best = isGone ? answers[0] : answers.find(({ ns }) => isReferral(ns));
  if (best === undefined) return fail(`The servers of ${parent.zone} did not answer`);
  const hosts = namesIn(best.ns, name);
  const outcome = isGone ? "nxdomain" : hosts.length > 0 ? "data" : "nodata";
  const asked = hosts.slice(0, MAX_SERVERS);
  return {
    outcome: "ok",
    source: "delegation",
    detail: null,
    result: {
      parent: parent.zone,
      ns: { outcome, data: hosts },
      ds: { outcome: best.ds.outcome, data: formatRecords(best.ds, "DS") },
      servers: await Promise.all(asked.map((host) => askServer(context, host))),
      unknownHosts: await findUnknown(context, asked),
    },
    retryAfterMs: null,
  };
}

/** Domains of name servers that neither the resolvers nor their TLD know: somebody may register them. */
async function findUnknown(context: DnsContext, hosts: readonly string[]): Promise<string[]> {
  const { resolver, name, signal } = context;
  const own = getDomain(name);
  const unknown: string[] = [];
  for (const domain of new Set(hosts.map((host) => getDomain(host)))) {
    if (domain === null || domain === own) continue;
    const { outcome } = await resolver.ask({ name: domain, type: "NS" }, { signal });
    const isUnknown = outcome === "nxdomain" && isUnknownToParent({ ...context, name: domain });
    if (await isUnknown) unknown.push(domain);
  }
  return unknown;
}

async function askServer(context: DnsContext, host: string): Promise<DelegatedServer> {
  const { resolver, mayConnect, name, signal } = context;
  // A zone that fails validation hides the addresses of its own servers, which answer all the same.
  const options = { signal, checkingDisabled: true };
  const { addresses, outcome } = await resolver.addressesOf(host, options);
  const address = addresses.find((each) => mayConnect(each));
  if (address === undefined) {
    const why = addresses.length > 0 ? "blocked" : outcome;
    return { host, address: null, outcome: why, authoritative: false, ns: [] };
  }
  const soa = await askAt(context, address, { name, type: "SOA" });
  const ns = await askAt(context, address, { name, type: "NS" });
  const { authoritative } = soa;
  return { host, address, outcome: soa.outcome, authoritative, ns: formatRecords(ns, "NS") };
}

/** A referral carries the name servers in its authority section, RFC 1034 §4.3.2. */
function isReferral({ outcome, answers, authorities }: DnsAnswer): boolean {
  return [...answers, ...authorities].some(({ type }) => type === "NS") && outcome !== "nxdomain";
}

function namesIn({ answers, authorities }: DnsAnswer, name: string): string[] {
  const own = [...answers, ...authorities].filter((record) => record.name.toLowerCase() === name);
  return formatRecords({ answers: own }, "NS");
}
