import type * as packets from "dns-packet";
import type { DnsResult, RecordSet } from "../../shared/checks.ts";
import { type DnsAnswer, isConclusive } from "../outbound/dns-client.ts";
import { answered, type CheckResult, nothing } from "./check-result.ts";
import { type DnsContext, formatRecords, isUnknownName } from "./dns-questions.ts";

const MAX_EXCHANGES = 10;

/** Asks the resolvers for each kind of record that findings and people need. */
export async function checkDns(context: DnsContext): Promise<CheckResult<DnsResult>> {
  const { outbound, name, signal } = context;
  let dnssecFault: string | null = null;
  const ask = async (asked: string, type: packets.RecordType): Promise<DnsAnswer> => {
    const question = { name: asked, type };
    const answer = await outbound.ask(question, { signal });
    if (answer.outcome !== "servfail") return answer;
    const unchecked = await outbound.ask(question, { signal, checkingDisabled: true });
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
    privateAddresses: addresses.filter((address) => !outbound.mayConnect(address)),
    dangling: await findDangling(context, mx),
  };
  return answered("dns", result);
}

function setOf(answer: DnsAnswer, type: packets.RecordType): RecordSet {
  return { outcome: answer.outcome, data: formatRecords(answer, type) };
}

/** Mail hosts and the alias of `www` that do not exist. Null: not all could be asked. */
async function findDangling(context: DnsContext, mx: DnsAnswer): Promise<string[] | null> {
  const { outbound, name, signal } = context;
  const web = await outbound.ask({ name: `www.${name}`, type: "A" }, { signal });
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

/** Digests by their number in the registry of DS digests (RFC 4034, 4509, 6605). */
const DIGESTS: Readonly<Record<number, Bun.SupportedCryptoAlgorithms>> = {
  1: "sha1",
  2: "sha256",
  4: "sha384",
};

/** Whether no key of a zone matches its DS records; unknown digests prove nothing. */
export function isChainBroken(
  name: string,
  ds: readonly packets.Answer[],
  dnskey: readonly packets.Answer[],
): boolean {
  const digests = ds
    .filter((record): record is packets.DSAnswer => record.type === "DS")
    .map(({ data }) => data)
    .filter(({ digestType }) => DIGESTS[digestType] !== undefined);
  const keys = dnskey
    .filter((record): record is packets.DnskeyAnswer => record.type === "DNSKEY")
    .map(({ data }) => data);
  return (
    digests.length > 0 && !digests.some((digest) => keys.some((key) => matches(name, digest, key)))
  );
}

type Ds = packets.DSAnswer["data"];
type Dnskey = packets.DnskeyAnswer["data"];

/** RFC 4034 §5.1.4: the digest covers the owner's name and the key's data. */
function matches(name: string, { keyTag, algorithm, digestType, digest }: Ds, key: Dnskey) {
  const data = Buffer.concat([
    Buffer.from([key.flags >> 8, key.flags & 0xff, 3, key.algorithm]),
    key.key,
  ]);
  const hash = DIGESTS[digestType];
  if (hash === undefined || algorithm !== key.algorithm || keyTag !== tagOf(data)) return false;
  return new Bun.CryptoHasher(hash).update(wireName(name)).update(data).digest().equals(digest);
}

/** RFC 4034, appendix B. */
function tagOf(data: Buffer): number {
  let sum = 0;
  for (const [at, byte] of data.entries()) sum += at % 2 === 0 ? byte * 256 : byte;
  return (sum + (sum >> 16)) & 0xffff;
}

function wireName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
