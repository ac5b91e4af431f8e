import { expect, test } from "bun:test";
import { addDays, firstOfMonth } from "../../../src/shared/day.ts";
import { parseSummary } from "../../../src/shared/register.ts";
import { WORK_DAYS } from "../../../src/shared/work.ts";
import { startBackend } from "../../support/backend-server.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { joinAs } from "../../support/people.ts";

const TODAY = "2026-11-23";

const KINDS = {
  today: "any",
  expired: "any",
  week: "any",
  days30: "undecided",
  days60: "undecided",
  todo: "todo",
} as const;

test("each figure of home, for all and for a person, is that of its list", async () => {
  await using server = await startBackend();
  const client = await server.owner();
  const ben = await joinAs(server, { email: "ben@example.com", name: "Ben" });
  const cy = await joinAs(server, { email: "cy@example.com", name: "Cy", role: "viewer" });
  const database = await server.openDatabase();
  await fillRegister(database, 600);
  await database.write(async (sql) => {
    const rows = await sql<{ id: string }[]>`select id from domains order by name`;
    for (const [index, person] of [ben.id, cy.id].entries()) {
      const his = rows.filter((_, at) => at % 3 === index);
      await sql`update domains set person_id = ${person} where id in ${sql(his, "id")}`;
    }
    const sold = rows.filter((_, at) => at % 11 === 0);
    await sql`update domains set sold_on = '2026-10-01' where id in ${sql(sold, "id")}`;
    const done = rows.filter((_, at) => at % 13 === 0);
    await sql`update domains set done_for = expires_earliest where id in ${sql(done, "id")}`;
  });
  await database.close();

  const cases = [
    [client, "all"],
    [client, "me"],
    [client, "none"],
    [ben.client, "auto"],
    [cy.client, "me"],
  ] as const;
  for (const [who, person] of cases) {
    const summary = parseSummary(await who.json(`/api/summary?today=${TODAY}&person=${person}`));
    expect(summary.nobody > 0).toBe(summary.person !== null && person !== "none");
    const { lapsed, unknown, conflicts, work, expiries, unpriced } = summary;
    const of = summary.person === null ? {} : { person: summary.person };
    const months = { decision: "!drop", sold: "false" };
    const year = { expiresFrom: TODAY, expiresBefore: firstOfMonth(TODAY, 12) };
    const figures: [names: number, filter: Record<string, string>][] = [
      [summary.total - lapsed, { lapsed: "false" }],
      [lapsed, { lapsed: "true" }],
      [unknown, { expires: "none", lapsed: "false" }],
      [conflicts, { expires: "conflict", lapsed: "false" }],
      [unpriced, { ...months, ...year, price: "none" }],
      ...expiries.map(({ month, names }): (typeof figures)[number] => {
        const first = `${month}-01`;
        const expiresFrom = first < TODAY ? TODAY : first;
        return [names, { ...months, expiresFrom, expiresBefore: firstOfMonth(first, 1) }];
      }),
    ];
    if (summary.nobody > 0) figures.push([summary.nobody, { work: "any", person: "none" }]);
    for (const group of ["today", "expired", "week", "days30", "days60", "todo"] as const) {
      const [from, before] = WORK_DAYS[group];
      const { total, renewable } = work[group];
      const filter = {
        work: KINDS[group],
        lapsed: "false",
        ...(from !== null && { expiresFrom: addDays(TODAY, from) }),
        ...(before !== null && { expiresBefore: addDays(TODAY, before) }),
      };
      figures.push([total, filter], [renewable, { ...filter, decision: "!drop" }]);
    }
    const totals = figures.map(async ([, filter]) => {
      const query = new URLSearchParams({ today: TODAY, limit: "1", ...of, ...filter });
      const { total } = await (await who.request(`/api/domains?${query}`)).json();
      return [total, filter];
    });
    expect(await Promise.all(totals)).toEqual(figures);
  }
});
