import { describe, expect, spyOn } from "bun:test";
import type * as packets from "dns-packet";
import { answerAbove, startChecked } from "../../support/checked-backend.ts";
import type { DnsReply } from "../../support/dns-server.ts";
import { changeMany } from "../../support/domains.ts";
import { startFakeRegistry } from "../../support/fake-registry.ts";
import { future } from "../../support/future.ts";
import { testWith } from "../../support/test-with.ts";

const test = testWith(startChecked);

const MINUTE_MS = 60_000;

/** A zone in which domains have these name servers, on domains that the zones above do not know. */
const delegating =
  (hosts: Readonly<Record<string, readonly string[]>>) =>
  (asked: string, recurse: boolean): DnsReply => {
    const above = answerAbove(asked);
    if (above !== undefined) return above;
    const [name = "", type = ""] = asked.split(" ");
    const servers = hosts[name];
    if (servers === undefined || (recurse && type !== "NS")) return { rcode: 3 };
    const answers = servers.map((data): packets.Answer => ({ type: "NS", name, data }));
    return type === "NS" ? { answers } : {};
  };

test("name servers on domains that nobody has registered are one finding until registries deny it", async () => {
  await using other = startFakeRegistry();
  await using checked = await startChecked({ rdap: { net: other.url } });
  const { registry, zone, add, read, check, step, time } = checked;
  zone.answer = delegating({ "amberfield.com": ["ns.gone.com", "ns.lost.net"] });
  const { id } = await add({ name: "amberfield.com" });
  const look = async () => {
    time.now += MINUTE_MS;
    await check(id, "delegation");
    await step();
    const { findings, checks } = await read("amberfield.com");
    const found = findings.filter(({ code }) => code === "ns-domain-unregistered");
    const waits = Date.parse(checks["delegation"]?.nextAt ?? "") - time.now;
    return { found: found.map(({ text, since }) => ({ text, since })), waits };
  };
  await step();
  const first = await look();
  const both = { text: "gone.com, lost.net are not registered.", since: expect.any(String) };
  expect(first.found).toEqual([both]);
  other.names.set("lost.net", () => new Response("", { status: 503 }));
  const failed = await look();
  expect(failed.found).toEqual(first.found);
  expect(failed.waits).toBeLessThan(10 * MINUTE_MS);
  // It limits us: the next turn is refused without a question.
  const limited = { status: 429, headers: { "Retry-After": "3600" } };
  other.names.set("lost.net", () => new Response("", limited));
  expect((await look()).found).toEqual(first.found);
  const asked = other.asked.length;
  const refused = await look();
  expect(refused.found).toEqual(first.found);
  expect(refused.waits).toBeLessThan(30 * MINUTE_MS);
  expect(other.asked.length).toBe(asked);
  time.now += 2 * 60 * MINUTE_MS;
  other.names.set("lost.net", { expires: future("2028-01-01T00:00:00Z") });
  const [{ since } = { since: "" }] = first.found;
  expect((await look()).found).toEqual([{ text: "gone.com is not registered.", since }]);
  registry.names.set("gone.com", { expires: future("2028-01-01T00:00:00Z") });
  expect((await look()).found).toEqual([]);
});

describe("a hostile domain", () => {
  test("is not taken for a network that is gone, however many there are", async (checked) => {
    const { zone, add, client, step, time, read } = checked;
    using warned = spyOn(console, "warn").mockImplementation(() => {});
    const names = Array.from({ length: 45 }, (_, at) => `dead-${at}.com`);
    await Promise.all(names.map((name) => add({ name })));
    await step();
    const checkAll = async () => {
      const all = { filter: {}, expectedCount: names.length };
      await changeMany(client, all, { kind: "check", kinds: ["dns"] });
      const since = time.now;
      for (let looks = 0; looks < 3; looks += 1) {
        time.now += MINUTE_MS / 3;
        await step();
      }
      const details = await Promise.all(names.map((name) => read(name)));
      const times = details.map(({ checks }) => Date.parse(checks["dns"]?.checkedAt ?? ""));
      return times.filter((at) => at > since).length;
    };
    time.now += 10 * MINUTE_MS;
    zone.answer = (asked) => (asked === "com NS" ? {} : { rcode: 2 });
    expect(await checkAll()).toBe(names.length);
    expect(warned).not.toHaveBeenCalled();
    time.now += 10 * MINUTE_MS;
    zone.answer = () => ({ rcode: 2 });
    await checkAll();
    expect(warned).toHaveBeenCalledTimes(1);
  });

  test("costs no other domain its checks where nothing of it can be saved", async (checked) => {
    const { zone, add, client, step, server, read, time } = checked;
    zone.answer = () => ({ rcode: 3 });
    const names = ["a.com", "b.com", "c.com"];
    for (const name of names) await add({ name });
    await step();
    const { id } = await read("a.com");
    await server.write((sql) =>
      sql.unsafe(`create trigger refusing before update of outcome on checks
        when new.domain_id = '${id}' begin select raise(abort, 'refused'); end`),
    );
    using logged = spyOn(console, "error").mockImplementation(() => {});
    const all = { filter: {}, expectedCount: names.length };
    await changeMany(client, all, { kind: "check", kinds: ["dns"] });
    time.now += MINUTE_MS;
    await step();
    await step();
    const looks = await Promise.all(names.map((name) => read(name)));
    const checkedAt = new Date(time.now).toISOString();
    const areNew = looks.map(({ checks }) => checks["dns"]?.checkedAt === checkedAt);
    expect(areNew).toEqual([false, true, true]);
    expect(logged).toHaveBeenCalled();
  });
});
