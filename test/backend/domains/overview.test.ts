import { describe, expect } from "bun:test";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { parseFacets } from "../../../src/shared/facets.ts";
import { parseSummary } from "../../../src/shared/register.ts";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import {
  DEFAULT_SORT,
  formatView,
  QUICK_FILTERS,
  withoutLapsed,
} from "../../../src/shared/view.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { listLastChanges } from "../../../src/backend/domains/recent-changes.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";
import {
  addDomain,
  addDomains,
  changeMany,
  deleteDomain,
  undoOperation,
} from "../../support/domains.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

const NONE = { total: 0, last: null, likely: null, items: [] };
const TODAY = "2027-01-15";

/** Of each person one domain expires today, one this week and one in half a year. */
const DAYS = [TODAY, "2027-01-19", "2027-07-01"];

describe("GET /api/summary", () => {
  test("says what needs a decision as of the client's day, in the order of the days", async (client) => {
    const add = (name: string, rest: object) => addDomain(client, { name, ...rest });
    await add("last.example", { expires: "2027-03-16" });
    await add("over.example", { expires: "2026-12-31", autoRenew: false });
    await add("renews.example", { expires: "2027-01-20", autoRenew: true });
    await add("drop.example", { expires: "2027-01-20", decision: "drop", autoRenew: false });
    await add("charged-past.example", { expires: "2027-01-01", decision: "drop" });
    await add("lapsed.example", { expires: "2026-10-31", decision: "drop", autoRenew: true });
    await add("keep.example", { expires: "2027-01-20", decision: "keep", status: "Cancelled" });
    await add("keep-later.example", { expires: "2027-03-16", decision: "keep" });
    await add("charged.example", { expires: "2027-01-19", decision: "drop", autoRenew: true });
    await add("now.example", { expires: "2027-01-16", decision: "transfer" });
    await add("recent.example", { expires: "2027-01-14" });
    await add("later.example", { expires: "2027-03-17", status: "Cancelled" });
    await add("unknown.example", { status: "Cancelled" });
    await add("held.example", { expires: "2027-02-20", autoRenew: true, status: "On hold" });
    await add("held-past.example", { expires: "2027-01-13", status: "On hold" });
    const summary = parseSummary(await client.json(`/api/summary?today=${TODAY}`));
    expect(summary).toMatchObject({ today: TODAY, total: 15, unknown: 1, lapsed: 1, conflicts: 0 });
    const names = Object.entries(summary.work).map(([group, { items }]) =>
      [group, ...items.map(({ name }) => name.replace(".example", ""))].join(" "),
    );
    expect(names.toSorted()).toEqual([
      "days30",
      "days60 held keep-later last",
      "expired recent held-past charged-past over",
      "look later unknown",
      "today now",
      "week charged keep",
    ]);
    const { expired, days60, look } = summary.work;
    expect(expired).toMatchObject({ last: "2026-12-31", likely: { action: "renewed", names: 3 } });
    expect(days60).toMatchObject({ last: "2027-03-16", likely: { names: 1 } });
    expect(look).toMatchObject({ total: 2, last: null, likely: null });
    expect(summary.work.today.likely).toEqual({ action: "transfer", names: 1 });
    expect(summary.next).toEqual({ date: "2027-02-20", names: 1, unicode: "held.example" });
    expect(summary.renewing).toMatchObject({ names: 1, items: [{ name: "renews.example" }] });
    for (const [query, total] of [
      ["work=any&expiresFrom=2027-01-15&expiresBefore=2027-01-17", 1],
      ["work=any&expiresBefore=2027-01-15", 4],
      ["work=expired&expiresBefore=2027-01-15", 3],
      ["work=any&expiresFrom=2027-01-17&expiresBefore=2027-01-23", 2],
      ["work=any&expiresFrom=2027-02-15", 3],
      ["work=trouble", 1],
      ["work=look", 2],
    ] as const) {
      expect(await client.json(`/api/domains?${query}&today=${TODAY}`)).toMatchObject({ total });
    }
  });

  test("adds up the renewals of twelve months by currency, without names to be dropped", async (client) => {
    const costs: [string, number | null, string | null, string?][] = [
      ["2027-01-14", 1, "EUR"],
      [TODAY, 1000, "EUR"],
      ["2027-01-31", 250, "EUR"],
      ["2027-01-31", 9_007_199_254_740_991, "USD"],
      ["2027-02-01", 500, null],
      ["2027-12-31", 700, "EUR"],
      ["2027-06-01", 0, "EUR"],
      ["2026-12-31", 1, "EUR"],
      ["2028-01-01", 1, "EUR"],
      ["2027-01-20", 1, "EUR", "drop"],
      ["2027-01-20", null, null],
      ["2027-01-20", null, null, "drop"],
    ];
    for (const [index, [expires, minor, currency, decision = null]] of costs.entries()) {
      const renewal = minor === null ? null : { minor, currency };
      await addDomain(client, { name: `n${index}.example`, expires, renewal, decision });
    }
    const summary = parseSummary(await client.json(`/api/summary?today=${TODAY}`));
    expect(summary.costs).toEqual([
      { month: "2027-01", currency: "EUR", minor: 1250, renewing: 0, names: 2 },
      { month: "2027-01", currency: "USD", minor: 9_007_199_254_740_991, renewing: 0, names: 1 },
      { month: "2027-02", currency: null, minor: 500, renewing: 0, names: 1 },
      { month: "2027-06", currency: "EUR", minor: 0, renewing: 0, names: 1 },
      { month: "2027-12", currency: "EUR", minor: 700, renewing: 0, names: 1 },
    ]);
    expect(summary.unpriced).toBe(1);
    const first = { month: "2027-01", names: 4, renewing: 0, dropping: 2 };
    expect(summary.expiries[0]).toEqual(first);
  });

  once("tells the last changes, which are undone, and what was deleted", async (client) => {
    const ids = await addDomains(client, ["a.example", "bücher.example"]);
    for (const op of [{ kind: "edit", decision: "keep" }, { kind: "delete" }]) {
      const { operation } = await (await changeMany(client, { ids }, op)).json();
      await undoOperation(client, operation);
    }
    await deleteDomain(client, ids[1] ?? "");
    const { changes } = parseSummary(await client.json("/api/summary"));
    const told = changes.map(({ what, names, domain, back, isUndone }) => {
      return [what, names, domain?.unicode ?? null, back, isUndone];
    });
    expect(told).toEqual([
      ["{} deleted", 1, "bücher.example", "undo", false],
      ["Undone: {} deleted", 2, null, "redo", false],
      ["{} deleted", 2, null, null, true],
      ["Undone: {} marked Keep", 2, null, "redo", false],
      ["{} marked Keep", 2, null, null, true],
    ]);
  });

  once("tells of a thousand changes in a few statements", async (client) => {
    const { id } = await addDomain(client, { name: "a.example" });
    const change = { domain_id: id, made_by_name: "rdap:example", action: "edited", fields: "[]" };
    const rows = Array.from({ length: 1100 }, (_, index) => {
      const at = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
      return { id: Bun.randomUUIDv7(), at, ...change };
    });
    await client.server.write((sql) => insertRows(sql, "changes", rows));
    let statements = 0;
    const told = await client.server.read((sql) => {
      const counted = new Proxy(sql, {
        apply(target, self, given) {
          statements += 1;
          return Reflect.apply(target, self, given);
        },
      });
      return listLastChanges(counted, 100, EVERYTHING);
    });
    expect(told).toHaveLength(100);
    expect(statements).toBeLessThan(100);
  });

  once(
    "shows nothing of an empty register, then what expired last first, and what comes next",
    async (client) => {
      expect(await client.json("/api/summary")).toMatchObject({
        today: new Date().toISOString().slice(0, 10),
        person: null,
        total: 0,
        work: { today: NONE, expired: NONE, week: NONE, days30: NONE, days60: NONE, look: NONE },
        next: null,
        renewing: { names: 0, items: [] },
        settings: DEFAULT_SETTINGS,
        checks: { ask: true, reach: null },
        reminders: { on: false, channels: 0, calendars: 0, broken: [], late: null },
        costs: [],
        changes: [],
      });
      expect((await client.request("/api/summary?today=2027-02-30")).status).toBe(400);
      for (const day of ["08", "09", "10", "11", "12", "13"])
        await addDomain(client, { name: `n${day}.example`, expires: `2027-01-${day}` });
      const rest = { expires: "2027-03-17" };
      await addDomain(client, { name: "next.example", ...rest });
      await addDomain(client, { name: "renews.example", autoRenew: true, ...rest });
      await addDomain(client, { name: "drop.example", decision: "drop", ...rest });
      await addDomain(client, { name: "in-a-year.example", expires: "2028-01-01" });
      const read = async () => parseSummary(await client.json(`/api/summary?today=${TODAY}`));
      const { work, next, expiries } = await read();
      expect(work.expired.total).toBe(6);
      const latest = ["13", "12", "11", "10", "09"].map((day) => `n${day}.example`);
      expect(work.expired.items.map(({ name }) => name)).toEqual(latest);
      expect(next).toEqual({ date: "2027-03-17", names: 1, unicode: "next.example" });
      expect(expiries.filter(({ names }) => names > 0)).toEqual([
        { month: "2027-03", names: 2, renewing: 1, dropping: 1 },
      ]);
      expect(expiries).toHaveLength(12);

      await client.patch("/api/settings", { leadDays: 61 });
      const later = await read();
      expect([later.leadDays, later.work.days60.total]).toEqual([61, 2]);
      // Whether the one to be dropped renews by itself is unknown.
      expect(later.next).toEqual({ date: "2027-03-17", names: 2, unicode: "drop.example" });
    },
  );

  test("is the work of one person, of all for those who have none", async (owner) => {
    const read = async (client: ApiClient, query: string) =>
      parseSummary(await client.json(`/api/summary?today=${TODAY}${query}`));
    const ben = await joinAs(owner.server, { email: "ben@team.example", name: "Ben" });
    const chris = await joinAs(owner.server, { email: "chris@team.example", name: "Chris" });
    const none = await joinAs(owner.server, { email: "dora@example.com", role: "viewer" });
    const rows = ["Ben", "Chris"].flatMap((name) =>
      DAYS.map((day, index) => `${name}-${index}.example,${name},${day},10 EUR\n`),
    );
    // Two belong to no person.
    rows.push(`a.example,,${TODAY},10 EUR\n`, `b.example,Team,${TODAY},10 EUR\n`);
    await importFile(owner, `Domain,Owner,Expires,Renewal price\n${rows.join("")}`);
    await owner.server.write(
      (sql) => sql`insert into findings (domain_id, code, severity, since, evidence)
        select id, 'takeover', 0, '2027-01-15', '{}' from domains where name = 'ben-2.example'`,
    );

    for (const { id, client } of [ben, chris]) {
      const summary = await read(client, "&person=auto");
      expect(summary).toMatchObject({ person: id, mine: 3, total: 3, unknown: 0, nobody: 2 });
      const { today, week, look } = summary.work;
      expect(today.items.map(({ person }) => person?.id)).toEqual([id]);
      expect([week.total, look.total]).toEqual([1, id === ben.id ? 1 : 0]);
      for (const months of [summary.expiries, summary.costs]) {
        expect(months.reduce((sum, { names }) => sum + names, 0)).toBe(3);
      }
      expect(await read(client, "&person=me")).toEqual(summary);
      expect(await read(owner, `&person=${id}`)).toEqual({ ...summary, mine: 0 });
    }
    const all = { person: null, mine: 0, total: 8, work: { today: { total: 4 } } };
    for (const query of ["", "&person=all", "&person=auto"]) {
      expect(await read(none.client, query)).toMatchObject(all);
    }
    const unassigned = { person: "none", total: 2, nobody: 0 };
    expect(await read(owner, "&person=none")).toMatchObject(unassigned);
    expect(await read(none.client, "&person=me")).toMatchObject({ total: 0 });
    expect((await owner.request("/api/summary?person=Ada")).status).toBe(400);
  });
});

