import { describe, expect } from "bun:test";
import { parseChangePage } from "../../../src/shared/changes.ts";
import { parseDomainPage, type Domain } from "../../../src/shared/domain.ts";
import { parseDeliveries } from "../../../src/shared/reminders.ts";
import scenarios from "../../data/accounts/rules/scenarios.json" with { type: "json" };
import { reading, startAccounts, type Listed } from "../../support/accounts.ts";
import { databaseKind, test } from "../../support/both-databases.ts";

interface Step {
  at: string;
  runs?: Record<string, { outcome: string; names: Listed[]; left: unknown[] }>;
  do?: { accept?: string[]; refuse?: string[]; delete?: string[]; newCredentials?: string };
  after?: Record<string, unknown>;
}

interface Scenario {
  scenario: string;
  register: { name: string; account: string; expires: string; autoRenew: boolean }[];
  steps: Step[];
}

const byName = (names: readonly { name: string }[]) => names.map(({ name }) => name);

/** Plays a scenario and holds what it names after each step. */
async function play({ register, steps }: Scenario, isByHand: boolean): Promise<void> {
  await using house = await startAccounts({
    reminders: { allow: ["127.0.0.0/8"] },
  });
  const { client, readings, time } = house;
  const channel = { kind: "webhook", name: "Hook", target: "http://127.0.0.1:9/" };
  await client.json("/api/channels", { method: "POST", json: channel });
  const accounts = new Map<string, string>();
  const used = new Set([
    ...register.map(({ account }) => account),
    ...steps.flatMap(({ runs }) => Object.keys(runs ?? {})),
  ]);
  for (const label of used) {
    const mine = register.filter(({ account }) => account === label);
    readings.set(
      label,
      reading(mine.map(({ name, expires, autoRenew }) => ({ name, expires, autoRenew }))),
    );
    if (isByHand) {
      for (const json of mine) await client.json("/api/domains", { method: "POST", json });
      if (label === "A") time.now = Date.parse(steps[0]?.at ?? "");
    }
    const { id } = await house.add(label);
    accounts.set(label, id);
    if (isByHand) continue;
    await house.step();
    if (mine.length > 0) {
      const answer = await house.post(id, "accept", { all: true, expectedCount: mine.length });
      expect(answer.status).toBe(200);
    }
  }
  const list = async () =>
    parseDomainPage(await client.json("/api/domains?limit=200&sort=name")).items;
  const countHistory = async (domains: readonly Domain[]) => {
    const pages = domains.map(({ id }) => client.json(`/api/domains/${id}/history`));
    const items = (await Promise.all(pages)).flatMap((page) => parseChangePage(page).items);
    return items.length;
  };
  const historyBefore = await countHistory(await list());

  for (const { at, runs, do: done, after } of steps) {
    time.now = Date.parse(at);
    const callsBefore = house.calls.length;
    for (const [label, run] of Object.entries(runs ?? {})) {
      // The reading is our own interface; a scenario has the words of its outcome.
      readings.set(label, reading(run.names, run as never));
      const asked = await house.post(accounts.get(label) ?? "", "read");
      expect(asked.status).toBe(202);
    }
    if (done === undefined) await house.step();
    if (done?.newCredentials !== undefined) {
      const fields = { apikey: done.newCredentials, secretapikey: "another" };
      const id = accounts.get(done.newCredentials) ?? "";
      expect((await house.patch(id, { fields })).status).toBe(204);
    }
    for (const action of ["accept", "refuse"] as const) {
      for (const name of done?.[action] ?? []) {
        for (const id of accounts.values()) {
          if (byName(await house.names(id, "new")).includes(name)) {
            expect((await house.post(id, action, { names: [name] })).status).toBe(200);
          }
        }
      }
    }
    for (const name of done?.delete ?? []) {
      const domain = (await list()).find((each) => each.name === name);
      await client.json("/api/domains/bulk", {
        method: "POST",
        json: { select: { ids: [domain?.id] }, op: { kind: "delete" } },
      });
    }
    if (after === undefined) continue;

    const shown = await Promise.all([...accounts.values()].map((id) => house.show(id)));
    const all = async (of: Parameters<typeof house.names>[1]) =>
      (await Promise.all([...accounts.values()].map((id) => house.names(id, of)))).flat();
    const told = parseDeliveries(await client.json("/api/deliveries")).items;
    const vanished = await all("vanished");
    const wanted = Object.keys(after).map(async (key) => {
      switch (key) {
        case "new":
          return [key, byName(await all("new"))];
        case "notKept":
          return [key, byName(await all("refused"))];
        case "vanished":
          return [key, vanished.map(({ name, since, reason }) => ({ name, since, why: reason }))];
        case "inTwo": {
          const twice = (await all("listed")).filter(({ reason }) =>
            reason?.startsWith("In more than one account"),
          );
          return [key, [...new Set(byName(twice))]];
        }
        case "asked":
          return [key, shown.some(({ question }) => question?.kind === "shrunken") && "shrunk"];
        case "paused":
          return [key, shown.filter(({ state }) => state === "refused").map(({ label }) => label)];
        case "told":
          return [key, told.filter(({ type }) => type === "account.notice").length];
        case "calls":
          return [key, house.calls.length - callsBefore];
        case "historyRows":
          return [key, (await countHistory(await list())) - historyBefore];
        case "register":
          return [
            key,
            (await list()).map(({ name, account, expires, autoRenew }) => {
              return { name, account, expires: expires?.date, autoRenew };
            }),
          ];
        default:
          throw new Error(`A scenario names ${key}`);
      }
    });
    const held: unknown = Object.fromEntries(await Promise.all(wanted));
    expect({ at, ...(held as object) }).toEqual({ at, ...after });
  }
}

describe("the days of two accounts", () => {
  const all = scenarios as unknown as Scenario[];
  // The register of one was brought by the accounts, that of the other was made by hand.
  test.each(all.map((each) => [each.scenario, each] as const))("%s", (_, each) =>
    play(each, databaseKind() === "postgres"),
  );
});
