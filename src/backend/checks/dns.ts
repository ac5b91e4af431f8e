import type * as packets from "dns-packet";
import { getDomain } from "tldts";
import type {
  DelegatedServer,
  DelegationResult,
  DnsResult,
  RecordSet,
} from "../../shared/checks.ts";
import { askDns, type DnsAnswer, isConclusive } from "../outbound/dns-client.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { cleanText } from "../outbound/received-text.ts";
import { answered, type CheckResult, foldHost, nothing, sortedOnce } from "./check-result.ts";

const MAX_EXCHANGES = 10;

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
  const look = async (type: packets.RecordType, asked = name) =>
    setOf(await ask(asked, type), type);
  // The keys are compared as they came.
  const [a, aaaa, ns, mx, txt, caa, soa, dmarc, delegated, keys] = await Promise.all([
    look("A"),
    look("AAAA"),
    look("NS"),
    look("MX"),
    look("TXT"),
    look("CAA"),
    look("SOA"),
    look("TXT", `_dmarc.${name}`),
    ask(name, "DS"),
    ask(name, "DNSKEY"),
  ]);
  if (isConclusive(keys.outcome) && isChainBroken(name, delegated.answers, keys.answers)) {
    dnssecFault = "No key of the zone matches its DS records.";
  }
  if (!isConclusive(soa.outcome)) return nothing(soa.outcome);
  const [ds, dnskey] = [setOf(delegated, "DS"), setOf(keys, "DNSKEY")];
  const privateAddresses = [...a.data, ...aaaa.data].filter((each) => !outbound.mayConnect(each));
  const dangling = await findDangling(context, mx);
  const sets = { a, aaaa, ns, mx, txt, caa, ds, dnskey, soa, dmarc };
  return answered({ ...sets, dnssecFault, privateAddresses, dangling });
}

function setOf(answer: DnsAnswer, type: packets.RecordType) {
  return { outcome: answer.outcome, data: formatRecords(answer, type) };
}

/** Mail hosts and the alias of `www` that do not exist. Null: not all could be asked. */
async function findDangling(context: DnsContext, mx: RecordSet): Promise<string[] | null> {
  const { outbound, name, signal } = context;
  const web = await outbound.ask({ name: `www.${name}`, type: "A" }, { signal });
  // The end of a chain of aliases comes last.
  const aliases = web.answers.filter(({ type }) => type === "CNAME").slice(-1);
  const [alias] = web.outcome === "nxdomain" ? formatRecords({ answers: aliases }, "CNAME") : [];
  const exchanges = mx.data
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
    .filter((record) => record.type === "DS")
    .map(({ data }) => data)
    .filter(({ digestType }) => DIGESTS[digestType] !== undefined);
  const keys = dnskey.filter((record) => record.type === "DNSKEY").map(({ data }) => data);
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

const MAX_SERVERS = 13;

/** Asks two servers of the parent for NS and DS, then each name server for SOA and NS, without recursion. */
export async function checkDelegation(context: DnsContext): Promise<CheckResult<DelegationResult>> {
  const { name } = context;
  const parent = await findParent(context);
  const fail = (detail: string) => nothing("unreachable", detail);
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
  return answered({
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

interface DnsContext {
  outbound: Outbound;
  /** Where authoritative servers listen: 53 but in tests. */
  port: number;
  /** Lower-case A-label form. */
  name: string;
  signal: AbortSignal;
}

const PARENT_SERVERS = 2;

/** The closest zone above a name that has name servers, with two of their addresses. */
async function findParent({ outbound, name, signal }: DnsContext) {
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
async function isUnknownName(
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
function sayUnknown(answers: readonly DnsAnswer[]): boolean | null {
  const said = answers.filter(({ outcome }) => isConclusive(outcome));
  return said.length === 0 ? null : said.every(({ outcome }) => outcome === "nxdomain");
}

function askAt(
  { signal, port }: DnsContext,
  address: string,
  question: { name: string; type: packets.RecordType },
): Promise<DnsAnswer> {
  return askDns({ address, port }, question, { recurse: false, signal });
}

/** Some domains have over a hundred TXT records; an answer has room for 64 KB. */
const MAX_RECORDS = 500;

/** The records of one type, sorted, each in the form of a zone file. */
function formatRecords({ answers }: Pick<DnsAnswer, "answers">, type: string): string[] {
  const lines = answers
    .filter((record) => record.type === type)
    .map((record) => cleanText(formatRecord(record)));
  return sortedOnce(lines).slice(0, MAX_RECORDS);
}

const MAX_TEXT = 1_000;

function formatRecord(record: packets.Answer): string {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.data;
    case "NS":
    case "CNAME":
      return foldHost(record.data) || ".";
    case "MX":
      return `${record.data.preference ?? 0} ${foldHost(record.data.exchange) || "."}`;
    case "TXT":
      return Buffer.concat([record.data].flat().map((part) => Buffer.from(part)))
        .toString()
        .slice(0, MAX_TEXT);
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
      return `${foldHost(record.data.mname) || "."} ${foldHost(record.data.rname) || "."}`;
    default:
      return "";
  }
}
