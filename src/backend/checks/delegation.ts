import type * as packets from "dns-packet";
import { getDomain } from "tldts";
import type { DelegatedServer, DelegationResult } from "../../shared/checks.ts";
import { type DnsAnswer, isConclusive } from "../outbound/dns-client.ts";
import { answered, type CheckResult, nothing } from "./check-result.ts";
import {
  askAt,
  type DnsContext,
  findParent,
  formatRecords,
  isUnknownName,
  sayUnknown,
} from "./dns.ts";

const MAX_SERVERS = 13;

/** Asks two servers of the parent for NS and DS, then each name server for SOA and NS, without recursion. */
export async function checkDelegation(context: DnsContext): Promise<CheckResult<DelegationResult>> {
  const { name } = context;
  const parent = await findParent(context);
  const fail = (detail: string) => nothing("unreachable", "delegation", detail);
  if (parent === null) return fail("No name server of the parent zone could be found");

  const answers = await Promise.all(
    parent.addresses.map(async (address) => {
      const ask = (type: packets.RecordType) => askAt(context, address, { name, type });
      const [ns, ds] = await Promise.all([ask("NS"), ask("DS")]);
      return { ns, ds };
    }),
  );
  const isGone = sayUnknown(answers.map(({ ns }) => ns)) === true;
  const best = isGone
    ? answers[0]
    : (answers.find(({ ns }) => namesIn(ns, name).length > 0) ??
      answers.find(({ ns }) => ns.outcome === "nodata" && ns.authoritative));
  if (best === undefined) return fail(`The servers of ${parent.zone} did not answer`);
  const hosts = namesIn(best.ns, name);
  const outcome = isGone ? "nxdomain" : hosts.length > 0 ? "data" : "nodata";
  const asked = hosts.slice(0, MAX_SERVERS);
  return answered("delegation", {
    parent: parent.zone,
    ns: { outcome, data: asked },
    ds: { outcome: best.ds.outcome, data: formatRecords(best.ds, "DS") },
    servers: await Promise.all(asked.map((host) => askServer(context, host))),
    ...(await findUnknown(context, asked)),
  });
}

/** Domains of name servers that are not known, so that anyone may register them, or could not be asked. */
async function findUnknown(context: DnsContext, hosts: readonly string[]) {
  const own = getDomain(context.name);
  const unknownHosts: string[] = [];
  const unaskedHosts: string[] = [];
  for (const domain of new Set(hosts.map((host) => getDomain(host)))) {
    if (domain === null || domain === own) continue;
    const isUnknown = await isUnknownName({ ...context, name: domain }, "NS");
    if (isUnknown === null) unaskedHosts.push(domain);
    else if (isUnknown) unknownHosts.push(domain);
  }
  return { unknownHosts, unaskedHosts };
}

async function askServer(context: DnsContext, host: string): Promise<DelegatedServer> {
  const { outbound, name, signal } = context;
  // A zone that fails validation hides the addresses of its own servers, which answer all the same.
  const options = { signal, checkingDisabled: true };
  const { addresses, outcome } = await outbound.addressesOf(host, options);
  const address = addresses.find((each) => outbound.mayConnect(each));
  if (address === undefined) {
    const why = addresses.length > 0 ? "blocked" : outcome;
    return { host, address: null, outcome: why, authoritative: false, ns: null };
  }
  const soa = await askAt(context, address, { name, type: "SOA" });
  const ns = await askAt(context, address, { name, type: "NS" });
  const { authoritative } = soa;
  const listed = isConclusive(ns.outcome) ? formatRecords(ns, "NS").slice(0, MAX_SERVERS) : null;
  return { host, address, outcome: soa.outcome, authoritative, ns: listed };
}

/** A referral carries the name servers in its authority section, RFC 1034 §4.3.2; one for another name does not count. */
function namesIn({ answers, authorities }: DnsAnswer, name: string): string[] {
  const own = [...answers, ...authorities].filter((record) => record.name.toLowerCase() === name);
  return formatRecords({ answers: own }, "NS");
}
