import { describe, expect } from "bun:test";
import { parseChangePage } from "../../../src/shared/changes.ts";
import { parseDomainPage, type Domain } from "../../../src/shared/domain.ts";
import scenarios from "../../data/accounts/rules/scenarios.json" with { type: "json" };
import { startAccounts, type Listed } from "../../support/accounts.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { addDomain, changeMany } from "../../support/domains.ts";

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
  await using house = await startAccounts();
  const { client, time } = house;
  const readTold = await house.addChannel();
  const accounts = new Map<string, string>();
  const used = new Set([
    ...register.map(({ account }) => account),
    ...steps.flatMap(({ runs }) => Object.keys(runs ?? {})),
  ]);
  for (const label of used) {
    const mine = register.filter(({ account }) => account === label);
    const listed = mine.map(({ name, expires, autoRenew }) => ({ name, expires, autoRenew }));
    house.list(label, listed);
    if (isByHand) {
      for (const json of mine) await addDomain(client, json);
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
      house.list(label, run.names, run as never);
      expect((await house.post(accounts.get(label) ?? "", "read")).status).toBe(202);
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
      await changeMany(client, { ids: [domain?.id] }, { kind: "delete" });
    }
    if (after === undefined) continue;

    const shown = await Promise.all([...accounts.values()].map((id) => house.show(id)));
    const all = async (of: Parameters<typeof house.names>[1]) =>
      (await Promise.all([...accounts.values()].map((id) => house.names(id, of)))).flat();
    const facts: Readonly<Record<string, () => unknown>> = {
      new: async () => byName(await all("new")),
      notKept: async () => byName(await all("refused")),
      vanished: async () =>
        (await all("vanished")).map(({ name, since, reason: why }) => ({ name, since, why })),
      async inTwo() {
        const listed = await all("listed");
        const twice = listed.filter(({ reason }) => reason?.startsWith("In more than one account"));
        return [...new Set(byName(twice))];
      },
      asked: () => shown.some(({ question }) => question?.kind === "shrunken") && "shrunk",
      paused: () => shown.filter(({ state }) => state === "refused").map(({ label }) => label),
      told: async () => (await readTold()).filter(({ type }) => type === "account.notice").length,
      calls: () => house.calls.length - callsBefore,
      historyRows: async () => (await countHistory(await list())) - historyBefore,
      register: async () =>
        (await list()).map(({ name, account, expires, autoRenew }) => {
          return { name, account, expires: expires?.date, autoRenew };
        }),
    };
    for (const [key, wanted] of Object.entries(after)) {
      expect([at, key, await facts[key]?.()]).toEqual([at, key, wanted]);
    }
  }
}

describe("the days of two accounts", () => {
  const all = scenarios as unknown as Scenario[];
  // The register of one was brought by the accounts, that of the other was made by hand.
  test.each(all.map((each) => [each.scenario, each] as const))("%s", (_, each) =>
    play(each, databaseKind() === "postgres"),
  );
});
