import { expect } from "bun:test";
import type { Domain } from "../../../src/shared/domain.ts";
import { addDays } from "../../../src/shared/day.ts";
import { changeMany, listNames, patchDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { test } from "../../support/owner-test.ts";

const TODAY = "2027-01-15";

/** Names by the day to act by, and the day in use. */
const IN_ORDER = [
  ["soon.example", "2029-05-01"],
  ["single.example", "2027-01-20"],
  ["pinned.example", "2029-09-01"],
  ["late.example", "2029-08-01"],
] as const;

test("the earliest day of a conflict sorts, filters and counts, and a to-do is done for it", async (client) => {
  const read = async (path: string) => (await client.request(path)).json();
  const list = async (query: string): Promise<Domain[]> =>
    (await read(`/api/domains?today=${TODAY}&${query}`)).items;
  const names = (query: string) => listNames(client, `today=${TODAY}&${query}`);
  const report = (registrar: string, days: Record<string, string>) => {
    const rows = Object.entries(days).map(([name, day]) => `${name}.example,${day},no,10.00,EUR`);
    const header = "domain,expires,auto-renew,renewal price,currency";
    return importFile(client, [header, ...rows].join("\n"), { defaults: { registrar } });
  };
  const days = { soon: "2027-01-16", late: "2027-03-31", single: "2027-01-20" };
  await report("GoDaddy", { ...days, pinned: "2029-09-01" });
  // Set by hand before a file reports an earlier day.
  const { id } = await read("/api/domains/pinned.example");
  expect((await patchDomain(client, id, { expires: "2029-09-01" }, "*")).status).toBe(200);
  await report("IONOS", { soon: "2029-05-01", late: "2029-08-01", pinned: "2027-02-01" });

  const shown = (await list("")).map(({ name, expires }) => [name, expires?.date]);
  expect<unknown>(shown).toEqual(IN_ORDER);
  const [soon, single, pinned, late] = IN_ORDER.map(([name]) => name);
  expect<unknown>(await names("sort=-expires")).toEqual([late, pinned, single, soon]);
  for (const query of ["expires=next-30", "work=undecided"]) {
    expect<unknown>(await names(query)).toEqual([soon, single, pinned]);
  }
  expect<unknown>(await names("expiresFrom=2027-03-01&expiresBefore=2027-04-01")).toEqual([late]);
  expect(await names("expiresFrom=2028-01-01")).toEqual([]);
  const { work, costs, ...summary } = await read(`/api/summary?today=${TODAY}`);
  expect(summary).toMatchObject({ conflicts: 3, next: { date: "2027-02-01", names: 1 } });
  expect(work).toMatchObject({ today: { total: 1 }, week: { total: 1 }, days30: { total: 1 } });
  expect(costs).toMatchObject([
    { month: "2027-01", minor: 2000, names: 2 },
    { month: "2027-02", minor: 1000 },
    { month: "2027-03", minor: 1000 },
  ]);

  const bulk = async (filter: object, op: object) =>
    (await changeMany(client, { filter, today: TODAY, expectedCount: 3 }, op)).status;
  expect(await bulk({ expires: "next-30" }, { kind: "edit", decision: "keep" })).toBe(200);
  expect(await bulk({ work: "renew" }, { kind: "done" })).toBe(200);
  const done = (await list("expires=next-30")).map(({ doneFor }) => doneFor);
  expect(done).toEqual(["2027-01-16", "2027-01-20", "2027-02-01"]);
  expect(await names("work=todo")).toEqual([]);
  // The day has passed.
  const later = await read(`/api/domains?work=expired&today=${addDays(TODAY, 2)}`);
  expect(later).toMatchObject({ total: 1, items: [{ name: soon }] });
});
