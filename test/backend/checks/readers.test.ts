import { describe, expect, mock, test } from "bun:test";
import { join } from "node:path";
import * as fc from "fast-check";
import { askRdap, readRdapResponse } from "../../../src/backend/checks/rdap.ts";
import {
  createOutbound,
  type Outbound,
  parseRetryAfter,
} from "../../../src/backend/outbound/outbound.ts";
import { createResolver } from "../../../src/backend/outbound/resolver.ts";
import { readWhoisResponse, type WhoisServer } from "../../../src/backend/checks/whois.ts";
import { rdapDomain } from "../../support/fake-registry.ts";
import expected from "../../data/rdap/expected.json" with { type: "json" };

const NOW = new Date("2026-11-22T12:00:00Z");
const RDAP = join(import.meta.dir, "../../data/rdap");

const CASES: [string, Readonly<Record<string, unknown>>][] = Object.entries(expected);

/** Members of the expectation that describe the question or are for people. */
const ASKED = new Set(["status", "type", "from", "name", "effective", "severity", "note"]);

const rdap = (body: string, { status = 200, headers = {} } = {}) =>
  readRdapResponse(
    { status, headers, body },
    { name: "amberfield.com", from: "registry", now: NOW },
  );

const whois = (answer: string | Uint8Array, server: Partial<WhoisServer> = {}) =>
  readWhoisResponse(typeof answer === "string" ? new TextEncoder().encode(answer) : answer, {
    name: "amberfield.it",
    server: { host: "whois.test", notFound: null, ...server },
    now: NOW,
  });

