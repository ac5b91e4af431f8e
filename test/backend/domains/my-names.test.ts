import { describe, expect } from "bun:test";
import { parseSummary } from "../../../src/shared/register.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { test } from "../../support/owner-test.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";

const TODAY = "2027-01-15";
const NAMES = 5;
const TEAM = ["Ada", "Ben", "Chris"];

describe("GET /api/summary?person=", () => {
  test("gives each of a team of three the work list of their own names", async ({
    client: owner,
    server,
  }) => {
    const team = [];
    for (const name of TEAM) {
      team.push(await joinAs(server, { email: `${name}@team.example`.toLowerCase(), name }));
    }
    const none = await joinAs(server, { email: "dora@example.com", role: "viewer" });
    // Of each: one expires today, two this week, the others in half a year. Two are nobody's.
    const day = (index: number) => (index === 0 ? TODAY : index < 3 ? "2027-01-19" : "2027-07-01");
    const rows = TEAM.flatMap((name) =>
      Array.from({ length: NAMES }, (_, index) => {
        return `${name}-${index}.example,${name},${day(index)},10 EUR`;
      }),
    );
    rows.push(`a.example,,${TODAY},10 EUR`, `b.example,Team,${TODAY},10 EUR`);
    await importFile(owner, `Domain,Owner,Expires,Renewal price\n${rows.join("\n")}\n`);
    await server.write(async (sql) => {
      const [found] = await sql<{ id: string }[]>`
        select id from domains where name = 'ben-4.example'`;
      const finding = { domain_id: found?.id ?? "", code: "takeover", severity: 0 };
      await insertRows(sql, "findings", [{ ...finding, since: TODAY, evidence: "{}" }]);
    });

    const read = async (client: typeof owner, query: string) =>
      parseSummary(await client.json(`/api/summary?today=${TODAY}${query}`));
    for (const [index, { id, client }] of team.entries()) {
      const summary = await read(client, "&person=auto");
      expect(summary).toMatchObject({
        person: id,
        mine: NAMES,
        total: NAMES,
        unknown: 0,
        nobody: 2,
      });
      expect(summary.work.today.items.map(({ person }) => person?.name)).toEqual([TEAM[index]]);
      expect(summary.work.week.total).toBe(2);
      expect(summary.work.look.total).toBe(index === 1 ? 1 : 0);
      expect(summary.expiries.reduce((sum, { names }) => sum + names, 0)).toBe(NAMES);
      expect(summary.costs.reduce((sum, { names }) => sum + names, 0)).toBe(NAMES);
      expect(await read(client, "&person=me")).toEqual(summary);
      expect(await read(owner, `&person=${id}`)).toEqual({ ...summary, mine: 0 });
      // Each count is that of a filter.
      const query = `/api/domains?work=any&expiresBefore=2027-01-23&today=${TODAY}&person=me`;
      expect(await client.json(query)).toMatchObject({ total: 3 });
    }
    const all = { person: null, total: 3 * NAMES + 2, work: { today: { total: 5 } } };
    for (const query of ["", "&person=all", "&person=auto"]) {
      expect(await read(none.client, query)).toMatchObject({ ...all, mine: 0 });
    }
    expect(await read(owner, "&person=none")).toMatchObject({
      person: "none",
      total: 2,
      nobody: 0,
    });
    expect(await read(none.client, "&person=me")).toMatchObject({ total: 0 });
    expect((await owner.request("/api/summary?person=Ada")).status).toBe(400);
  });
});
