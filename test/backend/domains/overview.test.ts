import { describe, expect, test as once } from "bun:test";
import type { ChangePage, DomainPage } from "../../../src/shared/domain.ts";
import type { Summary } from "../../../src/shared/register.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import { listRecentChanges } from "../../../src/backend/domains/recent-changes.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";
import { addDomain, patchDomain } from "../../support/domains.ts";
import { importFile, undoImport } from "../../support/import-client.ts";

const NONE = { total: 0, lapsed: 0, week: 0, days30: 0, days60: 0, items: [] };
const TODAY = "2027-01-15";

describe("GET /api/summary", () => {
  test("says what needs a decision as of the client's day, in the order of the days", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const add = (name: string, rest: object) => addDomain(client, { name, ...rest });
    await add("last.example", { expires: "2027-03-16" });
    await add("over.example", { expires: "2026-12-31", autoRenew: false });
    await add("renews.example", { expires: "2027-01-20", autoRenew: true });
    await add("drop.example", { expires: "2027-01-20", decision: "drop", autoRenew: false });
    await add("charged.example", { expires: "2027-01-01", decision: "drop", autoRenew: true });
    await add("lapsed.example", { expires: "2026-10-31", decision: "drop", autoRenew: true });
    await add("keep.example", { expires: "2027-01-20", decision: "keep" });
    await add("later.example", { expires: "2027-03-17" });
    await add("unknown.example", {});
    const summary = await (await client.request(`/api/summary?today=${TODAY}`)).json();
    expect(summary).toMatchObject({ total: 9, unknown: 1, lapsed: 1, conflicts: 0 });
    const group = { total: 1, lapsed: 0, week: 0, days30: 0, days60: 0 };
    expect(summary.work).toMatchObject({
      expired: { ...group, days30: 1, items: [{ name: "over.example" }] },
      undecided: { ...group, days60: 1, items: [{ name: "last.example" }] },
      todo: {
        ...group,
        total: 2,
        week: 2,
        items: [{ name: "charged.example" }, { name: "keep.example" }],
      },
    });
    for (const [work, { total }] of Object.entries<{ total: number }>(summary.work)) {
      expect(await client.json(`/api/domains?work=${work}&today=${TODAY}`)).toMatchObject({
        total,
      });
    }
  });

  test("adds up the renewals of twelve months by currency, without names to be dropped", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const costs: [string, number | null, string | null, string?][] = [
      ["2027-01-01", 1000, "EUR"],
      ["2027-01-31", 250, "EUR"],
      ["2027-01-31", 9_007_199_254_740_991, "USD"],
      ["2027-02-01", 500, null],
      ["2027-12-31", 700, "EUR"],
      ["2027-06-01", 0, "EUR"],
      ["2026-12-31", 1, "EUR"],
      ["2028-01-01", 1, "EUR"],
      ["2027-01-02", 1, "EUR", "drop"],
      ["2027-01-02", null, null],
      ["2027-01-02", null, null, "drop"],
    ];
    for (const [index, [expires, minor, currency, decision = null]] of costs.entries()) {
      const renewal = minor === null ? null : { minor, currency };
      await addDomain(client, { name: `n${index}.example`, expires, renewal, decision });
    }
    const summary = await (await client.request(`/api/summary?today=${TODAY}`)).json();
    expect(summary.costs).toEqual([
      { month: "2027-01", currency: "EUR", minor: 1250, renewing: 0, names: 2 },
      { month: "2027-01", currency: "USD", minor: 9_007_199_254_740_991, renewing: 0, names: 1 },
      { month: "2027-02", currency: null, minor: 500, renewing: 0, names: 1 },
      { month: "2027-06", currency: "EUR", minor: 0, renewing: 0, names: 1 },
      { month: "2027-12", currency: "EUR", minor: 700, renewing: 0, names: 1 },
    ]);
    expect(summary.unpriced).toBe(1);
  });

  once("tells the latest changes of all names, deleted ones too, newest first", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const kept = await addDomain(client, { name: "bücher.example" });
    const gone = await addDomain(client, { name: "gone.example" });
    await patchDomain(client, kept.id, { notes: "x" }, "*");
    const headers = { "If-Match": "*" };
    await client.request(`/api/domains/${gone.id}`, { method: "DELETE", headers });
    const { changes } = await (await client.request("/api/summary")).json();
    expect(changes).toMatchObject([
      { action: "deleted", by: "ada@example.com", names: 1, items: [{ name: "gone.example" }] },
      { action: "edited", items: [{ name: "bücher.example", domainId: kept.id }] },
      { action: "added", items: [{ name: "gone.example" }] },
      { action: "added", items: [{ name: "bücher.example" }] },
    ]);
  });

  test("tells an operation on many domains and an import as one change each", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const kept = await addDomain(client, { name: "kept.example" });
    const csv = "Domain,Owner\nkept.example,Bob\na.example,Ada\nb.example,Ada\nc.example,Ada\n";
    const { id } = await importFile(client, csv);
    const found: DomainPage = await (await client.request(`/api/domains?import=${id}`)).json();
    expect(found.items.map(({ name }) => name)).toEqual(
      ["a", "b", "c", "kept"].map((first) => `${first}.example`),
    );
    const select = { filter: { owner: ["Ada"] }, expectedCount: 3 };
    const op = { kind: "edit", decision: "keep" };
    const bulk = await client.request("/api/domains/bulk", {
      method: "POST",
      json: { select, op },
    });
    const { operation } = await bulk.json();
    await undoImport(client, id);

    const { changes }: Summary = await (await client.request("/api/summary")).json();
    expect(changes.map(({ items, ...change }) => [change, items.length])).toMatchObject([
      [{ import: id, fileName: "domains.csv", action: "undone", names: 1 }, 1],
      [{ operation, import: null, fileName: null, action: "edited", names: 3 }, 3],
      [{ operation: null, import: id, fileName: "domains.csv", action: "imported", names: 4 }, 3],
      [{ operation: expect.any(String), action: "added", names: 1 }, 1],
    ]);
    expect(changes[0]?.items).toMatchObject([{ domainId: kept.id, name: "kept.example" }]);
    const history = await client.request(`/api/domains/${kept.id}/history`);
    const { items }: ChangePage = await history.json();
    expect(items.map(({ fileName }) => fileName)).toEqual([
      "domains.csv",
      "domains.csv",
      undefined,
    ]);
  });

  once("tells decisions on one domain after another as one change", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const names = ["a", "b", "c", "d", "e"].map((first) => `${first}.example`);
    const ids: string[] = [];
    for (const name of names) ids.push((await addDomain(client, { name })).id);
    for (const id of ids) await patchDomain(client, id, { decision: "watch" }, "*");
    await patchDomain(client, ids[0] ?? "", { decision: "drop" }, "*");
    await patchDomain(client, ids[1] ?? "", { notes: "x" }, "*");
    const { changes }: Summary = await (await client.request("/api/summary")).json();
    const told = changes.map(({ action, names: count, items }) => [action, count, items.length]);
    // The first domain's second decision is told together with those of the others before it.
    expect(told.slice(0, 4)).toEqual([
      ["edited", 1, 1],
      ["edited", 5, 3],
      ["edited", 1, 1],
      ["added", 1, 1],
    ]);
  });

  once("tells of a thousand changes in a few statements", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const { id } = await addDomain(client, { name: "a.example" });
    const database = await openDatabase(server.databaseUrl);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    await database.write((sql) =>
      insertRows(
        sql,
        "changes",
        Array.from({ length: 1100 }, (_, index) => {
          const change = { domain_id: id, made_by: "rdap:example", action: "edited", fields: "[]" };
          const ids = { id: Bun.randomUUIDv7(), import_id: null, operation: null };
          return { ...change, ...ids, at: at(index) };
        }),
      ),
    );
    let statements = 0;
    const told = await database.read((sql) => {
      const counted = new Proxy(sql, {
        apply(target, self, given) {
          statements += 1;
          return Reflect.apply(target, self, given);
        },
      });
      return listRecentChanges(counted, 1000);
    });
    await database.close();
    expect(told).toHaveLength(1000);
    expect(statements).toBeLessThan(100);
  });

  test("buckets work by its day, names what comes next, and counts each month", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const days = {
      "long-gone": "2026-11-30",
      "forty-five": "2026-12-01",
      "eight-ago": "2027-01-07",
      "week-ago": "2027-01-08",
      today: TODAY,
      seven: "2027-01-22",
      eight: "2027-01-23",
      thirty: "2027-02-14",
      last: "2027-03-16",
      next: "2027-03-17",
      "next-too": "2027-03-17",
      "in-a-year": "2028-01-01",
    };
    for (const [name, expires] of Object.entries(days)) {
      await addDomain(client, { name: `${name}.example`, expires });
    }
    const rest = { expires: "2027-03-17" };
    await addDomain(client, { name: "renews.example", autoRenew: true, ...rest });
    await addDomain(client, { name: "drop.example", decision: "drop", ...rest });
    const summary: Summary = await (await client.request(`/api/summary?today=${TODAY}`)).json();
    const { expired, undecided, todo } = summary.work;
    expect(expired).toMatchObject({ total: 4, lapsed: 1, week: 1, days30: 1, days60: 1 });
    expect(expired.items.map(({ unicode }) => unicode)).toEqual(
      ["forty-five", "eight-ago", "week-ago", "long-gone"].map((name) => `${name}.example`),
    );
    expect(undecided).toMatchObject({ total: 5, lapsed: 0, week: 2, days30: 2, days60: 1 });
    expect(todo).toEqual(NONE);
    expect(summary.next).toEqual({ date: "2027-03-17", names: 2 });
    expect(summary.expiries.slice(0, 3)).toEqual([
      { month: "2027-01", names: 5, renewing: 0 },
      { month: "2027-02", names: 1, renewing: 0 },
      { month: "2027-03", names: 5, renewing: 1 },
    ]);
    expect(summary.expiries).toHaveLength(12);

    await client.request("/api/settings", { method: "PATCH", json: { leadDays: 61 } });
    const later: Summary = await (await client.request(`/api/summary?today=${TODAY}`)).json();
    expect([later.leadDays, later.work.undecided.total]).toEqual([61, 7]);
    expect(later.next).toEqual({ date: "2028-01-01", names: 1 });
  });

  once("is all nothing for an empty register, and takes no day that is none", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const summary = await client.json("/api/summary");
    expect(summary).toEqual({
      today: new Date().toISOString().slice(0, 10),
      leadDays: 60,
      total: 0,
      work: { expired: NONE, undecided: NONE, todo: NONE },
      next: null,
      views: [],
      settings: { leadDays: 60, currency: null, rates: {} },
      domains: [],
      sample: false,
      unknown: 0,
      checks: expect.objectContaining({ critical: 0, items: [] }),
      reminders: { on: false, channels: 0, calendars: 0, broken: [], late: null },
      conflicts: 0,
      lapsed: 0,
      expiries: expect.any(Array),
      costs: [],
      unpriced: 0,
      changes: [],
    });
    for (const query of ["today=2027-02-30", "today=x", "day=2027-01-01"]) {
      expect((await client.request(`/api/summary?${query}`)).status).toBe(400);
    }
    expect((await server.visitor().request("/api/summary")).status).toBe(401);
  });
});

