import { describe, expect, spyOn, test } from "bun:test";
import { type AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test as testBoth } from "../../support/both-databases.ts";
import { selfSigned } from "../../support/certificate.ts";
import { startChecked } from "../../support/checked-backend.ts";
import { changeMany } from "../../support/domains.ts";
import { rdapDomain } from "../../support/fake-registry.ts";
import { future } from "../../support/future.ts";
import { importFile } from "../../support/import-client.ts";
import { startServer } from "../../support/server-process.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

const DAY_MS = 86_400_000;

describe("checks", () => {
  test("tell a renewal that was paid from one that the registry made by itself", async () => {
    await using checked = await startChecked();
    const { registry, add, read, time, until } = checked;
    registry.names.set("amberfield.com", {
      expires: future("2026-12-01T10:00:00Z"),
      registrar: "Larkspur",
    });
    await add({ name: "amberfield.com", registrar: "Larkspur" });
    const before = await until(
      () => read("amberfield.com"),
      ({ expires }) => expires !== null,
    );
    expect(before.expires).toMatchObject({
      date: future("2026-12-01"),
      source: `rdap:${registry.host}`,
      conflict: false,
    });
    expect(before.checks["registry"]).toMatchObject({
      outcome: "ok",
      result: { registrar: "Larkspur" },
    });

    // The day comes, the registry adds a year, nobody has paid.
    time.now = Date.parse(future("2026-12-02T12:00:00Z"));
    registry.names.set("amberfield.com", {
      expires: future("2027-12-01T10:00:00Z"),
      changed: future("2026-12-01T10:00:05Z"),
      status: ["auto renew period"],
      registrar: "Larkspur",
    });
    const unpaid = await until(
      () => read("amberfield.com"),
      ({ findings }) => findings.length > 0,
    );
    expect(unpaid.expires?.date).toBe(future("2026-12-01"));
    expect(unpaid.findings[0]).toMatchObject({ code: "auto-renewed-unpaid", severity: "critical" });
    const listed = await checked.client.json("/api/domains?finding=critical").then(parseDomainPage);
    expect(listed.items[0]).toMatchObject({ name: "amberfield.com", severity: "critical" });

    // Beyond the grace period it is still there: it was paid.
    time.now = Date.parse(future("2027-01-20T12:00:00Z"));
    registry.names.set("amberfield.com", {
      expires: future("2027-12-01T10:00:00Z"),
      registrar: "Larkspur",
    });
    const paid = await until(
      () => read("amberfield.com"),
      ({ expires }) => expires?.date === future("2027-12-01"),
    );
    expect(paid.findings.map(({ code }) => code)).not.toContain("auto-renewed-unpaid");
  });

  test("never change what a person wrote, and take back nothing for a day that is missing", async () => {
    await using checked = await startChecked();
    const { registry, add, read, time, until } = checked;
    registry.names.set("birchgate.com", { expires: future("2027-05-05T10:00:00Z") });
    await add({
      name: "birchgate.com",
      expires: future("2027-01-01"),
      notes: "mine",
      registrar: "Gandi",
    });
    const checkedOnce = await until(
      () => read("birchgate.com"),
      ({ checks }) => checks["registry"] !== undefined,
    );
    expect(checkedOnce).toMatchObject({
      expires: { date: future("2027-01-01"), source: "manual", conflict: true },
      notes: "mine",
      registrar: "Gandi",
    });
    registry.names.set("birchgate.com", {});
    time.now += 40 * DAY_MS;
    const later = await until(
      () => read("birchgate.com"),
      ({ checks }) => checks["registry"]?.outcome === "absent",
    );
    expect(later.expires).toMatchObject({
      date: future("2027-01-01"),
      alternatives: [{ date: future("2027-05-05") }],
    });
  });

  test.each([
    ["without statuses", null],
    ["with statuses of the wrong type", "active"],
  ])("take an answer %s for no news of them", async (_words, status) => {
    await using checked = await startChecked();
    const { registry, add, read, codes, time, until } = checked;
    const expires = future("2027-12-01T10:00:00Z");
    const names = {
      "unpaid.com": { expires, status: ["auto renew period"], registrar: "Larkspur" },
      "held.com": { expires, status: ["client hold"], registrar: "Larkspur" },
    };
    for (const [name, known] of Object.entries(names)) {
      registry.names.set(name, known);
      await add({ name });
      await until(
        () => codes(name),
        (found) => found.length > 0,
      );
      registry.names.set(name, { ...known, registrar: "Larkspur Inc.", status });
    }
    time.now += 31 * DAY_MS;
    for (const name of Object.keys(names)) {
      const { checks } = await until(
        () => read(name),
        (domain) => Date.parse(domain.checks["registry"]?.checkedAt ?? "") >= time.now,
      );
      expect(checks["registry"]?.outcome).toBe("ok");
    }
    expect((await read("unpaid.com")).expires?.date).toBe(future("2026-12-01"));
    expect(await codes("unpaid.com")).toContain("auto-renewed-unpaid");
    expect(await codes("held.com")).toContain("client-hold");
    registry.names.set("new.com", { expires, status });
    await add({ name: "new.com" });
    const { findings } = await until(
      () => read("new.com"),
      (domain) => domain.expires !== null,
    );
    expect(findings).toEqual([]);
  });

  test("believe “not found” the second time, a day later, when the parent zone agrees", async () => {
    await using checked = await startChecked();
    const { add, read, time, zone, registry, until } = checked;
    let isDelegated = true;
    zone.answer = (asked, recurse) => {
      if (asked === "com NS") return { answers: [{ type: "NS", name: "com", data: "a.test" }] };
      if (asked === "a.test A")
        return { answers: [{ type: "A", name: "a.test", data: "127.0.0.1" }] };
      if (recurse || !isDelegated || asked !== "cinderhall.com NS") return { rcode: 3 };
      return { answers: [{ type: "NS", name: "cinderhall.com", data: "ns.test" }] };
    };
    const codes = async () =>
      (await read("cinderhall.com")).findings.map(({ code }): string => code);
    const checkedSince = (at: number, kind: string) =>
      until(
        () => read("cinderhall.com"),
        ({ checks }) => Date.parse(checks[kind]?.checkedAt ?? "") >= at,
      );
    await add({ name: "cinderhall.com", expires: future("2027-05-05") });
    await checkedSince(time.now, "registry");
    isDelegated = false;
    // A day later the zone above does not know it either, but the registry was asked once only.
    time.now += 0.5 * DAY_MS;
    await changeMany(
      checked.client,
      { filter: {}, expectedCount: 1 },
      { kind: "check", kinds: ["delegation", "registry"] },
    );
    await checkedSince(time.now, "registry");
    await checkedSince(time.now, "delegation");
    expect(await codes()).not.toContain("not-registered");
    time.now += 2 * DAY_MS;
    await until(codes, (found) => found.includes("not-registered"));
    expect((await read("cinderhall.com")).expires?.date).toBe(future("2027-05-05"));
    // It is there again.
    registry.names.set("cinderhall.com", { expires: future("2027-05-05T00:00:00Z") });
    time.now += 3 * DAY_MS;
    await until(codes, (found) => !found.includes("not-registered"));
  });

  test("raise no alarm for what was seen once, and one for what is there half an hour later", async () => {
    await using checked = await startChecked();
    const { add, read, time, zone, registry, client, until } = checked;
    registry.names.set("dovetail.com", { expires: future("2028-01-01T00:00:00Z") });
    zone.answer = () => ({});
    const { id } = await add({ name: "dovetail.com" });
    await until(
      () => read("dovetail.com"),
      ({ expires }) => expires !== null,
    );
    const look = async () => {
      await client.request(`/api/domains/${id}/check`, {
        method: "POST",
        json: { kinds: ["dns"] },
      });
      const { checks, findings } = await until(
        () => read("dovetail.com"),
        (domain) => Date.parse(domain.checks["dns"]?.checkedAt ?? "") >= time.now,
      );
      return {
        nextAt: Date.parse(checks["dns"]?.nextAt ?? ""),
        codes: findings.map(({ code }): string => code),
      };
    };
    const first = await look();
    expect(first.codes).not.toContain("mail-open");
    expect(first.nextAt - time.now).toBeLessThan(3_600_000);
    time.now += 29 * 60_000;
    expect((await look()).codes).not.toContain("mail-open");
    time.now += 2 * 60_000;
    expect((await look()).codes).toContain("mail-open");
  });

  test("hold a certificate for what it was when its address answered last", async () => {
    const serve = async (name: string, port: number, address: string) => {
      const server = createTlsServer(selfSigned(name), (socket) => socket.end());
      await new Promise<void>((done) => {
        server.listen(port, address, done);
      });
      return server;
    };
    const right = await serve("amberfield.com", 0, "127.0.0.1");
    const https = (right.address() as AddressInfo).port;
    const wrong = await serve("birchgate.com", https, "127.0.0.2");
    await using checked = await startChecked({ https });
    const { add, check, zone, time, until, read } = checked;
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
      const { checks, findings } = await until(
        () => read("amberfield.com"),
        (domain) => Date.parse(domain.checks["tls"]?.checkedAt ?? "") >= time.now,
      );
      const codes = findings.map(({ code }): string => code);
      return [checks["tls"]?.outcome, ...codes.filter((code) => code.startsWith("certificate"))];
    };
    expect(await look(0)).toEqual(["ok", "certificate-name"]);
    wrong.close();
    expect(await look(1)).toEqual(["ok", "certificate-name"]);
    addresses = ["127.0.0.1"];
    expect(await look(1)).toEqual(["ok"]);
    right.close();
    expect(await look(40)).toEqual(["unreachable"]);
  });

  testBoth("share one host's interval among two instances, and ask nothing twice", async () => {
    await using checked = await startChecked({ intervalMs: 300, runs: true });
    const { registry, add, options, server, read, time, until } = checked;
    const begun = Date.now();
    time.now = begun;
    options.clock = () => new Date();
    const names = Array.from({ length: 8 }, (_, index) => `name-${index}.com`);
    for (const name of names) {
      registry.names.set(name, { expires: future("2028-01-01T00:00:00Z") });
      await add({ name });
    }
    const ticking = setInterval(() => {
      time.now = Date.now();
    }, 5);
    await using other = await startBackend({
      ...options,
      databaseUrl: server.databaseUrl,
    });
    for (const name of names) {
      await until(
        () => read(name),
        ({ expires }) => expires !== null,
      );
    }
    clearInterval(ticking);
    await other.backend.close();
    const asked = registry.asked.toSorted((one, two) => one.at - two.at);
    expect(asked.map(({ name }) => name).toSorted()).toEqual(names);
    // The interval runs from lease to lease; how long a question then takes is the machine's affair.
    expect((asked.at(-1)?.at ?? 0) - begun).toBeGreaterThan(6 * 300);
    for (const name of names) {
      const { observations } = await read(name);
      expect(observations).toHaveLength(1);
    }
  });

  test("give back what they are asking when they stop", async () => {
    await using checked = await startChecked({ runs: true });
    const { registry, add, options, server, until } = checked;
    const { promise: never } = Promise.withResolvers<Response>();
    const hang = () => never;
    registry.names.set("elmbridge.com", hang);
    await add({ name: "elmbridge.com" });
    await until(
      async () => registry.asked.length,
      (count) => count > 0,
    );
    await server.backend.close();
    registry.names.set("elmbridge.com", { expires: future("2028-01-01T00:00:00Z") });
    // The time stands still: what was leased is due at once, and its host is free.
    {
      await using next = await startBackend({ ...options, databaseUrl: server.databaseUrl });
      await until(
        async () => registry.asked.length,
        (count) => count > 1,
      );
      await next.backend.close();
    }
  });

  test("know who has not answered in time, so that “not found” is counted on", async () => {
    await using checked = await startChecked();
    const { registry, add, read, step, time } = checked;
    const { id } = await add({ name: "foxglove.com" });
    await step();
    const first = (await read("foxglove.com")).checks["registry"];
    const { promise: never } = Promise.withResolvers<Response>();
    registry.names.set("foxglove.com", () => never);
    const { timeout } = AbortSignal;
    const soon = spyOn(AbortSignal, "timeout").mockImplementation((ms) =>
      timeout.call(AbortSignal, ms === 90_000 ? 50 : ms),
    );
    time.now += 60_000;
    await checked.check(id, "registry");
    await step();
    soon.mockRestore();
    const { checks } = await read("foxglove.com");
    expect(checks["registry"]).toMatchObject({ outcome: "timeout", source: first?.source });
    expect(first?.source).toBe(`rdap:${registry.host}`);
  });

  testBoth(
    "are taken over where a process is killed in the middle, and ask and report nothing twice",
    async () => {
      await using checked = await startChecked({ mode: "off" });
      const { registry, dns, add, options, server, time, until } = checked;
      time.now = Date.now();
      const names = ["one.com", "two.com", "three.com", "four.com"];
      const { promise: never } = Promise.withResolvers<Response>();
      for (const name of names) await add({ name });
      const expires = future("2028-01-01T00:00:00Z");
      // The first two are answered; a host is asked one thing at a time, so the fourth is not asked.
      for (const name of names) {
        const answer = () => Response.json(rdapDomain(name, { expires }));
        registry.names.set(name, () => (registry.asked.length > 2 ? never : answer()));
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
      await until(
        async () => [asked().length, (await reported()).length],
        ([questions, reports]) => questions === 3 && reports === 2,
      );
      await other.stop("SIGKILL");
      await other[Symbol.asyncDispose]();
      const answered = asked().slice();
      for (const name of names) registry.names.set(name, { expires });
      registry.asked.length = 0;
      const on = { ...options.checks, mode: "on" as const };
      const loop = createSteppedLoop();
      const { databaseUrl } = server;
      await using heir = await startBackend({ ...options, checks: on, databaseUrl, loop });
      time.now = Date.now();
      await loop.step();
      expect(asked()).toEqual([]);
      time.now += 150_000;
      await loop.step();
      const rows = await reported();
      expect(new Set(rows.map((row) => row.domain_id)).size).toBe(4);
      expect(asked()).toHaveLength(2);
      expect(new Set([...answered, ...asked()]).size).toBe(4);
      await heir.backend.close();
    },
  );

  test("leave a host alone that asks for it, whatever is due", async () => {
    await using checked = await startChecked();
    const { registry, add, time, status, until } = checked;
    const limited = () => new Response("", { status: 429, headers: { "Retry-After": "3600" } });
    for (const name of ["one.com", "two.com", "three.com"]) registry.names.set(name, limited);
    for (const name of ["one.com", "two.com", "three.com"]) await add({ name });
    const blocked = await until(status, ({ hosts }) =>
      hosts.some(({ blockedUntil }) => blockedUntil !== null),
    );
    expect(blocked.hosts[0]).toMatchObject({ host: registry.host, lastOutcome: "limited" });
    await checked.step();
    expect(registry.asked.length).toBe(1);
    for (const name of ["one.com", "two.com", "three.com"])
      registry.names.set(name, { expires: future("2028-01-01T00:00:00Z") });
    time.now += 2 * 3_600_000;
    await until(status, ({ outcomes }) => (outcomes["ok"] ?? 0) >= 3);
  });

  test("release no flood when the clock jumps, and do not wait for one that was ahead", async () => {
    await using checked = await startChecked({ intervalMs: 1_000 });
    const { registry, add, time, step } = checked;
    for (let index = 0; index < 6; index += 1) {
      registry.names.set(`name-${index}.com`, { expires: future("2030-01-01T00:00:00Z") });
      await add({ name: `name-${index}.com` });
    }
    const askedAfter = async (jumpMs: number) => {
      time.now += jumpMs;
      await step();
      return registry.asked.length;
    };
    // The clock stands still in between: one question each time, whatever is due.
    expect(await askedAfter(0)).toBe(1);
    expect(await askedAfter(400 * DAY_MS)).toBe(2);
    expect(await askedAfter(-400 * DAY_MS)).toBe(3);
  });

  test("are off until the owner turns them on, and then ask nobody", async () => {
    const opened = [spyOn(Bun, "udpSocket"), spyOn(Socket.prototype, "connect")];
    await using checked = await startChecked({ mode: null });
    const { registry, dns, add, client, read, until } = checked;
    for (const opening of opened) opening.mockClear();
    registry.names.set("dovetail.com", { expires: future("2028-01-01T00:00:00Z") });
    const { id } = await add({ name: "dovetail.com" });
    const refused = await client.request(`/api/domains/${id}/check`, { method: "POST", json: {} });
    expect(refused.status).toBe(409);
    await checked.step();
    expect([registry.asked.length, dns.asked.length]).toEqual([0, 0]);
    for (const opening of opened) {
      expect(opening).not.toHaveBeenCalled();
      opening.mockRestore();
    }
    expect(await client.json("/api/checks")).toMatchObject({ on: false, choice: null });
    expect(await client.json("/api/checks", { method: "PUT", json: { on: true } })).toMatchObject({
      on: true,
      choice: true,
    });
    await until(
      () => read("dovetail.com"),
      ({ expires }) => expires?.date === future("2028-01-01"),
    );
  });

  test("say that the registry never followed, on the day when it should have, and while off too", async () => {
    await using checked = await startChecked({ mode: null });
    const { registry, add, read, time, until, client } = checked;
    const turn = (on: boolean) => client.json("/api/checks", { method: "PUT", json: { on } });
    await turn(true);
    registry.names.set("amberfield.com", { expires: future("2027-01-23T10:00:00Z") });
    await add({ name: "amberfield.com" });
    await until(
      () => read("amberfield.com"),
      ({ expires }) => expires !== null,
    );
    // The registrar books first.
    await importFile(
      client,
      `Domain,Expires,Registrar\namberfield.com,${future("2028-01-23")},Gandi`,
    );
    const ahead = await read("amberfield.com");
    expect(ahead.expires).toMatchObject({ date: future("2028-01-23"), conflict: false });
    await turn(false);
    time.now = Date.parse(future("2027-01-24T12:00:00Z"));
    await checked.step();
    expect((await read("amberfield.com")).expires).toMatchObject({ conflict: true });
  });

  test("let CHECKS decide where it is set", async () => {
    await using checked = await startChecked({ mode: "off" });
    const response = await checked.client.request("/api/checks", {
      method: "PUT",
      json: { on: true },
    });
    expect(response.status).toBe(409);
    const domain = await checked.add({ name: "x.com" });
    const bulk = { select: { ids: [domain.id] }, op: { kind: "check" } };
    const refused: Response = await checked.client.request("/api/domains/bulk", {
      method: "POST",
      json: bulk,
    });
    expect(refused.status).toBe(409);
  });

  testBoth("are estimated by when their hosts may be asked", async () => {
    await using checked = await startChecked();
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
  testBoth("goes before everything that is due, for one or for many", async () => {
    await using checked = await startChecked();
    const { registry, add, read, client, until } = checked;
    registry.names.set("elmbridge.com", { expires: future("2028-01-01T00:00:00Z") });
    const { id } = await add({ name: "elmbridge.com" });
    await until(
      () => read("elmbridge.com"),
      ({ expires }) => expires !== null,
    );
    registry.names.set("elmbridge.com", {
      expires: future("2029-01-01T00:00:00Z"),
      changed: future("2026-11-22T11:00:00Z"),
    });
    const now: Response = await client.request(`/api/domains/${id}/check`, {
      method: "POST",
      json: { kinds: ["registry"] },
    });
    expect(now.status).toBe(202);
    await until(
      () => read("elmbridge.com"),
      ({ expires }) => expires?.date === future("2029-01-01"),
    );
    registry.names.set("elmbridge.com", {
      expires: future("2030-01-01T00:00:00Z"),
      changed: future("2026-11-22T11:30:00Z"),
    });
    const bulk = {
      select: { filter: {}, expectedCount: 1 },
      op: { kind: "check", kinds: ["registry"] },
    };
    expect(await client.json("/api/domains/bulk", { method: "POST", json: bulk })).toMatchObject({
      matched: 1,
      operation: null,
    });
    await until(
      () => read("elmbridge.com"),
      ({ expires }) => expires?.date === future("2030-01-01"),
    );
  });

  testBoth("is due now for a domain that was just added, too", async () => {
    await using checked = await startChecked();
    checked.registry.names.set("elmbridge.com", { expires: future("2028-01-01T00:00:00Z") });
    const { id } = await checked.add({ name: "elmbridge.com" });
    expect((await checked.check(id, "dns", "tls", "http")).status).toBe(202);
    await checked.step();
    const { checks, waiting } = await checked.read("elmbridge.com");
    expect(Object.keys(checks).toSorted()).toEqual(["dns", "http", "registry", "tls"]);
    expect(waiting).toEqual(["delegation"]);
  });
});
