import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import type { Database as Register } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import {
  filterCondition,
  NO_FILTER,
  notInOrderOf,
  type DomainFilter,
} from "../../../src/backend/domains/domain-filter.ts";
import { SORT_FIELDS, parseSort } from "../../../src/backend/domains/domain-sort.ts";
import { databaseFile } from "../../../src/backend/database/sqlite-database.ts";
import { startBackend } from "../../support/backend-server.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";

/** What many names have in common. */
const FILTERS: Partial<DomainFilter>[] = [
  { registrar: "godaddy" },
  { account: "main" },
  { owner: "ada" },
  { tld: "com" },
  { tag: "client" },
  { decision: "keep" },
  { decision: "none" },
  { autoRenew: "true" },
  { autoRenew: "not-on" },
  { expiry: "known" },
  { expiresFrom: "2027-01-01" },
];

/** How a database goes about one page of a list. */
async function planOf(database: Register, sort: string, filter: Partial<DomainFilter>) {
  const [key] = parseSort(sort) ?? [];
  const column = key?.column ?? "";
  const rows = await database.read((sql) => {
    const where = filterCondition(sql, { ...NO_FILTER, ...filter }, notInOrderOf(column));
    const explain = database.place.endsWith(".sqlite") ? sql`explain query plan` : sql`explain`;
    const known = key?.nullable ? sql`and ${sql(column)} is not null` : sql``;
    const order = sort === "name" ? sql`name` : sql`${sql(column)}, name`;
    return sql<Record<string, unknown>[]>`${explain} select id from domains
      where ${where} ${known} order by ${order} limit 101`;
  });
  return rows.map((row) => String(row["detail"] ?? row["QUERY PLAN"])).join("; ");
}

describe("the indexes of domains", () => {
  test.each(SORT_FIELDS)("give %s in order, in both directions, without sorting", async (field) => {
    await using server = await startBackend();
    using database = new Database(databaseFile(server.databaseUrl), { readonly: true });
    const [key] = parseSort(field) ?? [];
    for (const direction of ["asc", "desc"]) {
      const plan = database
        .query<{ detail: string }, []>(
          `explain query plan select id from domains where ${key?.column} is not null
           order by ${key?.column} ${direction}, name ${direction} limit 101`,
        )
        .all()
        .map(({ detail }) => detail)
        .join("; ");
      expect(plan).toMatch(/USING (?:COVERING )?INDEX/);
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });
});

describe("filterCondition", () => {
  test("leaves the order of a list to its index, whatever many names have in common", async () => {
    await using server = await startBackend();
    const database = await openDatabase(server.databaseUrl);
    for (const sort of SORT_FIELDS) {
      for (const filter of FILTERS) {
        const plan = await planOf(database, sort, filter);
        expect(`${sort} ${JSON.stringify(filter)}: ${plan}`).not.toContain("ORDER BY");
      }
    }
    await database.close();
  });

  test.skipIf(!hasPostgres)("hides nothing from Postgres' statistics", async () => {
    await using postgres = await preparedPostgres();
    const database = await openDatabase(postgres.url);
    for (const filter of FILTERS) {
      expect(await planOf(database, "name", filter)).not.toContain("CASE");
    }
    expect(await planOf(database, "name", { decision: "keep" })).toContain("decision = 'keep'");
    await database.close();
  });
});
