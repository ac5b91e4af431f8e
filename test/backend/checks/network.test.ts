import { describe, expect, test } from "bun:test";
import type * as packets from "dns-packet";
import tls from "node:tls";
import { UNKNOWN_REGISTRATION } from "../../../src/backend/checks/check-result.ts";
import { checkDelegation, checkDns, isChainBroken } from "../../../src/backend/checks/dns.ts";
import { judgeFindings, type Judgement } from "../../../src/backend/checks/findings.ts";
import { checkTls } from "../../../src/backend/checks/web.ts";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";
import { createOutbound } from "../../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../../src/backend/outbound/resolver.ts";
import { selfSigned, withNul } from "../../support/certificate.ts";
import { type DnsReply, startDnsServer } from "../../support/dns-server.ts";
import { startTcpServer } from "../../support/tcp-server.ts";

const signal = new AbortController().signal;
const NOW = new Date("2026-11-22T12:00:00Z");
const mayConnect = createAddressRule(["127.0.0.0/8"]);

const NAME = "amberfield.com";
const UNKNOWN: DnsReply = { rcode: 3 };
const FAILS: DnsReply = { rcode: 2 };

const a = (name: string, data: string): packets.Answer => ({ type: "A", name, data });
const ns = (name: string, ...hosts: string[]): DnsReply => {
  return { flags: 1_024, answers: hosts.map((data) => ({ type: "NS", name, data })) };
};
const txt = (...texts: string[]): DnsReply => {
  return { answers: texts.map((data) => ({ type: "TXT", name: NAME, data })) };
};
const SOA = { mname: "ns1.dns.example", rname: "x.y", serial: 1 };
const GONE_HOST = "mail.gone.com";
const ALIAS: DnsReply = {
  rcode: 3,
  answers: [{ type: "CNAME", name: `www.${NAME}`, data: GONE_HOST }],
};
const MX: DnsReply = {
  answers: [{ type: "MX", name: NAME, data: { preference: 1, exchange: GONE_HOST } }],
};
const DELEGATED = { keyTag: 1, algorithm: 8, digestType: 2, digest: Buffer.alloc(32) };
const DS: DnsReply = { answers: [{ type: "DS", name: NAME, data: DELEGATED }] };

/** What is said to a question, such as `amberfield.com MX`; undefined: as of a healthy name. */
type World = Readonly<
  Record<string, DnsReply | ((recurse: boolean, unchecked: boolean) => DnsReply | undefined)>
>;

const HEALTHY: Readonly<Record<string, DnsReply>> = {
  "com NS": ns("com", "a.gtld.example"),
  "a.gtld.example A": { answers: [a("a.gtld.example", "127.0.0.1")] },
  "ns1.dns.example A": { answers: [a("ns1.dns.example", "127.0.0.1")] },
  "ns2.dns.example A": { answers: [a("ns2.dns.example", "127.0.0.1")] },
  [`${NAME} NS`]: ns(NAME, "ns1.dns.example", "ns2.dns.example"),
  [`${NAME} SOA`]: { flags: 1_024, answers: [{ type: "SOA", name: NAME, data: SOA }] },
  [`${NAME} TXT`]: txt("v=spf1 -all"),
  [`_dmarc.${NAME} TXT`]: txt("v=DMARC1; p=reject"),
};

const ABOUT = { name: "", source: "", expires: null, isGone: null, now: NOW };

/** The findings that there are. */
const codesOf = (judged: Judgement): string[] =>
  Object.entries(judged).flatMap(([code, evidence]) => (evidence ? [code] : []));

/** A resolver and all authoritative servers in one, which listens where all are asked. */
async function askWorld(world: World) {
  using dns = await startDnsServer((query) => {
    const { name = "", type = "" } = query.questions?.[0] ?? {};
    const asked = `${name.toLowerCase()} ${type}`;
    const own = world[asked];
    const said = typeof own === "function" ? own(query.flag_rd, query.flag_cd) : own;
    return said ?? HEALTHY[asked] ?? {};
  });
  const outbound = createOutbound({ resolver: createResolver([dns.server]), mayConnect });
  const context = { outbound, port: dns.server.port, name: NAME, signal };
  const [delegation, dnsResult] = [await checkDelegation(context), await checkDns(context)];
  const judged = {
    delegation: judgeFindings({ ...ABOUT, results: { delegation: delegation.result } }),
    dns: judgeFindings({ ...ABOUT, results: { dns: dnsResult.result } }),
  };
  return { delegation, dns: dnsResult, judged };
}

