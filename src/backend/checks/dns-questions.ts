import type * as packets from "dns-packet";
import { askDns, type DnsAnswer, isConclusive } from "../outbound/dns-client.ts";
import { cleanText } from "../outbound/received-text.ts";
import type { Outbound } from "../outbound/outbound.ts";

export interface DnsContext {
  outbound: Outbound;
  /** Where authoritative servers listen: 53 but in tests. */
  port: number;
  /** Lower-case A-label form. */
  name: string;
  signal: AbortSignal;
}

const PARENT_SERVERS = 2;

/** The closest zone above a name that has name servers, with two of their addresses. */
export async function findParent({ outbound, name, signal }: DnsContext) {
  const labels = name.split(".");
  for (let from = 1; from < labels.length; from += 1) {
    const zone = labels.slice(from).join(".");
    const answer = await outbound.ask({ name: zone, type: "NS" }, { signal });
    const addresses: string[] = [];
    for (const host of formatRecords(answer, "NS")) {
      if (addresses.length >= PARENT_SERVERS) break;
      const found = await outbound.locate(host, signal);
      addresses.push(...found.addresses.slice(0, 1));
    }
    if (addresses.length > 0) return { zone, addresses };
  }
  return null;
}

/** Resolvers and the servers of the zone above have to agree, as one may err. Null: not known. */
export async function isUnknownName(
  context: DnsContext,
  type: packets.RecordType,
): Promise<boolean | null> {
  const { outbound, name, signal } = context;
  const { outcome } = await outbound.ask({ name, type }, { signal });
  if (outcome !== "nxdomain") return isConclusive(outcome) ? false : null;
  const parent = await findParent(context);
  if (parent === null) return null;
  const asked = parent.addresses.map((address) => askAt(context, address, { name, type: "NS" }));
  return sayUnknown(await Promise.all(asked));
}

/** Whether all servers that answer say NXDOMAIN; null: none answers. */
export function sayUnknown(answers: readonly DnsAnswer[]): boolean | null {
  const said = answers.filter(({ outcome }) => isConclusive(outcome));
  return said.length === 0 ? null : said.every(({ outcome }) => outcome === "nxdomain");
}

export function askAt(
  { signal, port }: DnsContext,
  address: string,
  question: { name: string; type: packets.RecordType },
): Promise<DnsAnswer> {
  return askDns({ address, port }, question, { recurse: false, signal });
}

const MAX_RECORDS = 64;

/** The records of one type, sorted, each in the form of a zone file. */
export function formatRecords({ answers }: Pick<DnsAnswer, "answers">, type: string): string[] {
  const lines = answers
    .filter((record) => record.type === type)
    .map((record) => cleanText(formatRecord(record)));
  return [...new Set(lines)]
    .filter((line) => line !== "")
    .toSorted()
    .slice(0, MAX_RECORDS);
}

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
      // A new serial is no change by itself.
      return `${foldName(record.data.mname)} ${foldName(record.data.rname)}`;
    default:
      return "";
  }
}

/** A name in lower case; the root stays a full stop. */
function foldName(name: string): string {
  return name === "" || name === "." ? "." : name.toLowerCase().replace(/\.$/, "");
}
