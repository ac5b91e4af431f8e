import { expect, test } from "bun:test";
import { fillRegister } from "../../support/fill-register.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";

const NAMES = 400;
const AT_ONCE = 20;

test.skipIf(!hasPostgres)(
  "renewals are derived of the reports of changed domains alone, also before Postgres has counted them",
  async () => {
    await using postgres = await preparedPostgres();
    await fillRegister(postgres.database, NAMES);
    const { reads } = await postgres.database.write(async (sql) => {
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
    expect(reads).toBeLessThan(4 * NAMES);
    const paid = await postgres.database.read((sql) => sql`select 1 from renewals_paid`);
    expect(paid.length).toBeGreaterThan(NAMES / 2);
  },
);
