import { describe, expect } from "bun:test";
import type { Domain } from "../../../src/shared/domain.ts";
import { addDays } from "../../../src/shared/day.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { test } from "../../support/owner-test.ts";
import { changeMany, patchDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { readPages } from "../../support/read-pages.ts";

const TODAY = "2027-01-15";

/** Names, and the day that each source reports, the newest last; the newest is the one in use. */
const REPORTS: Readonly<Record<string, readonly [earlier: string, later: string]>> = {
  "tomorrow.example": ["2027-01-16", "2029-05-01"],
  "yesterday.example": ["2027-01-14", "2029-06-01"],
  "grace.example": ["2026-11-30", "2029-07-01"],
  "month.example": ["2027-03-31", "2029-08-01"],
  "agreeing.example": ["2027-06-01", "2027-06-02"],
};
/** Set by hand before a file reports an earlier day, which is a conflict. */
const PINNED = "pinned.example";
const SINGLE = "single.example";

/** All names by the day to act by, and those that are due by it in 60 days. */
const IN_ORDER = [
  "grace.example",
  "yesterday.example",
  "tomorrow.example",
  SINGLE,
  PINNED,
  "month.example",
  "agreeing.example",
];

async function read(client: ApiClient, path: string) {
  return (await client.request(path)).json();
}

async function fill(client: ApiClient): Promise<void> {
  const rows = (index: 0 | 1) =>
    Object.entries(REPORTS).map(([name, days]) => `${name},${days[index]},no,10.00,EUR\n`);
  const header = "domain,expires,auto-renew,renewal price,currency\n";
  const own = `${PINNED},2029-09-01,no,10.00,EUR\n${SINGLE},2027-01-20,no,10.00,EUR\n`;
  await importFile(client, header + rows(0).join("") + own, { defaults: { registrar: "GoDaddy" } });
  const { id } = await read(client, `/api/domains/${PINNED}`);
  expect((await patchDomain(client, id, { expires: "2029-09-01" }, "*")).status).toBe(200);
  const later = `${header}${rows(1).join("")}${PINNED},2027-02-01,no,10.00,EUR\n`;
  await importFile(client, later, { defaults: { registrar: "IONOS" } });
}

describe("the earliest of the days that sources disagree on", () => {
  test("sorts, filters, groups, counts and adds up, while the other stays in use", async ({
    client,
  }) => {
    await fill(client);
    const names = async (query: string): Promise<string[]> => {
      const { items } = await read(client, `/api/domains?today=${TODAY}&${query}`);
      return items.map(({ name }: Domain) => name);
    };
    const { items } = await read(client, "/api/domains?expires=conflict&sort=name");
    expect(items.map(({ name, expires }: Domain) => [name, expires?.date])).toEqual([
      ["grace.example", "2029-07-01"],
      ["month.example", "2029-08-01"],
      [PINNED, "2029-09-01"],
      ["tomorrow.example", "2029-05-01"],
      ["yesterday.example", "2029-06-01"],
    ]);

    expect(await names("")).toEqual(IN_ORDER);
    expect(await names("sort=-expires")).toEqual(IN_ORDER.toReversed());
    const pages = await readPages<Domain>(client, "/api/domains?limit=2");
    expect(pages.map(({ name }) => name)).toEqual(IN_ORDER);
    const csv = await (await client.request("/api/domains.csv")).text();
    const lines = csv.trim().split("\r\n").slice(1);
    expect(lines.map((line) => line.split(",")[0])).toEqual(IN_ORDER);

    expect(await names("expires=expired")).toEqual(["grace.example", "yesterday.example"]);
    expect(await names("expires=next-7")).toEqual(["tomorrow.example", SINGLE]);
    expect(await names("expires=next-30")).toEqual(["tomorrow.example", SINGLE, PINNED]);
    expect(await names("expiresFrom=2027-03-01&expiresBefore=2027-04-01")).toEqual([
      "month.example",
    ]);
    expect(await names("expiresFrom=2028-01-01")).toEqual([]);
    expect(await names("work=expired")).toEqual(["grace.example", "yesterday.example"]);
    expect(await names("work=undecided")).toEqual(["tomorrow.example", SINGLE, PINNED]);

    const summary = await read(client, `/api/summary?today=${TODAY}`);
    expect(summary).toMatchObject({
      conflicts: 5,
      next: { date: "2027-02-01", names: 1 },
      work: {
        today: { total: 1 },
        expired: { total: 2 },
        week: { total: 1 },
        days30: { total: 1 },
        days60: { total: 0 },
      },
    });
    const months = summary.expiries.filter(({ names: count }: { names: number }) => count > 0);
    expect(months.map(({ month }: { month: string }) => month)).toEqual([
      "2027-01",
      "2027-02",
      "2027-03",
      "2027-06",
    ]);
    expect(summary.costs).toMatchObject([
      { month: "2027-01", minor: 2000, names: 2 },
      { month: "2027-02", minor: 1000 },
      { month: "2027-03", minor: 1000 },
      { month: "2027-06", minor: 1000 },
    ]);
    const costs = await read(
      client,
      `/api/costs?what=renewals&from=2027-03&to=2027-03&today=${TODAY}`,
    );
    expect(costs.totals).toMatchObject([{ period: "2027-03", minor: 1000, names: 1 }]);
  });

  test("is what a bulk change by a filter and a done to-do are about", async ({ client }) => {
    await fill(client);
    const bulk = (query: Record<string, string>, expectedCount: number, op: object) =>
      changeMany(client, { filter: query, today: TODAY, expectedCount }, op);
    const soon = { expires: "next-30" };
    expect((await bulk(soon, 3, { kind: "edit", decision: "keep" })).status).toBe(200);
    expect((await bulk({ work: "renew" }, 3, { kind: "done" })).status).toBe(200);
    const { items } = await read(client, `/api/domains?expires=next-30&today=${TODAY}`);
    expect(items.map(({ doneFor }: Domain) => doneFor)).toEqual([
      "2027-01-16",
      "2027-01-20",
      "2027-02-01",
    ]);
    const due = await read(client, `/api/domains?work=todo&today=${TODAY}`);
    expect(due.total).toBe(0);
    // The day has passed.
    const later = await read(client, `/api/domains?work=expired&today=${addDays(TODAY, 2)}`);
    expect(later.items.map(({ name }: Domain) => name)).toContain("tomorrow.example");
  });
});
