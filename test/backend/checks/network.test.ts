import { describe, expect, test } from "bun:test";
import type * as packets from "dns-packet";
import { createServer, type AddressInfo } from "node:net";
import tls, { createServer as createTlsServer } from "node:tls";
import { UNKNOWN_REGISTRATION } from "../../../src/backend/checks/check-result.ts";
import { checkDelegation, checkDns, isChainBroken } from "../../../src/backend/checks/dns.ts";
import {
  judgeFindings,
  type Judgement,
  type FindingContext,
} from "../../../src/backend/checks/findings.ts";
import { checkTls } from "../../../src/backend/checks/web.ts";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";
import { createOutbound } from "../../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../../src/backend/outbound/resolver.ts";
import { selfSigned, withNul } from "../../support/certificate.ts";
import { type DnsReply, startDnsServer } from "../../support/dns-server.ts";

const signal = new AbortController().signal;
const NOW = new Date("2026-11-22T12:00:00Z");
const mayConnect = createAddressRule(["127.0.0.0/8"]);

const ns = (name: string, ...hosts: string[]): packets.Answer[] =>
  hosts.map((data) => ({ type: "NS", name, data, ttl: 1 }));
const a = (name: string, data: string): packets.Answer => ({ type: "A", name, data, ttl: 1 });

type Said = (asked: string, recurse: boolean, unchecked: boolean) => DnsReply | null;

/** The findings that there are. */
const codesOf = (judged: Judgement): string[] =>
  Object.entries(judged).flatMap(([code, evidence]) => (evidence ? [code] : []));

/** A resolver and all authoritative servers in one, which listens where everybody is asked. */
async function askWorld(say: Said) {
  using dns = await startDnsServer((query) => {
    const { name = "", type = "" } = query.questions?.[0] ?? {};
    return say(`${name.toLowerCase()} ${type}`, query.flag_rd, query.flag_cd);
  });
  const outbound = createOutbound({ resolver: createResolver([dns.server]), mayConnect });
  const context = { outbound, port: dns.server.port, name: "amberfield.com", signal };
  const [delegation, world] = [await checkDelegation(context), await checkDns(context)];
  const nothingElse = {
    name: "",
    source: "",
    renewal: null,
    conflict: null,
    isGone: null,
    now: NOW,
  };
  const judge = (results: FindingContext["results"]) => {
    const {
      "auto-renewed-unpaid": _unpaid,
      "auto-renewed-unsure": _unsure,
      "expiry-conflict": _conflict,
      ...judged
    } = judgeFindings({ ...nothingElse, results });
    return judged;
  };
  const judged = {
    delegation: judge({ delegation: delegation.result }),
    dns: judge({ dns: world.result }),
  };
  const codes = { delegation: codesOf(judged.delegation), dns: codesOf(judged.dns) };
  return { delegation, world, judged, codes };
}

/** A healthy name with two servers; what a test says goes before it. */
const healthy =
  (own: Said): Said =>
  (asked, recurse, unchecked) => {
    const said = own(asked, recurse, unchecked);
    if (said !== null) return said;
    const hosts = ["ns1.dns.example", "ns2.dns.example"];
    if (asked === "com NS") return { answers: ns("com", "a.gtld.example") };
    if (asked.endsWith("dns.example A") || asked === "a.gtld.example A")
      return { answers: [a(asked.split(" ")[0] ?? "", "127.0.0.1")] };
    if (asked === "amberfield.com NS" && !recurse)
      return { flags: 1_024, answers: ns("amberfield.com", ...hosts) };
    if (asked === "amberfield.com SOA") {
      const data = { mname: hosts[0] ?? "", rname: "x.y", serial: 1 };
      return { flags: 1_024, answers: [{ type: "SOA", name: "amberfield.com", data }] };
    }
    if (asked === "amberfield.com TXT")
      return { answers: [{ type: "TXT", name: "amberfield.com", data: "v=spf1 -all" }] };
    if (asked === "_dmarc.amberfield.com TXT")
      return {
        answers: [{ type: "TXT", name: "_dmarc.amberfield.com", data: "v=DMARC1; p=reject" }],
      };
    return {};
  };

