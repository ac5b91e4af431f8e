import type * as packets from "dns-packet";
import type { DnsAnswer, DnsOutcome } from "../outbound/dns-client.ts";
import type { Resolver } from "../outbound/resolver.ts";
import type { CheckResult } from "./check-result.ts";

/** What the world sees of a name, by the configured resolvers. */
export type DnsResult = Record<RecordSetName, RecordSet> & {
  /** The resolver fails the name, and answers when it need not check DNSSEC. */
  dnssecBroken: boolean;
  /** The policy of `_dmarc.<name>`, RFC 7489 §6.1. */
  dmarc: RecordSet;
};

/** One set of records; `data` in the form of a zone file, sorted, without what changes by itself. */
export interface RecordSet {
  outcome: DnsOutcome;
  data: string[];
}

export const RECORD_SETS = {
  a: "A",
  aaaa: "AAAA",
  ns: "NS",
  mx: "MX",
  txt: "TXT",
  caa: "CAA",
  ds: "DS",
  dnskey: "DNSKEY",
  soa: "SOA",
} as const satisfies Readonly<Record<string, packets.RecordType>>;

export type RecordSetName = keyof typeof RECORD_SETS;

/** Asks the resolvers for every kind of record that a finding or a person wants. */
export async function checkDns(
  resolver: Resolver,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<CheckResult<DnsResult>> {
  let dnssecBroken = false;
  const read = async (asked: string, type: packets.RecordType): Promise<RecordSet> => {
    const question = { name: asked, type };
    let answer = await resolver.ask(question, { signal });
    if (answer.outcome === "servfail") {
      const unchecked = await resolver.ask(question, { signal, checkingDisabled: true });
      if (unchecked.outcome === "data" || unchecked.outcome === "nodata") {
        dnssecBroken = true;
        answer = unchecked;
      }
    }
    return { outcome: answer.outcome, data: formatRecords(answer, type) };
  };
  const names = Object.entries(RECORD_SETS);
  const sets = await Promise.all(names.map(async ([key, type]) => [key, await read(name, type)]));
  const dmarc = await read(`_dmarc.${name}`, "TXT");
  // Made of every entry of RECORD_SETS.
  const result = { ...Object.fromEntries(sets), dmarc, dnssecBroken } as DnsResult;
  const { outcome } = result.soa;
  const reached = outcome === "data" || outcome === "nodata" || outcome === "nxdomain";
  return {
    outcome: reached ? "ok" : outcome === "timeout" ? "timeout" : "unreachable",
    source: "dns",
    detail: reached ? null : `The resolvers answered “${outcome}”`,
    result: reached || dnssecBroken ? result : null,
    retryAfterMs: null,
  };
}

/** The records of one type in an answer, each as a line of a zone file would have it. */
export function formatRecords({ answers }: Pick<DnsAnswer, "answers">, type: string): string[] {
  return answers
    .filter((record) => record.type === type)
    .map(formatRecord)
    .filter((line) => line !== "")
    .toSorted();
}

/** Bytes of a TXT record that are kept. */
const MAX_TEXT = 1_000;

function formatRecord(record: packets.Answer): string {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.data;
    case "NS":
    case "CNAME":
      return foldName(record.data);
    case "MX":
      return `${record.data.preference ?? 0} ${foldName(record.data.exchange)}`;
    case "TXT":
      return [record.data].flat().map(String).join("").slice(0, MAX_TEXT);
    case "CAA":
      return `${record.data.flags ?? 0} ${record.data.tag} "${record.data.value}"`;
    case "DS": {
      const { keyTag, algorithm, digestType, digest } = record.data;
      return `${keyTag} ${algorithm} ${digestType} ${digest.toString("hex")}`;
    }
    case "DNSKEY":
      return `${record.data.flags} 3 ${record.data.algorithm} ${record.data.key.toString("base64")}`;
    case "SOA":
      // The serial counts changes; it is none.
      return `${foldName(record.data.mname)} ${foldName(record.data.rname)}`;
    default:
      return "";
  }
}

/** A name in lower case; the root stays a full stop. */
function foldName(name: string): string {
  return name === "" || name === "." ? "." : name.toLowerCase().replace(/\.$/, "");
}
