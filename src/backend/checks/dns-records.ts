import type * as packets from "dns-packet";
import { cleanText } from "../outbound/clean-text.ts";
import type { DnsAnswer } from "../outbound/dns-client.ts";

/** Records of one set that are read; more would only make pages long. */
const MAX_RECORDS = 64;

/** The records of one type in an answer, each as a line of a zone file would have it, sorted. */
export function formatRecords({ answers }: Pick<DnsAnswer, "answers">, type: string): string[] {
  const lines = answers
    .filter((record) => record.type === type)
    .map((record) => cleanText(formatRecord(record)));
  return [...new Set(lines)]
    .filter((line) => line !== "")
    .toSorted()
    .slice(0, MAX_RECORDS);
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
