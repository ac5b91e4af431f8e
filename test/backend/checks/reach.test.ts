import { describe, expect, test } from "bun:test";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { parseSummary } from "../../../src/shared/register.ts";
import { answerAbove, startChecked } from "../../support/checked-backend.ts";
import type { DnsReply } from "../../support/dns-server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Nobody listens there. */
const CLOSED = "http://127.0.0.1:1/";

/** A resolver without a network. */
const failing = (): DnsReply => ({ rcode: 2 });

/** The same, where what looks up addresses says that there are none. */
const failingEmpty = (asked: string): DnsReply => ({
  rcode: /^\w+\.(com|net) A(AAA)?$/.test(asked) ? 3 : 2,
});

/** The zones above answer for themselves; no name exists. */
const answering = (asked: string): DnsReply => answerAbove(asked) ?? { rcode: 3 };

async function startSome(names: readonly string[], mode: "on" | null = "on") {
  const checked = await startChecked({ mode, rdap: { net: CLOSED } });
  const { client, time, step, add } = checked;
  let looks = 0;
  for (const name of names) await add({ name });
  return {
    ...checked,
    /** Lets time pass, an hour at a time. */
    async pass(hours: number, everyHours = 1) {
      for (let passed = 0; passed < hours; passed += everyHours) {
        time.now += everyHours * HOUR_MS;
        await step();
      }
    },
    reach: async () => (await checked.status()).reach,
    home: () => client.json("/api/summary").then(parseSummary),
    unchecked: async () => {
      // The register is looked through after a pause, and at once for a domain that is new.
      await add({ name: `new${(looks += 1)}.invalid` });
      await step();
      const page = await client.json("/api/domains?finding=not-checked").then(parseDomainPage);
      const found = page.items.map(({ name }) => name);
      return found.filter((name) => !name.endsWith(".invalid")).toSorted();
    },
  };
}

const THREE = ["amberfield.net", "birchgate.net", "cinderhall.net"];

describe("Live checks without a network", () => {
  test("say that nothing has ever answered, and then who does not answer yet", async () => {
    await using checked = await startSome(THREE);
    const { zone, reach, home, pass, status } = checked;
    zone.answer = failingEmpty;
    expect(await reach()).toEqual({ state: "starting", answeredAt: null, kinds: [] });
    await pass(24, 2);
    const silent = await reach();
    expect(silent).toMatchObject({ state: "silent", answeredAt: null });
    expect(silent?.kinds).toContainEqual({ kind: "registry", answeredAt: null, isSilent: true });
    expect((await home()).checks.reach).toEqual(silent);
    expect(Date.parse((await status()).nextAt ?? "")).toBeGreaterThan(checked.time.now);

    // DNS is there again, the port of the registry is still closed.
    zone.answer = answering;
    await pass(26, 2);
    const partly = await reach();
    expect(partly?.state).toBe("partly");
    const kinds = new Map(partly?.kinds.map((each) => [each.kind, each]));
    expect(kinds.get("registry")).toMatchObject({ answeredAt: null, isSilent: true });
    expect(kinds.get("dns")).toMatchObject({ answeredAt: expect.any(String), isSilent: false });
    expect(Date.parse(partly?.answeredAt ?? "")).toBeGreaterThan(checked.time.now - DAY_MS);
  });

  test("are no dead domain, and no quiet register", async () => {
    await using checked = await startSome(["amberfield.com", "dead.net"]);
    const { zone, registry, reach, pass, unchecked } = checked;
    zone.answer = (asked) => (asked.includes("dead.net") ? { rcode: 2 } : answering(asked));
    registry.names.set("amberfield.com", { expires: "2030-05-05T10:00:00Z" });
    await pass(6);
    for (let days = 0; days < 9; days += 1) {
      await pass(24, 12);
      expect((await reach())?.state).toBe("answering");
    }
    expect(await unchecked()).toEqual(["dead.net"]);
  });
});

describe("A domain that is not checked for seven days", () => {
  test("has a finding, which goes with the first answer", async () => {
    const names = ["amberfield.com", ...THREE];
    await using checked = await startSome(names);
    const { zone, registry, reach, read, pass, unchecked, home } = checked;
    registry.names.set("amberfield.com", { expires: "2030-05-05T10:00:00Z" });
    zone.answer = answering;
    await pass(25, 5);
    // The network is gone.
    zone.answer = failingEmpty;
    await registry[Symbol.asyncDispose]();
    await pass(5 * 24, 6);
    expect(await unchecked()).toEqual([]);
    await pass(3 * 24, 6);
    expect(await unchecked()).toEqual(names);
    expect((await reach())?.state).toBe("silent");
    const [finding] = (await read("amberfield.com")).findings;
    expect(finding).toMatchObject({
      code: "not-checked",
      severity: "medium",
      text: expect.stringMatching(/^No source has answered since \d{4}-\d\d-\d\d\.$/),
    });
    // Home says it once, whatever the number of domains.
    expect((await home()).checks.reach?.state).toBe("silent");

    zone.answer = answering;
    await pass(26, 2);
    // Of these the registry has never answered, which is what their dates would come from.
    expect(await unchecked()).toEqual(THREE);
    expect((await read("amberfield.net")).findings[0]?.text).toBe(
      "The registry has not answered yet.",
    );
  });

  test("has one where its registry only ever limits us, if that goes on for days", async () => {
    await using checked = await startSome(["amberfield.com"]);
    const { zone, registry, read, check, pass, unchecked } = checked;
    const limited = () => new Response("", { status: 429 });
    zone.answer = answering;
    registry.names.set("amberfield.com", limited);
    await pass(8 * 24, 24);
    expect(await unchecked()).toEqual(["amberfield.com"]);
    registry.names.set("amberfield.com", { expires: "2030-05-05T10:00:00Z" });
    await pass(22 * 24, 44);
    expect(await unchecked()).toEqual([]);
    // Weeks after its answer, which is as usual, some refusals on one day say nothing.
    registry.names.set("amberfield.com", limited);
    const { id } = await read("amberfield.com");
    await check(id, "registry");
    const before = registry.asked.length;
    await pass(8);
    expect(registry.asked.length).toBeGreaterThan(before + 5);
    expect(await unchecked()).toEqual([]);
  });

  test("has none while checks are off; turned on again, they start anew", async () => {
    await using checked = await startSome(THREE, null);
    const { zone, time, turn, pass, reach, unchecked } = checked;
    zone.answer = failing;
    expect(await reach()).toBeNull();
    time.now += 30 * DAY_MS;
    await turn(true);
    await pass(6 * 24, 6);
    expect((await reach())?.state).toBe("silent");
    expect(await unchecked()).toEqual([]);
    time.now += 1.5 * DAY_MS;
    expect(await unchecked()).toEqual(THREE);
    await turn(false);
    expect(await unchecked()).toEqual([]);
    expect(await reach()).toBeNull();
    await turn(true);
    expect(await reach()).toMatchObject({ state: "starting", answeredAt: null });
    await turn(false);
    time.now += 30 * DAY_MS;
    await turn(true);
    expect(await unchecked()).toEqual([]);
  });
});
