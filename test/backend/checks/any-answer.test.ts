import { expect, spyOn } from "bun:test";
import * as fc from "fast-check";
import { Socket } from "node:net";
import type * as packets from "dns-packet";
import { createCheckWork } from "../../../src/backend/checks/run-checks.ts";
import { mergeServers } from "../../../src/backend/checks/lookup-servers.ts";
import { databaseClock } from "../../../src/backend/database/database.ts";
import { createAddressRule } from "../../../src/backend/outbound/addresses.ts";
import type { DnsOutcome } from "../../../src/backend/outbound/dns-client.ts";
import { createOutbound, type Outbound } from "../../../src/backend/outbound/outbound.ts";
import type { Resolver } from "../../../src/backend/outbound/resolver.ts";
import { CHECK_KINDS } from "../../../src/shared/check-summary.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";
import { startDnsServer } from "../../support/dns-server.ts";
import { rdapDomain } from "../../support/fake-registry.ts";
import { future } from "../../support/future.ts";
import { addNames } from "./simulate-year.ts";

const DAY_MS = 86_400_000;
const ODD = 6;
const NAMES = 20;
const RUNS = 3;

/** Text of all UTF-16 units, NUL and halves of pairs above all. */
const anyText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 32, max: 126 }) },
      fc.constantFrom(0, 0xd800, 0xdfff, 0x7f, 0x85, 0x202e),
      fc.nat(0xffff),
    ),
    { maxLength: 40 },
  )
  .map((units) => String.fromCharCode(...units));

const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.array(anyText, { maxLength: 130 }),
  fc.array(
    fc.dictionary(fc.constantFrom("eventAction", "eventDate", "ldhName", "rel", "href"), anyText),
  ),
);

const rdapMembers =
  "events status nameservers entities links notices redacted secureDNS ldhName".split(" ");

/** The others of DNS end as these do. */
const OUTCOMES: DnsOutcome[] = ["data", "nodata", "nxdomain", "servfail", "refused", "timeout"];

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(
      fc.tuple(fc.constantFrom("domain", "expires", "status", "nserver", "registrar"), anyText),
    )
    .map((lines) => Buffer.from(lines.map((line) => line.join(": ")).join("\r\n"))),
);

const anyRecord = fc.tuple(anyText, anyText, fc.nat(65_535)).chain(([data, other, number]) => {
  const bytes = Buffer.from(other);
  return fc.constantFrom<packets.Answer>(
    { type: "A", name: data, data: other },
    { type: "NS", name: data, data: other },
    { type: "CNAME", name: data, data: other },
    { type: "TXT", name: data, data: [bytes] },
    { type: "MX", name: data, data: { preference: number, exchange: other } },
    { type: "CAA", name: data, data: { flags: 0, tag: "issue", value: other } },
    {
      type: "DS",
      name: data,
      data: { keyTag: number, algorithm: 8, digestType: 2, digest: bytes },
    },
    { type: "DNSKEY", name: data, data: { flags: 256, algorithm: 8, key: bytes } },
    { type: "SOA", name: data, data: { mname: data, rname: other, serial: number } },
  );
});

/** What the servers of one domain say, and what stands in its rows. */
const anyWorld = fc.record({
  rdap: fc.record({
    // A host that limits us is left alone for all of its domains: that is no matter of one.
    status: fc.constantFrom(200, 200, 200, 404, 503),
    members: fc.dictionary(fc.constantFrom(...rdapMembers), anyJson),
  }),
  whois: anyBytes,
  dns: fc.record({
    outcome: fc.constantFrom(...OUTCOMES),
    answers: fc.array(anyRecord, { maxLength: 70 }),
  }),
  hosts: fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 }), { maxLength: 20 }),
  stored: fc.record({
    result: fc.oneof(
      anyJson.map((value) => JSON.stringify(value)),
      fc.constantFrom("", "[", "null"),
    ),
    text: anyText.map((text) => text.toWellFormed().replaceAll("\0", "")),
    failures: fc.constantFrom(0, 1, 2_147_483_647, -1),
  }),
});
type World = Parameters<Parameters<typeof anyWorld.map>[0]>[0];

