import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { SORT_FIELDS, sortColumn } from "../../../src/shared/view.ts";
import { databaseFile } from "../../../src/backend/database/sqlite.ts";
import { filterCondition } from "../../../src/backend/domains/filter-condition.ts";
import type { Filter } from "../../../src/shared/filter.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, test as bothTest } from "../../support/both-databases.ts";

const TIME = { today: "2027-01-15", leadDays: 60 };

const FILTERS: Filter[] = [
  {},
  { q: "name" },
  { registrar: ["GoDaddy", "!~x"] },
  { account: ["main"] },
  { owner: ["Ada", "-"] },
  { person: ["01920000-0000-7000-8000-000000000000", "none"] },
  { tld: ["com"] },
  { decision: ["keep"] },
  { decision: ["!drop"] },
  { autoRenew: ["true"] },
  { autoRenew: ["!true"] },
  { status: ["cancelled", "-"] },
  { expires: ["conflict"] },
  { work: ["any"] },
  { lapsed: ["false"] },
  { currency: ["EUR"] },
  { price: ["none", "5..10"] },
  { expiresFrom: "2027-01-01" },
];

describe("the index of the list", () => {
  test("has every column that the list filters and sorts by, so that no row is read", async () => {
    await using server = await startBackend();
    const database = await server.openDatabase();
    for (const filter of FILTERS) {
      for (const field of SORT_FIELDS) {
        const rows = await database.read(
          (sql) => sql<{ detail: string }[]>`explain query plan
            select id from domains where ${filterCondition(sql, filter, TIME)}
            order by ${sql(sortColumn(field) ?? "renewal_minor")} limit 101`,
        );
        const plan = rows.map(({ detail }) => detail).join("; ");
        const planned = expect.stringMatching(/^SCAN domains USING COVERING INDEX domains_list/);
        expect([filter, field, plan]).toEqual([filter, field, planned]);
      }
    }
    await database.close();
  });

  test("is the only one that the list reads beside keys and notes", async () => {
    await using server = await startBackend();
    using database = new Database(databaseFile(server.databaseUrl), { readonly: true });
    const rows = database
      .query("select name from sqlite_master where tbl_name = 'domains' and type = 'index'")
      .values();
    expect(rows.flat().filter((name) => !String(name).startsWith("sqlite_"))).toEqual([
      "domains_notes",
      // Reminders and findings find what they are about by these; the list never does, as above.
      "domains_wanted",
      "domains_losing",
      "domains_custom",
      "domains_list",
    ]);
  });

  bothTest("gives the order of expiry without sorting on Postgres", async () => {
    if (databaseKind() !== "postgres") return;
    await using server = await startBackend();
    const database = await server.openDatabase();
    const column = sortColumn("expires") ?? "";
    for (const direction of ["asc", "desc"]) {
      const rows = await database.read(async (sql) => {
        // An empty table is sorted, unless that is forbidden.
        await sql`set local enable_sort = off`;
        return sql.unsafe(`explain select id from domains
          order by ${column} ${direction} nulls last, name asc nulls last limit 101`);
      });
      const plan = rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("; ");
      expect(plan).toContain("using domains_by_expir");
      expect(plan).not.toContain("Sort");
    }
    await database.close();
  });
});
