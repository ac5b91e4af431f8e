import { describe, expect, spyOn } from "bun:test";
import { Socket } from "node:net";
import { join } from "node:path";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { test as both } from "../../support/both-databases.ts";
import { selfSigned } from "../../support/certificate.ts";
import { answerAbove, startChecked } from "../../support/checked-backend.ts";
import { changeMany, patchDomain } from "../../support/domains.ts";
import { rdapDomain, startFakeRegistry } from "../../support/fake-registry.ts";
import { future } from "../../support/future.ts";
import { importFile } from "../../support/import-client.ts";
import { startServer } from "../../support/server-process.ts";
import { startTcpServer } from "../../support/tcp-server.ts";
import { testWith } from "../../support/test-with.ts";
import { addNames } from "./simulate-year.ts";

const DAY_MS = 86_400_000;

const KNOWN = { expires: future("2028-01-01T00:00:00Z") };

const never = () => Promise.withResolvers<Response>().promise;

const test = testWith(startChecked);
const testBoth = testWith(startChecked, both);

describe("checks", () => {
  test("tell a renewal that was paid from one of the registry’s own", async (checked) => {
    const { registry, add, read, step, time } = checked;
    const known = { expires: future("2026-12-01T10:00:00Z"), registrar: "Larkspur" };
    await add({ name: "amberfield.com", registrar: "Larkspur" }, known);
    await step();
    const before = await read("amberfield.com");
    const source = `rdap:${registry.host}`;
    expect(before).toMatchObject({
      expires: { date: future("2026-12-01"), source, conflict: false },
      checks: { registry: { outcome: "ok", result: { registrar: "Larkspur" } } },
    });

    // The day comes, the registry adds a year, and no one has paid.
    time.now = Date.parse(future("2026-12-02T12:00:00Z"));
    const renewed = { ...known, expires: future("2027-12-01T10:00:00Z") };
    const changed = future("2026-12-01T10:00:05Z");
    registry.names.set("amberfield.com", { ...renewed, changed, status: ["auto renew period"] });
    await step();
    const unpaid = await read("amberfield.com");
    expect(unpaid.expires?.date).toBe(future("2026-12-01"));
    expect(unpaid.findings[0]).toMatchObject({ code: "auto-renewed-unpaid", severity: "critical" });
    const listed = await checked.client.json("/api/domains?finding=critical").then(parseDomainPage);
    expect(listed.items[0]).toMatchObject({ name: "amberfield.com", severity: "critical" });

    // Beyond the grace period it is still there: it was paid.
    time.now = Date.parse(future("2027-01-20T12:00:00Z"));
    registry.names.set("amberfield.com", renewed);
    await step();
    expect((await read("amberfield.com")).expires?.date).toBe(future("2027-12-01"));
    expect(await checked.codes("amberfield.com")).not.toContain("auto-renewed-unpaid");
  });

  test("never change what a person wrote, and keep a day that is missing now", async (checked) => {
    const { registry, add, read, step, time } = checked;
    const known = { expires: future("2027-05-05T10:00:00Z") };
    const written = { notes: "mine", registrar: "Gandi" };
    await add({ name: "birchgate.com", expires: future("2027-01-01"), ...written }, known);
    await step();
    expect(await read("birchgate.com")).toMatchObject({
      expires: { date: future("2027-01-01"), source: "manual", conflict: true },
      ...written,
    });
    registry.names.set("birchgate.com", {});
    time.now += 40 * DAY_MS;
    await step();
    expect(await read("birchgate.com")).toMatchObject({
      expires: { date: future("2027-01-01"), alternatives: [{ date: future("2027-05-05") }] },
      checks: { registry: { outcome: "absent" } },
    });
  });

  test("take an answer without statuses, or with some of a wrong type, for no news of them", async (checked) => {
    const { registry, add, read, codes, step, time } = checked;
    const known = { expires: future("2027-12-01T10:00:00Z"), registrar: "Larkspur" };
    await add({ name: "unpaid.com" }, { ...known, status: ["auto renew period"] });
    await add({ name: "held.com" }, { ...known, status: ["client hold"] });
    await step();
    const later = { ...known, registrar: "Larkspur Inc.", status: null };
    registry.names.set("unpaid.com", later);
    registry.names.set("held.com", { ...later, status: "active" });
    await add({ name: "new.com" }, later);
    time.now += 31 * DAY_MS;
    await step();
    const unpaid = await read("unpaid.com");
    expect(unpaid.checks["registry"]).toMatchObject({ result: { registrar: "Larkspur Inc." } });
    expect(unpaid.expires?.date).toBe(future("2026-12-01"));
    expect(await codes("unpaid.com")).toContain("auto-renewed-unpaid");
    expect(await codes("held.com")).toContain("client-hold");
    expect((await read("new.com")).expires).not.toBeNull();
    expect(await codes("new.com")).not.toContain("client-hold");
  });

  test("believe “not found” the second time, if the parent zone agrees", async (checked) => {
    const { add, read, codes, check, step, time, zone, registry } = checked;
    let isDelegated = true;
    zone.answer = (asked, recurse) => {
      if (recurse || !isDelegated || asked !== "cinderhall.com NS") {
        return answerAbove(asked) ?? { rcode: 3 };
      }
      return { answers: [{ type: "NS", name: "cinderhall.com", data: "ns.test" }] };
    };
    const { id } = await add({ name: "cinderhall.com", expires: future("2027-05-05") });
    await step();
    isDelegated = false;
    // A day later the zone above does not know it either, but the registry was asked once only.
    time.now += 0.5 * DAY_MS;
    await check(id, "delegation", "registry");
    await step();
    expect((await read("cinderhall.com")).checks).toMatchObject({
      registry: { outcome: "not-found", checkedAt: new Date(time.now).toISOString() },
      delegation: { checkedAt: new Date(time.now).toISOString() },
    });
    expect(await codes("cinderhall.com")).not.toContain("not-registered");
    time.now += 2 * DAY_MS;
    await step();
    expect(await codes("cinderhall.com")).toContain("not-registered");
    expect((await read("cinderhall.com")).expires?.date).toBe(future("2027-05-05"));
    // It is there again.
    registry.names.set("cinderhall.com", { expires: future("2027-05-05T00:00:00Z") });
    time.now += 3 * DAY_MS;
    await step();
    expect(await codes("cinderhall.com")).not.toContain("not-registered");
  });

  test("raise an alarm for what the same name still has half an hour later", async (checked) => {
    const { add, client, read, codes, check, step, time, zone } = checked;
    zone.answer = () => ({});
    const { id } = await add({ name: "dovetail.com" });
    const other = await add({ name: "birchgate.com" });
    await step();
    const look = async (minutes: number) => {
      time.now += minutes * 60_000;
      await check(id, "dns");
      await check(other.id, "dns");
      await step();
      return codes("dovetail.com");
    };
    expect(await look(0)).not.toContain("mail-open");
    const { nextAt } = (await read("dovetail.com")).checks["dns"] ?? {};
    expect(Date.parse(nextAt ?? "") - time.now).toBeLessThan(3_600_000);
    await patchDomain(client, other.id, { name: "elmbridge.com" }, "*");
    // For a domain that is new, the register is looked through at once.
    await add({ name: "new.invalid" });
    expect(await look(29)).not.toContain("mail-open");
    expect(await look(2)).toContain("mail-open");
    expect(await codes("elmbridge.com")).not.toContain("mail-open");
  });

  test("hold a certificate for what it was when its address answered last", async () => {
    const serve = (name: string, host: string, port = 0) =>
      startTcpServer((socket) => socket.end(), { tls: selfSigned(name), host, port });
    using right = await serve("amberfield.com", "127.0.0.1");
    const https = right.port;
    using wrong = await serve("birchgate.com", "127.0.0.2", https);
    await using checked = await startChecked({ https });
    const { add, check, zone, time, step, read } = checked;
    time.now = Date.now();
    let addresses = ["127.0.0.1", "127.0.0.2"];
    zone.answer = (asked) => {
      if (asked !== "amberfield.com A") return {};
      return { answers: addresses.map((data) => ({ type: "A", name: "amberfield.com", data })) };
    };
    const { id } = await add({ name: "amberfield.com" });
    const look = async (days: number) => {
      time.now += days * DAY_MS;
      await check(id, "tls");
      await step();
      const { checks, findings } = await read("amberfield.com");
      const codes = findings.map(({ code }): string => code);
      return [checks["tls"]?.outcome, ...codes.filter((code) => code.startsWith("certificate"))];
    };
    expect(await look(0)).toEqual(["ok", "certificate-name"]);
    wrong[Symbol.dispose]();
    expect(await look(1)).toEqual(["ok", "certificate-name"]);
    addresses = ["127.0.0.1"];
    expect(await look(1)).toEqual(["ok"]);
    right[Symbol.dispose]();
    expect(await look(40)).toEqual(["unreachable"]);
  });

  testBoth("share one host's interval among two instances, and ask nothing twice", async () => {
    await using checked = await startChecked({ intervalMs: 300 });
    const { registry, add, read, step, time } = checked;
    const names = Array.from({ length: 6 }, (_, index) => `name-${index}.com`);
    for (const name of names) await add({ name }, KNOWN);
    await using other = await checked.startOther();
    for (const at of names.keys()) {
      await Promise.all([step(), other.step()]);
      expect(registry.asked).toHaveLength(at + 1);
      time.now += 300;
    }
    expect(registry.asked.map(({ name }) => name).toSorted()).toEqual(names);
    for (const name of names) expect((await read(name)).observations).toHaveLength(1);
    // A clock that jumps releases no flood, and one that was ahead is not waited for.
    for (const jump of [400 * DAY_MS, -400 * DAY_MS]) {
      const before = registry.asked.length;
      time.now += jump;
      await Promise.all([step(), other.step()]);
      expect(registry.asked).toHaveLength(before + 1);
    }
    // Nor for the end of what it has leased.
    time.now += DAY_MS;
    await checked.server.write((sql) => sql`update checks set due_at = '', leased_until = '2999'`);
    const before = registry.asked.length;
    await step();
    expect(registry.asked).toHaveLength(before + 1);
  });

  test("give back what they are asking when they stop", async (checked) => {
    const { registry, add, server, step } = checked;
    await add({ name: "elmbridge.com" }, never);
    const stepping = step();
    while (registry.asked.length === 0) await Bun.sleep(1);
    await server.backend.close();
    await stepping;
    registry.names.set("elmbridge.com", KNOWN);
    // The time stands still: what was leased is due at once, and its host is free.
    await using next = await checked.startOther();
    await next.step();
    expect(registry.asked).toHaveLength(2);
  });

  test("ask no server at the pace of the one that a suffix had before", async (checked) => {
    await using next = startFakeRegistry();
    const startWhois = () => startTcpServer((socket) => socket.end());
    using whois = await startWhois();
    using nextWhois = await startWhois();
    const { add, check, startOther, server, options, time } = checked;
    const at = (rdap: string, { port }: typeof whois) => ({
      sources: { rdap: { com: rdap }, whois: { it: { host: `127.0.0.1:${port}` } } },
    });
    await using first = await startOther(at(checked.registry.url, whois));
    const { id } = await add({ name: "amberfield.com" });
    const other = await add({ name: "amberfield.it" });
    await first.step();
    await check(id, "registry");
    await check(other.id, "whois");
    time.now += 60_000;
    // So many that its domain is not among the first that are planned again.
    const others = Array.from({ length: 300 }, (_, index) => [`n${index}.invalid`, null] as const);
    const database = await server.openDatabase();
    await addNames(database, new Map(others), options.clock().toISOString());
    await using moved = await startOther(at(next.url, nextWhois));
    await moved.step();
    expect([next.asked.length, whois.count(), nextWhois.count()]).toEqual([1, 1, 1]);
  });

  test("tell another registrar and other name servers than before, for two weeks", async (checked) => {
    const { registry, add, check, codes, read, step, time } = checked;
    const of = { expires: future("2028-01-01T00:00:00Z"), nameServers: ["ns1.old.example"] };
    const { id } = await add({ name: "amberfield.com" }, { ...of, registrar: "Larkspur" });
    await step();
    const other = { registrar: "Teasel", nameServers: ["ns1.new.example"] };
    registry.names.set("amberfield.com", { ...of, ...other });
    await check(id, "registry");
    await step();
    const evidence = ["It was Larkspur.", "They were ns1.old.example."];
    const { findings } = await read("amberfield.com");
    expect(findings.map(({ text }) => text)).toEqual(expect.arrayContaining(evidence));
    time.now += 15 * DAY_MS;
    await check(id, "registry");
    await step();
    expect((await codes("amberfield.com")).filter((code) => code.endsWith("changed"))).toEqual([]);
  });

  test("say that a registry has not answered in time", async (checked) => {
    const { registry, add, read, step } = checked;
    const { timeout } = AbortSignal;
    using _ = spyOn(AbortSignal, "timeout").mockImplementation((ms) =>
      timeout.call(AbortSignal, ms === 90_000 ? 50 : ms),
    );
    await add({ name: "foxglove.com" }, never);
    await step();
    expect((await read("foxglove.com")).checks["registry"]).toMatchObject({
      outcome: "timeout",
      source: `rdap:${registry.host}`,
    });
  });

  test("are taken over where a process is killed in the middle, and ask and report nothing twice", async () => {
    await using checked = await startChecked({ mode: "off" });
    const { registry, dns, add, options, server, time } = checked;
    time.now = Date.now();
    const names = ["one.com", "two.com", "three.com", "four.com"];
    // The first two are answered; a host is asked one thing at a time, so the fourth is not asked.
    for (const name of names) {
      const answer = () => Response.json(rdapDomain(name, KNOWN));
      await add({ name }, () => (registry.asked.length > 2 ? never() : answer()));
    }
    const sources = join(server.folder, "sources.json");
    await Bun.write(sources, JSON.stringify(options.checks.sources));
    const reported = () =>
      server.read((sql) => sql<{ domain_id: string }[]>`select domain_id from observations`);
    const asked = () => registry.asked.map(({ name }) => name).toSorted();
    const other = await startServer({
      DATABASE_URL: server.databaseUrl,
      CHECKS: "on",
      CHECKS_SOURCES: sources,
      CHECKS_ALLOW: "127.0.0.0/8",
      DNS_SERVERS: `127.0.0.1:${dns.server.port}`,
    });
    while (asked().length < 3 || (await reported()).length < 2) await Bun.sleep(5);
    await other.stop("SIGKILL");
    await other[Symbol.asyncDispose]();
    const answered = asked();
    for (const name of names) registry.names.set(name, KNOWN);
    registry.asked.length = 0;
    await using heir = await checked.startOther({ mode: "on" });
    time.now = Date.now();
    await heir.step();
    expect(asked()).toEqual([]);
    time.now += 150_000;
    await heir.step();
    const rows = await reported();
    expect(new Set(rows.map((row) => row.domain_id)).size).toBe(4);
    expect(asked()).toHaveLength(2);
    expect(new Set([...answered, ...asked()]).size).toBe(4);
  });

  test("leave a host alone that asks for it, whatever is due", async (checked) => {
    const { registry, add, step, time, status } = checked;
    const names = ["one.com", "two.com", "three.com"];
    const limited = () => new Response("", { status: 429, headers: { "Retry-After": "3600" } });
    for (const name of names) await add({ name }, limited);
    await step();
    const [host] = (await status()).hosts;
    expect(host).toMatchObject({ host: registry.host, lastOutcome: "limited" });
    expect(host?.blockedUntil).not.toBeNull();
    await step();
    expect(registry.asked.length).toBe(1);
    for (const name of names) registry.names.set(name, KNOWN);
    time.now += 2 * 3_600_000;
    await step();
    expect((await status()).outcomes["ok"]).toBeGreaterThanOrEqual(3);
  });

  test("are off until the owner turns them on, and then ask nobody", async () => {
    const opened = [spyOn(Bun, "udpSocket"), spyOn(Socket.prototype, "connect")];
    await using checked = await startChecked({ mode: null });
    const { registry, dns, add, check, client, read, step, turn } = checked;
    for (const opening of opened) opening.mockClear();
    const { id } = await add({ name: "dovetail.com" }, KNOWN);
    expect((await check(id)).status).toBe(409);
    const many = await changeMany(client, { ids: [id] }, { kind: "check" });
    expect(many.status).toBe(409);
    await step();
    expect([registry.asked.length, dns.asked.length]).toEqual([0, 0]);
    for (const opening of opened) {
      expect(opening).not.toHaveBeenCalled();
      opening.mockRestore();
    }
    expect(await client.json("/api/checks")).toMatchObject({ on: false, choice: null });
    expect(await (await turn(true)).json()).toMatchObject({ on: true, choice: true });
    await step();
    expect((await read("dovetail.com")).expires?.date).toBe(future("2028-01-01"));
  });

  test("say that the registry never followed, on the day when it should have, and while off too", async () => {
    await using checked = await startChecked({ mode: null });
    const { add, read, step, time, turn } = checked;
    await turn(true);
    await add({ name: "amberfield.com" }, { expires: future("2027-01-23T10:00:00Z") });
    await step();
    // The registrar books first.
    const list = `Domain,Expires,Registrar\namberfield.com,${future("2028-01-23")},Gandi`;
    await importFile(checked.client, list);
    const ahead = await read("amberfield.com");
    expect(ahead.expires).toMatchObject({ date: future("2028-01-23"), conflict: false });
    await turn(false);
    time.now = Date.parse(future("2027-01-24T12:00:00Z"));
    await step();
    expect((await read("amberfield.com")).expires).toMatchObject({ conflict: true });
  });

  test("let CHECKS decide where it is set", async () => {
    await using checked = await startChecked({ mode: "off" });
    expect((await checked.turn(true)).status).toBe(409);
  });

  testBoth("are estimated by when their hosts may be asked", async (checked) => {
    const { add, server, status, time } = checked;
    const { id: domain_id } = await add({ name: "amberfield.com" });
    const at = new Date(time.now).toISOString();
    const after = (ms: number) => new Date(time.now + ms).toISOString();
    const dueAt = async (kind: "rdap" | "whois", pace: object) => {
      const host = `${kind}.example`;
      await server.write(async (sql) => {
        const usual = { floor_ms: 0, good: 0, limited: 0, day: at.slice(0, 10), next_at: at };
        await sql`insert into check_hosts ${sql({ host, kind, interval_ms: 5_000, ...usual, ...pace })}`;
        const row = { domain_id, kind, name: "amberfield.com", queue: host, due_at: at };
        await sql`insert into checks ${sql({ ...row, priority: 1, failures: 0 })}`;
      });
      return (await status()).estimate;
    };
    expect(await dueAt("rdap", { today: 0, blocked_until: after(3_600_000) })).toBe(
      after(3_605_000),
    );
    const tomorrow = new Date(Math.ceil(time.now / DAY_MS) * DAY_MS + 5_000).toISOString();
    expect(await dueAt("whois", { today: 1_000, blocked_until: null })).toBe(tomorrow);
  });
});