describe("GET /api/facets", () => {
  test("lists every value in use, most used first, in one spelling", async (client) => {
    const rows = [
      { name: "a.com", registrar: "GoDaddy", account: "Main", owner: "Ada", tags: ["shop", "x"] },
      { name: "b.com", registrar: "godaddy", account: "main", owner: "ada", tags: ["Shop"] },
      { name: "c.de", registrar: "Gandi", owner: "Bob" },
      { name: "d.net" },
    ];
    for (const row of rows) await addDomain(client, row);
    const { quick: _, known, ...facets } = parseFacets(await client.json("/api/facets"));
    const told = Object.entries(facets).map(([facet, values]) =>
      [facet, ...values.map(({ value, names }) => `${value} ${names}`)].join(", "),
    );
    expect(told.toSorted()).toEqual([
      "accounts, Main 2",
      "autoRenew, - 4",
      "currencies",
      "custom",
      "decisions, - 4",
      "owners, Ada 2, Bob 1",
      "registrars, GoDaddy 2, Gandi 1",
      "statuses, - 4",
      "tags, shop 2, x 1",
      "tlds, com 2, de 1, net 1",
    ]);
    expect(known).toContainEqual({ value: "IONOS", names: 0 });
    expect(known.some(({ value }) => value === "GoDaddy")).toBe(false);
  });

  test("counts what each quick filter finds, and as home does", async (client) => {
    const today = "2026-11-27";
    const rows = [
      { name: "today.com", expires: today, autoRenew: false },
      { name: "week.com", expires: "2026-12-04", decision: "keep", autoRenew: false },
      { name: "renews.com", expires: "2026-12-01", autoRenew: true },
      { name: "later.com", expires: "2026-12-20" },
      { name: "expired.com", expires: "2026-11-01", status: "On hold" },
      { name: "lapsed.com", expires: "2020-01-01", decision: "drop", autoRenew: false },
    ];
    for (const row of rows) await addDomain(client, row);
    const { quick } = parseFacets(await client.json(`/api/facets?today=${today}`));
    for (const { value, names } of quick) {
      const filter = Object.entries(QUICK_FILTERS).find(([label]) => label === value)?.[1] ?? {};
      const view = withoutLapsed({ filter, sort: DEFAULT_SORT });
      const page = await client.json(`/api/domains?${formatView(view)}&today=${today}`);
      expect([value, names]).toEqual([value, parseDomainPage(page).total]);
    }
    const { work } = parseSummary(await client.json(`/api/summary?today=${today}&person=all`));
    expect(quick[0]).toEqual({ value: "To do", names: work.today.total + work.week.total });
    expect(quick.map(({ names }) => names)).toEqual([2, 1, 4, 0, 1, 2, 5, 2, 1]);
  });
});
