import { expect } from "bun:test";
import { parseSummary } from "../../../src/shared/register.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { importFile } from "../../support/import-client.ts";
import { test } from "../../support/owner-test.ts";
import { joinAs } from "../../support/people.ts";

const TODAY = "2027-01-15";
/** Of each person one domain expires today, one this week and one in half a year. */
const DAYS = [TODAY, "2027-01-19", "2027-07-01"];

test("home is the work of one person, of all for those who have none", async (owner) => {
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