describe("GET /api/facets", () => {
  test("lists every value in use, most used first, in one spelling", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const rows = [
      { name: "a.com", registrar: "GoDaddy", account: "Main", owner: "Ada", tags: ["shop", "x"] },
      { name: "b.com", registrar: "godaddy", account: "main", owner: "ada", tags: ["Shop"] },
      { name: "c.de", registrar: "Gandi", owner: "Bob" },
      { name: "d.net" },
    ];
    for (const row of rows) await addDomain(client, row);
    expect(await client.json("/api/facets")).toEqual({
      registrars: [
        { value: "GoDaddy", names: 2 },
        { value: "Gandi", names: 1 },
      ],
      accounts: [{ value: "Main", names: 2 }],
      owners: [
        { value: "Ada", names: 2 },
        { value: "Bob", names: 1 },
      ],
      tags: [
        { value: "shop", names: 2 },
        { value: "x", names: 1 },
      ],
      tlds: [
        { value: "com", names: 2 },
        { value: "de", names: 1 },
        { value: "net", names: 1 },
      ],
      decisions: [{ value: "-", names: 4 }],
      autoRenew: [{ value: "-", names: 4 }],
      statuses: [{ value: "-", names: 4 }],
      currencies: [],
      custom: [],
    });
    expect((await client.request("/api/facets?kind=tags")).status).toBe(400);
  });

  test("leaves out what nobody uses any more", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const json = { name: "a.com", registrar: "Gandi", tags: ["x"], owner: "Ada" };
    const { id } = await addDomain(client, json);
    await patchDomain(client, id, { registrar: null, tags: [], owner: null }, "*");
    const none = { registrars: [], accounts: [], owners: [], tags: [] };
    expect(await client.json("/api/facets")).toMatchObject({
      ...none,
      tlds: [{ value: "com", names: 1 }],
    });
  });
});