/** Says so the first time, and then every other time. */
function alternately(say: Said): Said {
  let said = 0;
  return (...asked) => {
    const answer = say(...asked);
    return answer !== null && (said += 1) % 2 === 0 ? null : answer;
  };
}

const BROKEN: [string, string, "delegation" | "dns", Said][] = [
  ["nothing", "", "dns", () => null],
  [
    "a lame server",
    "no-server-answers",
    "delegation",
    (asked, recurse) => (asked === "amberfield.com SOA" && !recurse ? { rcode: 5 } : null),
  ],
  [
    "an answer without authority",
    "no-server-answers",
    "delegation",
    (asked, recurse) => (asked === "amberfield.com SOA" && !recurse ? {} : null),
  ],
  [
    "one server of two that refers to others",
    "lame-server",
    "delegation",
    alternately((asked, recurse) => (asked === "amberfield.com SOA" && !recurse ? {} : null)),
  ],
  [
    "servers in a zone that fails validation, which answer",
    "",
    "delegation",
    (asked, _, unchecked) => (asked.endsWith("dns.example A") && !unchecked ? { rcode: 2 } : null),
  ],
  [
    "one server",
    "single-server",
    "delegation",
    (asked) =>
      asked === "amberfield.com NS"
        ? { flags: 1_024, answers: ns("amberfield.com", "ns1.dns.example") }
        : null,
  ],
  [
    "a name server on a free domain",
    "ns-domain-unregistered",
    "delegation",
    (asked) =>
      asked === "dns.example NS"
        ? { rcode: 3 }
        : asked === "example NS"
          ? { answers: ns("example", "a.gtld.example") }
          : null,
  ],
  [
    "a host for mail that is gone",
    "dangling-record",
    "dns",
    (asked) =>
      asked === "amberfield.com MX"
        ? {
            answers: [
              {
                type: "MX",
                name: "amberfield.com",
                data: { preference: 1, exchange: "mail.gone.com" },
              },
            ],
          }
        : asked.startsWith("mail.gone.com")
          ? { rcode: 3 }
          : null,
  ],
  [
    "an alias to what is gone",
    "dangling-record",
    "dns",
    (asked) =>
      asked === "www.amberfield.com A"
        ? {
            rcode: 3,
            answers: [{ type: "CNAME", name: "www.amberfield.com", data: "shop.gone.com" }],
          }
        : asked.startsWith("shop.gone.com")
          ? { rcode: 3 }
          : null,
  ],
  [
    "an alias that only the resolver does not know",
    "",
    "dns",
    (asked, recurse) =>
      asked === "www.amberfield.com A"
        ? {
            rcode: 3,
            answers: [{ type: "CNAME", name: "www.amberfield.com", data: "shop.gone.com" }],
          }
        : asked.startsWith("shop.gone.com") && recurse
          ? { rcode: 3 }
          : null,
  ],
  [
    "a private address beside a public one",
    "private-address",
    "dns",
    (asked) =>
      asked === "amberfield.com A"
        ? { answers: [a("amberfield.com", "127.0.0.1"), a("amberfield.com", "10.1.2.3")] }
        : null,
  ],
  [
    "a DS without its key",
    "dnssec-broken",
    "dns",
    (asked) =>
      asked === "amberfield.com DS"
        ? {
            answers: [
              {
                type: "DS",
                name: "amberfield.com",
                data: { keyTag: 1, algorithm: 8, digestType: 2, digest: Buffer.alloc(32) },
              },
            ],
          }
        : null,
  ],
  [
    "no DMARC",
    "mail-open",
    "dns",
    (asked) => (asked === "_dmarc.amberfield.com TXT" ? { rcode: 3 } : null),
  ],
  ["no SPF", "mail-open", "dns", (asked) => (asked === "amberfield.com TXT" ? {} : null)],
  [
    "nothing of an SPF record beside a hundred others",
    "",
    "dns",
    (asked) => {
      if (asked !== "amberfield.com TXT") return null;
      const others = Array.from({ length: 100 }, (_, at) => `site-verification=${at}`);
      return {
        answers: [...others, "v=spf1 -all"].map((data) => ({
          type: "TXT" as const,
          name: "amberfield.com",
          data,
        })),
      };
    },
  ],
  [
    "two of them",
    "mail-open",
    "dns",
    (asked) =>
      asked === "amberfield.com TXT"
        ? {
            answers: ["a", "b"].map((x) => ({
              type: "TXT" as const,
              name: "amberfield.com",
              data: `v=spf1 include:${x}.example -all`,
            })),
          }
        : null,
  ],
];