/** Says so the first time, and then every other time. */
function alternately(reply: DnsReply) {
  let said = 0;
  return () => ((said += 1) % 2 === 0 ? undefined : reply);
}

const GONE = { [`${GONE_HOST} A`]: UNKNOWN, [`${GONE_HOST} NS`]: UNKNOWN };
const unchecked = (_: boolean, isUnchecked: boolean) => (isUnchecked ? undefined : FAILS);
const MANY = Array.from({ length: 100 }, (_, at) => `x=${at}`);

/** What there is to find, and what a world says that differs from a healthy one. */
const BROKEN: [string, string | null, World][] = [
  ["nothing", null, {}],
  ["a lame server", "no-server-answers", { [`${NAME} SOA`]: { rcode: 5 } }],
  ["an answer without authority", "no-server-answers", { [`${NAME} SOA`]: {} }],
  ["one server of two that refers to others", "lame-server", { [`${NAME} SOA`]: alternately({}) }],
  [
    "servers in a zone that fails validation, which answer",
    null,
    { "ns1.dns.example A": unchecked, "ns2.dns.example A": unchecked },
  ],
  ["one server", "single-server", { [`${NAME} NS`]: ns(NAME, "ns1.dns.example") }],
  [
    "a name server on a free domain",
    "ns-domain-unregistered",
    { "dns.example NS": UNKNOWN, "example NS": ns("example", "a.gtld.example") },
  ],
  ["a host for mail that is gone", "dangling-record", { [`${NAME} MX`]: MX, ...GONE }],
  ["an alias to what is gone", "dangling-record", { [`www.${NAME} A`]: ALIAS, ...GONE }],
  [
    "an alias that only the resolver does not know",
    null,
    { [`www.${NAME} A`]: ALIAS, [`${GONE_HOST} A`]: UNKNOWN },
  ],
  [
    "a private address beside a public one",
    "private-address",
    { [`${NAME} A`]: { answers: [a(NAME, "127.0.0.1"), a(NAME, "10.1.2.3")] } },
  ],
  ["a DS without its key", "dnssec-broken", { [`${NAME} DS`]: DS }],
  ["no DMARC", "mail-open", { [`_dmarc.${NAME} TXT`]: UNKNOWN }],
  ["no SPF", "mail-open", { [`${NAME} TXT`]: {} }],
  ["SPF beside a hundred others", null, { [`${NAME} TXT`]: txt(...MANY, "v=spf1 -all") }],
];

