import type * as packets from "dns-packet";
import type { DnsResult, RecordSet } from "../../shared/checks.ts";
import { type DnsAnswer, isConclusive } from "../outbound/dns-client.ts";
import { type CheckResult, nothing } from "./check-result.ts";
import { formatRecords } from "./dns-records.ts";
import { isChainBroken } from "./dnssec.ts";
import { type DnsContext, isUnknownName } from "./parent-zone.ts";

/** Hosts for mail that are looked up. */
const MAX_EXCHANGES = 10;

/** Asks the resolvers for every kind of record that a finding or a person wants. */
export async function checkDns(context: DnsContext): Promise<CheckResult<DnsResult>> {
  const { resolver, mayConnect, name, signal } = context;
  let dnssecFault: string | null = null;
  const ask = async (asked: string, type: packets.RecordType): Promise<DnsAnswer> => {
    const question = { name: asked, type };
    const answer = await resolver.ask(question, { signal });
    if (answer.outcome !== "servfail") return answer;
    const unchecked = await resolver.ask(question, { signal, checkingDisabled: true });
    if (unchecked.outcome !== "data" && unchecked.outcome !== "nodata") return answer;
    dnssecFault = "Resolvers answer only without validation.";
    return unchecked;
  };
  const [a, aaaa, ns, mx, txt, caa, ds, dnskey, soa, dmarc] = await Promise.all([
    ask(name, "A"),
    ask(name, "AAAA"),
    ask(name, "NS"),
    ask(name, "MX"),
    ask(name, "TXT"),
    ask(name, "CAA"),
    ask(name, "DS"),
    ask(name, "DNSKEY"),
    ask(name, "SOA"),
    ask(`_dmarc.${name}`, "TXT"),
  ]);
  if (isConclusive(dnskey.outcome) && isChainBroken(name, ds.answers, dnskey.answers)) {
    dnssecFault = "No key of the zone matches its DS records.";
  }
  const { outcome } = soa;
  if (outcome !== "data" && outcome !== "nodata" && outcome !== "nxdomain") {
    return nothing(outcome, "dns");
  }
  const addresses = [...formatRecords(a, "A"), ...formatRecords(aaaa, "AAAA")];
  const result: DnsResult = {
    a: setOf(a, "A"),
    aaaa: setOf(aaaa, "AAAA"),
    ns: setOf(ns, "NS"),
    mx: setOf(mx, "MX"),
    txt: setOf(txt, "TXT"),
    caa: setOf(caa, "CAA"),
    ds: setOf(ds, "DS"),
    dnskey: setOf(dnskey, "DNSKEY"),
    soa: setOf(soa, "SOA"),
    dmarc: setOf(dmarc, "TXT"),
    dnssecFault,
    privateAddresses: addresses.filter((address) => !mayConnect(address)),
    dangling: await findDangling(context, mx),
  };
  return { outcome: "ok", source: "dns", detail: null, result, retryAfterMs: null };
}

function setOf(answer: DnsAnswer, type: packets.RecordType): RecordSet {
  return { outcome: answer.outcome, data: formatRecords(answer, type) };
}

/**
 * Hosts for mail, and the alias of `www`, that do not exist by the word of the zone above them. Null
 * where none is known, and not all could be asked.
 */
async function findDangling(context: DnsContext, mx: DnsAnswer): Promise<string[] | null> {
  const { resolver, name, signal } = context;
  const web = await resolver.ask({ name: `www.${name}`, type: "A" }, { signal });
  // The end of a chain of aliases comes last.
  const aliases = web.answers.filter(({ type }) => type === "CNAME").slice(-1);
  const [alias] = web.outcome === "nxdomain" ? formatRecords({ answers: aliases }, "CNAME") : [];
  const exchanges = formatRecords(mx, "MX")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((host) => host !== "." && host !== "")
    .slice(0, MAX_EXCHANGES);
  const targets = [
    ...exchanges.map((host) => ({ record: `MX ${host}`, host })),
    ...(alias === undefined ? [] : [{ record: `www CNAME ${alias}`, host: alias }]),
  ];
  const looks = await Promise.all(
    targets.map(async ({ record, host }) => {
      return { record, isGone: await isUnknownName({ ...context, name: host }, "A") };
    }),
  );
  const gone = looks.filter(({ isGone }) => isGone === true).map(({ record }) => record);
  const areKnown = looks.every(({ isGone }) => isGone !== null);
  const isComplete = areKnown && isConclusive(web.outcome) && isConclusive(mx.outcome);
  return gone.length > 0 || isComplete ? gone : null;
}