describe("check now", () => {
  test("goes before everything that is due, for one or for many", async (checked) => {
    const { registry, add, check, read, step, client } = checked;
    const look = async (year: number) => {
      await step();
      expect((await read("elmbridge.com")).expires?.date).toBe(future(`${year}-01-01`));
      const expires = future(`${year + 1}-01-01T00:00:00Z`);
      registry.names.set("elmbridge.com", { expires, changed: future("2026-11-22T11:00:00Z") });
    };
    const { id } = await add({ name: "elmbridge.com" }, KNOWN);
    await look(2028);
    expect((await check(id, "registry")).status).toBe(202);
    await look(2029);
    const op = { kind: "check", kinds: ["registry"] };
    const many = await changeMany(client, { filter: {}, expectedCount: 1 }, op);
    expect(await many.json()).toMatchObject({ matched: 1, operation: null });
    await look(2030);
  });

  testBoth("leaves out what is archived, and does not count it", async (checked) => {
    const { registry, add, check, step, client } = checked;
    const { id } = await add({ name: "elmbridge.com" }, KNOWN);
    await patchDomain(client, id, { archivedOn: "2027-01-01" }, "*");
    expect((await check(id)).status).toBe(409);
    const many = await changeMany(client, { ids: [id] }, { kind: "check" });
    expect(await many.json()).toMatchObject({ matched: 1, changed: 0 });
    await step();
    expect(registry.asked).toBeEmpty();
  });

  testBoth("is due now for a domain that was just added, too", async (checked) => {
    const { id } = await checked.add({ name: "elmbridge.com" }, KNOWN);
    expect((await checked.check(id, "dns", "tls", "http")).status).toBe(202);
    await checked.step();
    const { checks, waiting } = await checked.read("elmbridge.com");
    expect(Object.keys(checks).toSorted()).toEqual(["dns", "http", "registry", "tls"]);
    expect(waiting).toEqual(["delegation"]);
  });
});