describe("findings of DNS", () => {
  test.each(BROKEN)("tell %s", async (_name, code, world) => {
    const { judged } = await askWorld(world);
    const codes = [...codesOf(judged.delegation), ...codesOf(judged.dns)];
    expect(codes).toEqual(code === null ? [] : expect.arrayContaining([code]));
  });

  test("tell the most look-ups of several SPF records", async () => {
    const many = Array.from({ length: 12 }, (_, at) => `include:${at}.example`).join(" ");
    const policies = txt("v=spf1 include:a.example -all", `v=spf1 ${many} -all`);
    const { judged } = await askWorld({ [`${NAME} TXT`]: policies });
    expect(judged.dns["mail-open"]).toBe("2 SPF records, SPF needs 12 look-ups");
  });

  test("read a text whose parts end within a character", async () => {
    const data = [Buffer.from([0xc3]), Buffer.from([0xa9])];
    const { dns } = await askWorld({
      [`${NAME} TXT`]: { answers: [{ type: "TXT", name: NAME, data }] },
    });
    expect(dns.result?.txt.data).toEqual(["é"]);
  });

  test("judge nothing that was not answered, so that what was known stays", async () => {
    const refused = { rcode: 5 };
    const { dns, judged } = await askWorld({
      [`${NAME} TXT`]: refused,
      [`${NAME} DS`]: refused,
      [`${NAME} A`]: refused,
    });
    expect(dns.outcome).toBe("ok");
    const others = judgeFindings({ ...ABOUT, results: {} });
    expect(judged.dns).toEqual({ ...others, "dangling-record": null });
    const unlocated = await askWorld({ "ns1.dns.example A": FAILS, "ns2.dns.example A": FAILS });
    expect(unlocated.judged.delegation["no-server-answers"]).toBeUndefined();
    expect(unlocated.judged.delegation["delegation-differs"]).toBeUndefined();
  });

  test("take a parent's word that there are no name servers, and a referral elsewhere for none", async () => {
    const parent = async (reply: DnsReply) => {
      return (await askWorld({ [`${NAME} NS`]: reply })).delegation;
    };
    expect((await parent({ flags: 1_024 })).result?.ns).toEqual({ outcome: "nodata", data: [] });
    for (const reply of [{}, ns("com", "a.gtld.example"), { rcode: 5 }]) {
      expect(await parent(reply)).toMatchObject({ outcome: "unreachable", result: null });
    }
  });

  test("take SERVFAIL that ends without validation for a broken chain, and no other", async () => {
    const ask = async (isAnswered: boolean) => {
      using dns = await startDnsServer((query) => (isAnswered && query.flag_cd ? {} : FAILS));
      const outbound = createOutbound({ resolver: createResolver([dns.server]), mayConnect });
      return await checkDns({ outbound, port: 1, name: "x.com", signal });
    };
    expect((await ask(true)).result?.dnssecFault).toBeString();
    expect(await ask(false)).toMatchObject({ outcome: "servfail", result: null });
  });
});

test("a resolver alone is not believed that a name does not exist", async () => {
  using wrong = await startDnsServer(() => ({ rcode: 3 }));
  using right = await startDnsServer(() => ({ answers: [a("x.com", "192.0.2.1")] }));
  using down = await startDnsServer(() => ({ rcode: 2 }));
  const outcome = async (...servers: (typeof wrong)[]) => {
    const resolver = createResolver(servers.map(({ server }) => server));
    return (await resolver.ask({ name: "x.com", type: "A" }, { signal })).outcome;
  };
  expect(await outcome(wrong, right)).toBe("data");
  expect(await outcome(wrong, down)).toBe("nxdomain");
  expect(await outcome(down, wrong, wrong)).toBe("nxdomain");
});

test("isChainBroken compares tags and computed digests", () => {
  // RFC 4509 §2.3.
  const key = Buffer.from(
    "AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==",
    "base64",
  );
  const digest = Buffer.from(
    "D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A",
    "hex",
  );
  const name = "dskey.example.com";
  const ds = (keyTag: number, of = digest, digestType = 2): packets.Answer => {
    return { type: "DS", name, data: { keyTag, algorithm: 5, digestType, digest: of } };
  };
  const dnskey: packets.Answer = { type: "DNSKEY", name, data: { flags: 256, algorithm: 5, key } };
  const isBroken = (...records: packets.Answer[]) => isChainBroken(name, records, [dnskey]);
  const whole = [[ds(60_485)], [ds(1), ds(60_485)], [], [ds(1, digest, 3)]];
  expect(whole.map((records) => isBroken(...records))).not.toContain(true);
  expect([ds(60_486), ds(60_485, Buffer.alloc(32))].map((each) => isBroken(each))).toEqual([
    true,
    true,
  ]);
  expect(isChainBroken(name, [ds(60_485)], [])).toBe(true);
});

test.each<[string, string[], boolean]>([
  ["amberfield.com", ["ok"], true],
  ["amberfield.com", ["client transfer prohibited"], false],
  ["amberfield.de", ["ok"], false],
  ["amberfield.xn--p1ai", ["ok"], false],
  ["amberfield.io", ["client delete prohibited"], true],
])("%s with the statuses %p has no transfer lock: %p", (name, statuses, isFound) => {
  const registry = { ...UNKNOWN_REGISTRATION, registered: true, statuses };
  const codes = codesOf(judgeFindings({ ...ABOUT, name, results: { registry } }));
  expect(codes).toEqual(isFound ? ["no-transfer-lock"] : []);
});

