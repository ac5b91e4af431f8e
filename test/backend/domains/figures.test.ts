import { expect } from "bun:test";
import { GROUP_ACTIONS } from "../../../src/shared/advice.ts";
import { addDays, firstOfMonth } from "../../../src/shared/day.ts";
import { parseSummary } from "../../../src/shared/register.ts";
import { WORK_DAYS } from "../../../src/shared/work.ts";
import { once as test } from "../../support/owner-test.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { joinAs } from "../../support/people.ts";

const TODAY = "2026-11-23";

test("each figure of home, for all and for a person, is that of its list", async (client) => {
  const ben = await joinAs(client.server, { email: "ben@example.com", name: "Ben" });
  const cy = await joinAs(client.server, { email: "cy@example.com", name: "Cy", role: "viewer" });
  const database = await client.server.openDatabase();
  await fillRegister(database, 600);
  await database.write(async (sql) => {
    const rows = await sql<{ id: string }[]>`select id from domains order by name`;
    const every = (count: number, first = 0) =>
      sql(
        rows.filter((_, at) => at % count === first),
        "id",
      );
    await sql`update domains set person_id = ${ben.id} where id in ${every(3)}`;
    await sql`update domains set person_id = ${cy.id} where id in ${every(3, 1)}`;
    await sql`update domains set sold_on = '2026-10-01' where id in ${every(11)}`;
    await sql`update domains set done_for = expires_earliest where id in ${every(13)}`;
  });

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
    const whose = summary.person === null ? {} : { person: summary.person };
    const months = { decision: "!drop", sold: "false" };
    const year = { expiresFrom: TODAY, expiresBefore: firstOfMonth(TODAY, 12) };
    const figures: [names: number, filter: Record<string, string> | URLSearchParams][] = [
      [summary.total - lapsed, { lapsed: "false" }],
      [lapsed, { lapsed: "true" }],
      [unknown, { expires: "none", lapsed: "false" }],
      [conflicts, { expires: "conflict", lapsed: "false" }],
      [unpriced, { ...months, ...year, price: "none" }],
    ];
    for (const { month, names } of expiries) {
      const first = `${month}-01`;
      const expiresFrom = first < TODAY ? TODAY : first;
      figures.push([names, { ...months, expiresFrom, expiresBefore: firstOfMonth(first, 1) }]);
    }
    if (summary.nobody > 0) figures.push([summary.nobody, { work: "any", person: "none" }]);
    const ofDays = ["today", "expired", "week", "days30", "days60"] as const;
    for (const group of ofDays) {
      const [from, before] = WORK_DAYS[group];
      const { total, likely } = work[group];
      const days = new URLSearchParams({ lapsed: "false" });
      if (from !== null) days.set("expiresFrom", addDays(TODAY, from));
      if (before !== null) days.set("expiresBefore", addDays(TODAY, before));
      figures.push([total, new URLSearchParams([...days, ["work", "any"]])]);
      if (likely === null) continue;
      const kinds = new URLSearchParams(days);
      for (const kind of GROUP_ACTIONS[likely.action]) kinds.append("work", kind);
      figures.push([likely.names, kinds]);
    }
    const { names, items } = summary.renewing;
    const expiresBefore = summary.next?.date ?? addDays(TODAY, summary.leadDays + 1);
    figures.push([names, { autoRenew: "true", expiresFrom: TODAY, expiresBefore, ...months }]);
    expect(items).toHaveLength(Math.min(5, names));
    figures.push([work.look.total, { work: "look", lapsed: "false" }]);
    const totals = figures.map(async ([, filter]) => {
      const query = new URLSearchParams(filter);
      for (const [name, value] of Object.entries({ today: TODAY, limit: "1", ...whose }))
        if (!query.has(name)) query.set(name, value);
      const { total } = await (await who.request(`/api/domains?${query}`)).json();
      return [total, filter];
    });
    expect(await Promise.all(totals)).toEqual(figures);
  }
});