test("whatever one domain's servers and rows contain, all others are checked", async () => {
  await using server = await startBackend();
  const database = await server.openDatabase();
  using logged = spyOn(console, "error").mockImplementation(() => {});
  const start = Date.parse(future("2026-11-22T12:00:00Z"));
  const time = { now: start };
  const names = Array.from({ length: NAMES }, (_, at) => `n${at}.${at % 2 === 0 ? "com" : "it"}`);
  const expires = future("2028-01-01T00:00:00Z");
  const day = new Date(start).toISOString();
  await addNames(database, new Map(names.map((name) => [name, expires])), day);
  const worlds = new Map<string, World>();

  using dns = await startDnsServer((query) => {
    const name = query.questions?.[0]?.name ?? "";
    const hosts = worlds.get(name.toLowerCase())?.hosts ?? [];
    const answers = hosts.map((label): packets.Answer => {
      return { type: "NS", name, data: `${Buffer.from(label).toString("latin1")}.x` };
    });
    return { answers };
  });
  const quiet = { outcome: "nodata" as const, answers: [], authorities: [], authoritative: false };
  const resolver: Resolver = {
    async ask({ name, type }) {
      const world = worlds.get(name.replace(/^(?:_dmarc|www)\./, ""));
      if (world !== undefined) return { ...quiet, ...world.dns };
      if (type !== "NS" || name.includes(".")) return quiet;
      return { ...quiet, outcome: "data", answers: [{ type, name, data: "a.gtld" }] };
    },
    addressesOf: async (host) =>
      host === "a.gtld"
        ? { outcome: "data" as const, addresses: ["127.0.0.1"] }
        : { outcome: "nodata" as const, addresses: [] },
  };
  const mayConnect = createAddressRule(["127.0.0.0/8"]);
  const outbound: Outbound = {
    ...createOutbound({ resolver, mayConnect }),
    async request(url) {
      const name = url.pathname.split("/").at(-1) ?? "";
      const { status = 200, members = {} } = worlds.get(name)?.rdap ?? {};
      const body = JSON.stringify({ ...rdapDomain(name, { expires }), ...members });
      return { status, headers: {}, body };
    },
    async connect() {
      const socket = new Socket();
      const write = (line: string) => {
        const name = line.trim();
        const usual = Buffer.from(`domain: ${name}\nexpires: ${expires.slice(0, 10)}\n`);
        queueMicrotask(() => {
          socket.emit("data", worlds.get(name)?.whois ?? usual);
          socket.emit("end");
        });
        return true;
      };
      return Object.assign(socket, { write });
    },
  };
  const whois = new Map([["it", { host: "whois.test", notFound: null }]]);
  const rdap = new Map([["com", "https://rdap.test/"]]);
  const intervals = { "rdap.test": 0, "whois.test": 0 };
  const servers = mergeServers(new Map(), { rdap, whois, intervals });
  const work = createCheckWork({
    database,
    outbound,
    servers: () => servers,
    ports: { dns: dns.server.port, http: 80, https: 443 },
    readNow: databaseClock(() => new Date(time.now)),
    isOn: async () => true,
  });
  const { signal } = new AbortController();
  const step = async () => {
    while ((await work.round(signal)) === true);
  };
  await step();
  const odd = names.slice(0, ODD);
  const property = fc.asyncProperty(
    fc.array(anyWorld, { minLength: ODD, maxLength: ODD }),
    async (all) => {
      worlds.clear();
      for (const [at, world] of all.entries()) worlds.set(odd[at] ?? "", world);
      await database.write(async (sql) => {
        for (const [name, { stored }] of worlds) {
          const { result, text, failures } = stored;
          await sql`update checks set result = ${result}, failures = ${failures}, source = ${text},
            detail = ${text}, missing_since = ${text}, answered_at = ${text} where name = ${name}`;
          await sql`update observations set value = ${text}, detail = ${result}
            where domain_id = (select id from domains where name = ${name})`;
        }
      });
      // Everything is due, and what limited us does so no longer. The pace of a queue is a second.
      time.now += DAY_MS * 100;
      for (let second = 0; second < 12; second += 1) {
        await step();
        time.now += 60_000 * 60;
      }
      const late = await database.read(
        (sql) => sql<{ name: string; kind: string }[]>`select name, kind from checks
          where checked_at < ${new Date(time.now - DAY_MS).toISOString()} or checked_at is null`,
      );
      expect(late.filter(({ name }) => !worlds.has(name))).toEqual([]);
      const [{ rows } = { rows: 0 }] = await database.read(
        (sql) => sql<{ rows: number }[]>`select cast(count(*) as integer) as rows from checks
          where kind in ${sql(CHECK_KINDS)} and outcome is not null and leased_until is null`,
      );
      expect(rows).toBeGreaterThanOrEqual((NAMES - ODD) * 5);
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  expect(logged.mock.calls).toEqual([]);
});