test("a registry that does not know a domain is named as elsewhere", () => {
  const judged = judgeFindings({
    ...ABOUT,
    source: "rdap:rdap.example",
    isGone: true,
    results: {},
  });
  expect(judged["not-registered"]).toBe("Registry (rdap.example) does not know it.");
});

describe("checkTls", () => {
  test("judges dates, name and chain apart, and tells a closed port from one without TLS", async () => {
    const { key, cert } = selfSigned("amberfield.com");
    const hostile = { key, cert: withNul(cert, "amberfield") };
    using secure = await startTcpServer((socket) => socket.end(), { tls: { key, cert } });
    using plain = await startTcpServer((socket) => socket.end("220 hello\r\n"));
    using odd = await startTcpServer(() => {}, { tls: hostile });
    using unnamed = await startTcpServer(() => {}, { tls: selfSigned("amberfield.com", "/") });
    using dns = await startDnsServer((query) =>
      query.questions?.[0]?.type === "A" ? { answers: [a("x", "127.0.0.1")] } : {},
    );
    const resolver = createResolver([dns.server]);
    const outbound = createOutbound({ resolver, mayConnect });
    const check = (name: string, { port }: { port: number }) =>
      checkTls(outbound, { name, port, before: [], now: NOW, signal });
    const own = await check("amberfield.com", secure);
    expect(own).toMatchObject({
      outcome: "ok",
      result: [{ names: ["amberfield.com"], nameMatches: true, chain: "self-signed" }],
    });
    const usual = tls.getCACertificates("default");
    tls.setDefaultCACertificates([cert]);
    const other = await check("birchgate.com", secure);
    tls.setDefaultCACertificates(usual);
    expect(other.result?.[0]).toMatchObject({ nameMatches: false, chain: "trusted" });
    // Postgres does not store NUL.
    const spoilt = await check("amberfield.com", odd);
    expect(spoilt.result?.[0]).toMatchObject({
      subject: "\uFFFDmberfield.com",
      nameMatches: false,
    });
    expect((await check("x.com", plain)).outcome).toBe("malformed");
    expect((await check("x.com", { port: 1 })).outcome).toBe("unreachable");
    // Authorities leave out the common name.
    const nameless = await check("birchgate.com", unnamed);
    expect(nameless.result?.[0]).toMatchObject({ subject: "amberfield.com", nameMatches: false });
  });

  test("ends when its time is over once DNS has answered, though the host says nothing", async () => {
    using silent = await startTcpServer(() => {});
    const outbound = createOutbound({ resolver: createResolver([]), mayConnect });
    const of = { name: "x.localhost", port: silent.port, before: [], now: NOW };
    const checked = checkTls(outbound, { ...of, signal: AbortSignal.abort() });
    expect(await Promise.race([checked.catch(() => "ended"), Bun.sleep(500)])).toBe("ended");
  });

  test.each<[number, number, string | undefined]>([
    [90, 15, undefined],
    [90, 14, "certificate-soon"],
    [90, 3, "certificate-critical"],
    [90, 3.1, "certificate-soon"],
    [90, 0, "certificate-expired"],
    [6, 2.1, undefined],
    [6, 2, "certificate-soon"],
    [6, 0.6, "certificate-critical"],
  ])("of %d days with %d left is %s", (lifetime, left, code) => {
    const at = (days: number) => new Date(NOW.getTime() + days * 86_400_000).toISOString();
    const certificate = {
      address: "192.0.2.1",
      subject: "x.com",
      names: ["x.com"],
      validFrom: at(left - lifetime),
      validTo: at(left),
      nameMatches: true,
      chain: "trusted" as const,
      seenAt: NOW.toISOString(),
    };
    const judged = judgeFindings({ ...ABOUT, results: { tls: [certificate] } });
    expect(codesOf(judged)).toEqual(code === undefined ? [] : [code]);
    const said = Object.values(judged).find((evidence) => evidence);
    const verb = code === "certificate-expired" ? "expired" : "expires";
    if (said) expect(said).toStartWith(`At 192.0.2.1 it ${verb} on 202`);
  });
});
