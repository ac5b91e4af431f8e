import { expect, test } from "bun:test";
import type { SQL } from "bun";
import { test as onBoth } from "../../support/owner-test.ts";
import { openRegister } from "../../support/empty-database.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { hasPostgres } from "../../support/postgres.ts";

const NAMES = 200;
const AT_ONCE = 20;

/** What Postgres has counted when an import begins. */
const COUNTED = ["nothing", "one domain that has all of them"] as const;

test.skipIf(!hasPostgres).each(COUNTED)(
  "renewals are derived of the reports of changed domains alone, when Postgres has counted %s",
  async (counted) => {
    await using register = await openRegister("postgres");
    const { database } = register;
    if (counted !== "nothing") {
      await database.write(async (sql) => {
        await sql`insert into domains (id, version, name, unicode, tld, notes, expires_conflict,
          created_at, updated_at) values ('one', 1, 'one', 'one', 'example', '', 0, '', '')`;
        await sql`insert into observations (id, domain_id, kind, source, value, observed_at)
          select i, 'one', 'expires', 'manual', '2030-01-01', '2026-11-20'
          from generate_series(1, 30) i`;
        await sql`analyze observations`;
      });
    }
    await fillRegister(database, NAMES);
    const { reads } = await database.write(async (sql) => {
      for (let start = 0; start < NAMES; start += AT_ONCE) {
        await sql`insert into observations (id, domain_id, kind, source, value, observed_at)
          select 'later ' || id, id, 'expires', 'manual', '2035-01-01', '2026-11-22'
          from domains order by name limit ${AT_ONCE} offset ${start}`;
      }
      const [found] = await sql<{ reads: string }[]>`
        select idx_tup_fetch + seq_tup_read as reads from pg_stat_xact_user_tables
        where relname = 'observations'`;
      return { reads: Number(found?.reads) };
    });
    expect(reads).toBeGreaterThanOrEqual(NAMES);
    // All reports for each name would be 200 times as many.
    expect(reads).toBeLessThan(10 * NAMES);
    const paid = await database.read((sql) => sql`select 1 from renewals_paid`);
    expect(paid.length).toBeGreaterThan(NAMES / 2);
  },
);

type Report = Record<"id" | "domain_id" | "kind" | "source" | "value" | "observed_at", string>;

const months = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7));

/** What the reports of a domain, in their order, show of renewals. */
function renewalsOf(reports: readonly Report[]): string[] {
  return reports.flatMap(({ source, value, domain_id, observed_at }, at) => {
    const before = reports.slice(0, at).filter((report) => report.domain_id === domain_id);
    const known = before.map((report) => report.value).toSorted();
    const years = Math.floor((months(value) - months(known.at(-1) ?? value) + 1) / 12);
    const isNews = source === "manual" || before.some((report) => report.source === source);
    return isNews && years > 0 ? `${domain_id} ${observed_at.slice(0, 10)} ${years}` : [];
  });
}

onBoth("renewals are those of all reports, whichever comes or goes", async ({ server }) => {
  const rolls = new Bun.CryptoHasher("sha256");
  const below = (end: number) => rolls.update("next").copy().digest().readUInt32BE() % end;
  const readReports = (sql: SQL) => sql<Report[]>`
  select * from observations where value like '20%' order by observed_at, id`;
  let most = 0;
  const random = (step: number, day = below(6)): Report => ({
    id: `${below(10)} ${step}`,
    domain_id: `${below(4)}`,
    kind: "expires",
    source: ["manual", "A", "B"][below(3)] ?? "",
    value: below(9) === 0 ? "never" : `20${25 + day + below(3)}-0${1 + below(9)}-01`,
    observed_at: `2026-11-0${1 + day}T0${below(3)}`,
  });
  const change = async (sql: SQL, step: number) => {
    const report = random(step);
    const reports = await readReports(sql);
    const [last, any] = [reports.at(-1)?.id ?? "", reports[below(reports.length || 1)]?.id ?? ""];
    const kind = below(10);
    if (kind < 5) await sql`insert into observations ${sql(report)}`;
    else if (kind < 7) await sql`delete from observations where id = ${any}`;
    else if (kind < 9) await sql`delete from observations where id = ${last}`;
    else await sql`update observations set value = ${report.value} where id = ${any}`;
  };
  await server.write(async (sql) => {
    for (const id of ["0", "1", "2", "3"]) {
      await sql`insert into domains (id, version, name, unicode, tld, notes, expires_conflict,
      created_at, updated_at) values (${id}, 1, ${id}, ${id}, 'example', '', 0, '', '')`;
    }
    for (let step = 0; step < 200; step += 1) {
      await change(sql, step);
      const paid = await sql<{ text: string }[]>`
      select domain_id || ' ' || reported_on || ' ' || years as text from renewals_paid`;
      const expected = renewalsOf(await readReports(sql)).toSorted();
      expect(paid.map(({ text }) => text).toSorted()).toEqual(expected);
      most = Math.max(most, expected.length);
    }
  });
  expect(most).toBeGreaterThan(3);
});