describe("findings of DNS", () => {
  test.each(BROKEN)("tell %s", async (_name, code, kind, say) => {
    const { codes } = await askWorld(healthy(say));
    expect(codes[kind]).toEqual(code === "" ? [] : expect.arrayContaining([code]));
  });

  test("tell the most look-ups of several SPF records", async () => {
    const many = Array.from({ length: 12 }, (_, at) => `include:${at}.example`).join(" ");
    const { judged } = await askWorld(
      healthy((asked) =>
        asked === "amberfield.com TXT"
          ? {
              answers: ["include:a.example", many].map((part) => ({
                type: "TXT" as const,
                name: "amberfield.com",
                data: `v=spf1 ${part} -all`,
              })),
            }
          : null,
      ),
    );
    expect(judged.dns["mail-open"]).toBe("2 SPF records, SPF needs 12 look-ups");
  });

  test("judge nothing that was not answered, so that what was known stays", async () => {
    const failing = new Set(["amberfield.com TXT", "amberfield.com DS", "amberfield.com A"]);
    const { world, judged } = await askWorld(
      healthy((asked) => (failing.has(asked) ? { rcode: 5 } : null)),
    );
    expect(world.outcome).toBe("ok");
    expect(judged.dns).toEqual({ "dangling-record": null });
    const { judged: unlocated } = await askWorld(
      healthy((asked) => (asked.endsWith("dns.example A") ? { rcode: 2 } : null)),
    );
    expect(unlocated.delegation["no-server-answers"]).toBeUndefined();
    expect(unlocated.delegation["delegation-differs"]).toBeUndefined();
  });

  test("take a parent's word that there are no name servers, and a referral elsewhere for none", async () => {
    const parent = (reply: DnsReply) =>
      askWorld(
        healthy((asked, recurse) => (asked === "amberfield.com NS" && !recurse ? reply : null)),
      );
    const { delegation: none } = await parent({ flags: 1_024 });
    expect(none.result?.ns).toEqual({ outcome: "nodata", data: [] });
    for (const reply of [{}, { answers: ns("com", "a.gtld.example") }, { rcode: 5 }]) {
      const { delegation } = await parent(reply);
      expect(delegation).toMatchObject({ outcome: "unreachable", result: null });
    }
  });

  test("take SERVFAIL that ends without validation for a broken chain, and no other", async () => {
    using dns = await startDnsServer((query) => (query.flag_cd ? {} : { rcode: 2 }));
    using failing = await startDnsServer(() => ({ rcode: 2 }));
    const ask = async ({ server }: typeof dns) => {
      const outbound = createOutbound({ resolver: createResolver([server]), mayConnect });
      return checkDns({ outbound, port: 1, name: "x.com", signal });
    };
    expect((await ask(dns)).result?.dnssecFault).toBeString();
    expect(await ask(failing)).toMatchObject({ outcome: "servfail", result: null });
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
  const ds = (keyTag: number, of = digest, digestType = 2): packets.Answer[] => [
    {
      type: "DS",
      name: "dskey.example.com",
      data: { keyTag, algorithm: 5, digestType, digest: of },
    },
  ];
  const dnskey: packets.Answer[] = [
    { type: "DNSKEY", name: "dskey.example.com", data: { flags: 256, algorithm: 5, key } },
  ];
  const isBroken = (records: packets.Answer[], keys = dnskey) =>
    isChainBroken("dskey.example.com", records, keys);
  expect(isBroken(ds(60_485))).toBe(false);
  expect(isBroken([...ds(1), ...ds(60_485)])).toBe(false);
  expect(isBroken([])).toBe(false);
  expect(isBroken(ds(1, digest, 3))).toBe(false);
  expect(isBroken(ds(60_486))).toBe(true);
  expect(isBroken(ds(60_485, Buffer.alloc(32)))).toBe(true);
  expect(isBroken(ds(60_485), [])).toBe(true);
});

test.each<[string, string[], boolean]>([
  ["amberfield.com", ["ok"], true],
  ["amberfield.com", ["client transfer prohibited"], false],
  ["amberfield.de", ["ok"], false],
  ["amberfield.xn--p1ai", ["ok"], false],
  ["amberfield.io", ["client delete prohibited"], true],
])("%s with the statuses %p has no transfer lock: %p", (name, statuses, isFound) => {
  const registry = { ...UNKNOWN_REGISTRATION, registered: true, statuses };
  const context = { name, source: "", renewal: null, conflict: null, isGone: false, now: NOW };
  const codes = codesOf(judgeFindings({ ...context, results: { registry } }));
  expect(codes).toEqual(isFound ? ["no-transfer-lock"] : []);
});

test("a registry that does not know a domain is named as elsewhere", () => {
  const about = { name: "x.com", source: "rdap:rdap.example", renewal: null, conflict: null };
  const judged = judgeFindings({ ...about, isGone: true, now: NOW, results: {} });
  expect(judged["not-registered"]).toBe("Registry (rdap.example) does not know it.");
});

describe("checkTls", () => {
  test("judges dates, name and chain apart, and tells a closed port from one without TLS", async () => {
    const { key, cert } = selfSigned("amberfield.com");
    const secure = createTlsServer({ key, cert }, (socket) => socket.end());
    const plain = createServer((socket) => socket.end("220 hello\r\n"));
    const hostile = createTlsServer({ key, cert: withNul(cert, "amberfield") });
    const unnamed = createTlsServer(selfSigned("amberfield.com", "/"));
    const servers = [secure, plain, hostile, unnamed];
    for (const server of servers) {
      await new Promise<void>((done) => {
        server.listen(0, "127.0.0.1", done);
      });
    }
    const portOf = (server: typeof plain) => (server.address() as AddressInfo).port;
    using dns = await startDnsServer((query) =>
      query.questions?.[0]?.type === "A" ? { answers: [a("x", "127.0.0.1")] } : {},
    );
    const resolver = createResolver([dns.server]);
    const outbound = createOutbound({ resolver, mayConnect });
    const check = (name: string, port: number) =>
      checkTls(outbound, { name, port, before: [], now: NOW, signal });
    const own = await check("amberfield.com", portOf(secure));
    expect(own).toMatchObject({
      outcome: "ok",
      result: [{ names: ["amberfield.com"], nameMatches: true, chain: "self-signed" }],
    });
    const usual = tls.getCACertificates("default");
    tls.setDefaultCACertificates([cert]);
    const other = await check("birchgate.com", portOf(secure));
    tls.setDefaultCACertificates(usual);
    expect(other.result?.[0]).toMatchObject({ nameMatches: false, chain: "trusted" });
    // Postgres does not store NUL.
    const odd = await check("amberfield.com", portOf(hostile));
    expect(odd.result?.[0]).toMatchObject({ subject: "\uFFFDmberfield.com", nameMatches: false });
    expect((await check("x.com", portOf(plain))).outcome).toBe("malformed");
    expect((await check("x.com", 1)).outcome).toBe("unreachable");
    // Authorities leave out the common name.
    const nameless = await check("birchgate.com", portOf(unnamed));
    expect(nameless.result?.[0]).toMatchObject({ subject: "amberfield.com", nameMatches: false });
    for (const server of servers) server.close();
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
    const context = {
      name: "",
      source: "",
      renewal: null,
      conflict: null,
      isGone: false,
      now: NOW,
    };
    const judged = judgeFindings({ ...context, results: { tls: [certificate] } });
    expect(codesOf(judged)).toEqual(code === undefined ? [] : [code]);
    const said = Object.values(judged).find((evidence) => evidence);
    const verb = code === "certificate-expired" ? "expired" : "expires";
    if (said) expect(said).toStartWith(`At 192.0.2.1 it ${verb} on 202`);
  });
});
