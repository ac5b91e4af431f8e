import type * as packets from "dns-packet";
import { getDomain } from "tldts";
import type { AddressRule } from "../outbound/addresses.ts";
import { askDns, type DnsAnswer, type DnsOutcome } from "../outbound/dns-client.ts";
import type { Resolver } from "../outbound/resolver.ts";
import type { CheckResult } from "./check-result.ts";
import { formatRecords, type RecordSet } from "./dns.ts";

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

/** Servers of the parent that are asked; the second has to agree before NXDOMAIN counts. */
const PARENT_SERVERS = 2;
/** Name servers of a name that are asked. */
const MAX_SERVERS = 13;
const DNS_PORT = 53;

interface Delegation {
  resolver: Resolver;
  mayConnect: AddressRule;
  name: string;
  signal: AbortSignal;
}

/** Asks two servers of the parent for NS and DS, then each name server for SOA and NS, without recursion. */
export async function checkDelegation(context: Delegation): Promise<CheckResult<DelegationResult>> {
  const { name } = context;
  const parent = await findParent(context);
  const nothing = (detail: string): CheckResult<DelegationResult> => ({
    outcome: "unreachable",
    source: "delegation",
    detail,
    result: null,
    retryAfterMs: null,
  });
  if (parent === null) return nothing("No server of the zone above could be found");

  const answers: { ns: DnsAnswer; ds: DnsAnswer }[] = [];
  for (const address of parent.addresses.slice(0, PARENT_SERVERS)) {
    const ask = (type: packets.RecordType) => askAt(context, address, { name, type });
    const [ns, ds] = await Promise.all([ask("NS"), ask("DS")]);
    answers.push({ ns, ds });
  }
  const best =
    answers.find(({ ns }) => isReferral(ns)) ?? answers.find(({ ns }) => ns.outcome === "nxdomain");
  if (best === undefined) return nothing(`The servers of ${parent.zone} did not answer`);
  const isGone = answers.every(({ ns }) => ns.outcome === "nxdomain");
  const hosts = namesIn(best.ns, name);
  const ns: RecordSet = {
    outcome: isGone ? "nxdomain" : hosts.length > 0 ? "data" : "nodata",
    data: hosts,
  };
  const ds = { outcome: best.ds.outcome, data: formatRecords(best.ds, "DS") };
  const servers: DelegatedServer[] = [];
  for (const host of hosts.slice(0, MAX_SERVERS)) servers.push(...(await askServer(context, host)));
  return {
    outcome: "ok",
    source: "delegation",
    detail: null,
    result: {
      parent: parent.zone,
      ns,
      ds,
      servers,
      unknownHosts: await findUnknown(context, hosts),
    },
    retryAfterMs: null,
  };
}

/** Domains of name servers for which the resolvers answer NXDOMAIN: somebody may register them. */
async function findUnknown(
  { resolver, name, signal }: Delegation,
  hosts: readonly string[],
): Promise<string[]> {
  const own = getDomain(name);
  const domains = new Set(hosts.map((host) => getDomain(host)));
  const unknown: string[] = [];
  for (const domain of domains) {
    if (domain === null || domain === own) continue;
    const { outcome } = await resolver.ask({ name: domain, type: "NS" }, { signal });
    if (outcome === "nxdomain") unknown.push(domain);
  }
  return unknown;
}

/** The closest zone above a name that has name servers, and addresses of them. */
async function findParent({ resolver, mayConnect, name, signal }: Delegation) {
  const labels = name.split(".");
  for (let from = 1; from < labels.length; from += 1) {
    const zone = labels.slice(from).join(".");
    const answer = await resolver.ask({ name: zone, type: "NS" }, { signal });
    const addresses: string[] = [];
    for (const host of formatRecords(answer, "NS")) {
      if (addresses.length >= PARENT_SERVERS) break;
      const found = await resolver.addressesOf(host, signal);
      const address = found.addresses.find((each) => mayConnect(each));
      if (address !== undefined) addresses.push(address);
    }
    if (addresses.length > 0) return { zone, addresses };
  }
  return null;
}

async function askServer(context: Delegation, host: string): Promise<DelegatedServer[]> {
  const { resolver, mayConnect, name, signal } = context;
  const { addresses, outcome } = await resolver.addressesOf(host, signal);
  const address = addresses.find((each) => mayConnect(each));
  const server = { host, address: null, authoritative: false, ns: [] };
  if (address === undefined)
    return [{ ...server, outcome: addresses.length > 0 ? "blocked" : outcome }];
  const soa = await askAt(context, address, { name, type: "SOA" });
  const ns = await askAt(context, address, { name, type: "NS" });
  return [
    {
      host,
      address,
      outcome: soa.outcome,
      authoritative: soa.authoritative,
      ns: formatRecords(ns, "NS"),
    },
  ];
}

function askAt(
  { signal }: Delegation,
  address: string,
  question: { name: string; type: packets.RecordType },
) {
  return askDns({ address, port: DNS_PORT }, question, { recurse: false, signal });
}

/** A referral carries the name servers in its authority section, RFC 1034 §4.3.2. */
function isReferral({ outcome, answers, authorities }: DnsAnswer): boolean {
  return [...answers, ...authorities].some(({ type }) => type === "NS") && outcome !== "nxdomain";
}

function namesIn({ answers, authorities }: DnsAnswer, name: string): string[] {
  const own = [...answers, ...authorities].filter((record) => record.name.toLowerCase() === name);
  return [...new Set(formatRecords({ answers: own }, "NS"))];
}