describe("readRdapResponse", () => {
  test.each(CASES)("reads %s", async (file, wanted) => {
    const body = await Bun.file(join(RDAP, file)).text();
    const { outcome, result, related } = readRdapResponse(
      { status: Number(wanted["status"] ?? 200), headers: {}, body },
      {
        name: String(wanted["name"]),
        from: wanted["from"] === "registrar" ? "registrar" : "registry",
        now: NOW,
      },
    );
    const judged = Object.entries(wanted).filter(([key]) => !ASKED.has(key));
    expect({ outcome, related, registered: null, ...result }).toMatchObject(
      Object.fromEntries(judged),
    );
  });

  test.each([
    ["2027-02-30T00:00:00Z", null],
    ["2026-11-30T24:00:00Z", "2026-12-01T00:00:00.000Z"],
  ])("reads the day %p as %p, and no control character", (eventDate, expiresAt) => {
    const said = { objectClassName: "domain", ldhName: "amberfield.com" };
    const events = [{ eventAction: "expiration", eventDate }];
    const { result, outcome } = rdap(JSON.stringify({ ...said, events, status: ["a\0b\ud800"] }));
    expect(outcome).toBe("ok");
    expect(result).toMatchObject({ expiresAt, statuses: ["a\ufffdb\ufffd"] });
  });

  test("takes 503 as a limit only where the server says when to come back", () => {
    expect(rdap("", { status: 503 }).outcome).toBe("unreachable");
    expect(rdap("", { status: 503, headers: { "retry-after": "5" } }).outcome).toBe("limited");
    expect(rdap("<h1>Quota</h1>", { status: 401 }).outcome).toBe("limited");
    expect(rdap("<h1>No</h1>", { status: 403 }).outcome).toBe("refused");
  });

  test("reads nothing that nests too deeply, in any time that matters", () => {
    for (const body of [
      "[".repeat(1_000_000),
      `${"[".repeat(60)}${"]".repeat(60)}`,
      '"'.repeat(1_000_001),
      '"\\'.repeat(500_000),
      `{"objectClassName":"domain","ldhName":"amberfield.com","status":${JSON.stringify(
        Array.from({ length: 30_000 }, (_, index) => `status ${index}`),
      )}}`,
    ]) {
      const { outcome, result } = rdap(body);
      expect(["malformed", "absent"]).toContain(outcome);
      expect(result?.statuses?.length ?? 0).toBeLessThanOrEqual(100);
    }
  });

  test("survives any JSON", () => {
    const json = fc.jsonValue({ maxDepth: 5 });
    const members = "events status nameservers entities links notices redacted secureDNS";
    const domain = fc.record({
      objectClassName: fc.constant("domain"),
      ldhName: fc.constant("AMBERFIELD.COM."),
      ...Object.fromEntries(members.split(" ").map((member) => [member, json])),
    });
    fc.assert(
      fc.property(fc.oneof(domain, json), (value) => {
        expect(rdap(JSON.stringify(value)).outcome).toBeString();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (body) => {
        expect(rdap(body).outcome).toBe("malformed");
      }),
    );
  });
});

function askRegistry(request: Outbound["request"]) {
  const resolver = createResolver([]);
  const url = new URL("https://rdap.registry.test/domain/a.com");
  const { signal } = new AbortController();
  return askRdap(
    { ...createOutbound({ resolver, mayConnect: () => true }), request },
    { url, name: "a.com", from: "registry", now: NOW, signal },
  );
}

test.each([
  ["https://rdap.registrar.test/domain/a.com", true],
  ["https://dns/domain/a.com", false],
  ["https://dns./domain/a.com", false],
  ["https://192.0.2.7/domain/a.com", false],
  ["http://rdap.registrar.test/domain/a.com", false],
])("a registrar is asked at %s: %p", async (href, isAsked) => {
  const link = { rel: "related", type: "application/rdap+json", href };
  const body = JSON.stringify({ ...rdapDomain("a.com", {}), links: [link] });
  const { related } = await askRegistry(async () => ({ status: 200, headers: {}, body }));
  expect(related?.href).toBe(isAsked ? href : undefined);
});

test("a registry that redirects nowhere is asked once", async () => {
  const request = mock(async () => ({ status: 301, headers: {}, body: "" }));
  expect(await askRegistry(request)).toMatchObject({ outcome: "refused" });
  expect(request).toHaveBeenCalledTimes(1);
});

test("parseRetryAfter reads seconds and dates, from a second to a day", () => {
  const read = (value: string | undefined) => parseRetryAfter(value, NOW);
  expect(["120", "0", "99999999", "Sun, 22 Nov 2026 12:05:00 GMT"].map(read)).toEqual([
    120_000, 1_000, 86_400_000, 300_000,
  ]);
  expect(["Sun, 01 Nov 2026 12:05:00 GMT", "soon", undefined].map(read)).toEqual([
    1_000,
    null,
    null,
  ]);
});

/** Answers in the words of registries; what is `ok` expires on 21 April 2027. */
const ANSWERS: Record<"ok" | "absent" | "malformed" | "limited" | "not-found", string[]> = {
  ok: [
    "Domain: amberfield.it\nExpire Date: 2027-04-21\n",
    "domain.............: amberfield.it\nexpires............: 21.4.2027 12:00:00",
    "[Domain Name]   AMBERFIELD.IT\n[Created on]  2005/05/30\n[Expires on]  2027/04/21",
    "  Domain name:\n    amberfield.it\n\n  Relevant dates:\n    Expiry date:  21-Apr-2027\n",
    "query : amberfield.it\n등록일 : 2007. 03. 02.\n사용 종료일 : 2027. 04. 21.",
    "Domain Name: amberfield.it\nExpiration Date: Wed Apr 21 11:00:00 GMT 2027",
    "Record created on 2003-03-02.\nRecord expires on 2027-04-21.\nDomain servers in listed order:\n  ns1.test.example",
    "domain: AMBERFIELD.IT\npaid-till: 2027-04-21\nfree-date: 2027-05-21",
    "domain: amberfield.it\nexpire-date: 2027-04-21",
    "domain: amberfield.it [amberfield.it]\nexpires: 2027-04-21",
    "domain: amberfield.it\nstatus: OK-UNTIL 20270421",
    "Domain AMBERFIELD.IT\nRecord expires on Wed Apr 21 23:59:00 2027",
  ],
  absent: [
    "a. [Domain Name]   AMBERFIELD.IT\n[Last Update]  2026/05/31 10:00:00 (JST)",
    "Domain: amberfield.it\nName servers:\n  ns1.test.example\n",
    "amberfield.it is reserved by the registry\n",
  ],
  malformed: [
    "",
    "Domain: elsewhere.it\nExpire Date: 2027-04-21\n",
    "% To find out whether a name is available or not found, and for no other purpose, use this service, says the registry of all",
  ],
  limited: [
    "% Quota exceeded for 192.0.2.1\n",
    "Too many requests. Please try again later; no match is no answer.",
  ],
  "not-found": [
    "% No entries found for amberfield.it\n",
    "Domain: amberfield.it\nStatus: AVAILABLE\n",
    "amberfield.it nie znaleziono tej domeny\n",
    "Domain: amberfield.it\nStatus: free\nChanged: 2019-01-01\n",
    "No entries found for amberfield.it\n\nAccess to the whois service is rate limited. For more information, please see the site of the registry.\n\nWho exceeds the limit is blocked: this service is for those who look up one name, and for nobody who collects data of others, whatever it is for; a request denied is no fault of the registry, and requests beyond the rate limit of the day, which the terms of the registry name, are counted against the address from which they came, by day and by week.\n",
  ],
};

/** How a registry writes the day of the expiry; null: that says no day. */
const DAYS: [string, string | null, Partial<WhoisServer>?][] = [
  ["20270302", "2027-03-02"],
  ["2027-Apr-21.", "2027-04-21"],
  ["14-Feb-2027", "2027-02-14"],
  ["2027-04-21T23:30:00-05:00", "2027-04-22"],
  ["03/04/2027", null],
  ["03/04/2027", "2027-04-03", { dates: "dmy" }],
  ["04/25/2027", "2027-04-25"],
  ["2027-02-30", null],
  ["9999-12-31", null],
];

const REGISTERED: Record<string, boolean> = { ok: true, absent: true, "not-found": false };

describe("readWhoisResponse", () => {
  const answers = Object.entries(ANSWERS).flatMap(([outcome, texts]) =>
    texts.map((text) => [outcome, text] as const),
  );
  test.each(answers)("is %s at %j", (outcome, answer) => {
    // A marker of this server's own.
    const read = whois(answer, { notFound: "nie znaleziono" });
    const day = outcome === "ok" ? "2027-04-21" : null;
    expect([read.outcome, read.result?.expiresAt?.slice(0, 10) ?? null]).toEqual([outcome, day]);
    const isKnown = !answer.includes("reserved");
    expect(read.result?.registered ?? undefined).toBe(isKnown ? REGISTERED[outcome] : undefined);
  });

  test.each(DAYS)("reads the day %p as %p", (...[written, day, server]) => {
    const { outcome, result } = whois(
      `domain: amberfield.it\nexpires: ${written}\ncreated: 2001-01-01`,
      server,
    );
    expect([outcome, result?.expiresAt?.slice(0, 10) ?? null]).toEqual([
      day ? "ok" : "absent",
      day,
    ]);
  });

  test.each([
    "Maximum query rate reached",
    "You have exceeded the daily limit of queries.",
    "The query limit for 192.0.2.1\nhas been reached",
    "Your address is temporarily blocked",
    "192.0.2.1 is banned for abuse",
    "Too many simultaneous connections from your host",
    "% query_status: 440 Request Denied",
    "You have hit the rate limit.",
    "-1: Still in grace period. Wait for 3544 seconds to obtain another access to the whois server.",
    "You have exceeded allotted number of whois queries for today. NOT FOUND results are not shown.",
    "You have been blacklisted",
    "Number of allowed queries exceeded",
    "Your quota of look-ups has been reached. NOT FOUND",
    "Not found: please wait 60 seconds before the next question",
  ])("takes %p for a limit", (answer) => {
    expect(whois(`% The registry\n%\n${answer}\n`).outcome).toBe("limited");
    expect(whois(`${answer}\n\nNo match\n`).outcome).toBe("limited");
    expect(whois(`${answer}\n\nDomain: amberfield.it\nExpires: 2027-04-21`).outcome).toBe("ok");
  });

  test.each([
    "Who queries more than 100 names a day is blacklisted.",
    "If the limit is exceeded, wait for 3600 seconds.",
    "Your address will be blocked where it makes too many queries.",
    "You may never make excessive queries.",
    "Please wait while we look.",
  ])("takes %p for terms of use", (terms) => {
    expect(whois(`${terms}\n\nNo match\n`).outcome).toBe("not-found");
  });

  test("reads UTF-8, Latin-1 and what the server is known to write", () => {
    const text = "Domain: amberfield.it\nRegistrar: Société";
    expect(whois(Buffer.from(text, "latin1")).result?.registrar).toBe("Société");
    expect(whois(text).result?.registrar).toBe("Société");
    const cyrillic = Buffer.from("domain: amberfield.it\nregistrar: \xc4\xcf", "latin1");
    expect(whois(cyrillic, { charset: "koi8-r" }).result?.registrar).toBe("до");
  });

  test("leaves no half character where it cuts a line", () => {
    const { result } = whois(
      `Domain: amberfield.it\nRegistrar: ${"a".repeat(488)}😀\nExpires: 2027-04-21`,
    );
    expect(result?.registrar).toBe(`${"a".repeat(488)}\uFFFD`);
  });

  test("lists name servers and statuses once, without what stands beside them", () => {
    const { result } = whois(
      `Domain: amberfield.it
Name Server 1: NS1.Test.Example. (192.0.2.1)
Name Server 2: ns2.test.example
nserver: ns2.test.example
Domain Status: clientHold https://icann.org/epp#clientHold
Domain Status: Active
Registrar: MarkMonitor, Inc. (R22-LRCC)`,
    );
    expect(result).toMatchObject({
      nameServers: ["ns1.test.example", "ns2.test.example"],
      statuses: ["client hold", "ok"],
      registrar: "MarkMonitor, Inc.",
    });
  });

  test.each<[string, string]>([
    ["one line", "x"],
    ["lines", "a\n"],
    ["blanks", " "],
    ["digits before a letter", `${"1".repeat(499)}x:\n`],
    ["commas before a link", `status: ${", ".repeat(240)}x\n`],
    ["months", "expires: jan jan jan jan jan jan jan 1 \n"],
    ["colons", ":"],
    ["keys", "nserver: a.b\nstatus: c\ndomain: amberfield.it\n"],
  ])("takes linear time for ten megabytes of %s", (_name, part) => {
    const bytes = new TextEncoder().encode(part.repeat(Math.ceil(10_000_000 / part.length)));
    expect(whois(bytes).outcome).toBeString();
  });

  test("survives any bytes, and never calls them free", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        expect(whois(bytes).outcome).not.toBe("not-found");
      }),
    );
    const lines = answers.flatMap(([, answer]) => answer.split("\n"));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), fc.string())), (some) => {
        expect(whois(some.join("\r\n")).outcome).toBeString();
      }),
    );
  });
});
