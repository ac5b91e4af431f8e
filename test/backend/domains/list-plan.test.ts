import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { SORT_FIELDS } from "../../../src/shared/view.ts";
import { databaseFile } from "../../../src/backend/database/sqlite.ts";
import { filterCondition } from "../../../src/backend/domains/list-domains.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import { sortColumn, type Filter } from "../../../src/shared/view.ts";
import { startBackend } from "../../support/backend-server.ts";

const FILTERS: Filter[] = [
  {},
  { q: "name" },
  { registrar: "GoDaddy" },
  { account: "main" },
  { owner: "Ada" },
  { tld: "com" },
  { decision: "keep" },
  { decision: "not-drop" },
  { autoRenew: "true" },
  { autoRenew: "not-on" },
  { expiry: "conflict" },
  { expiresFrom: "2027-01-01" },
];

describe("the index of the list", () => {
  test("has every column that the list filters and sorts by, so that no row is read", async () => {
    await using server = await startBackend();
    const database = await openDatabase(server.databaseUrl);
    for (const filter of FILTERS) {
      for (const field of SORT_FIELDS) {
        const rows = await database.read(
          (sql) => sql<{ detail: string }[]>`explain query plan
            select id from domains where ${filterCondition(sql, filter)}
            order by ${sql(sortColumn(field))} limit 101`,
        );
        const plan = rows.map(({ detail }) => detail).join("; ");
        expect([filter, field, plan]).toEqual([
          filter,
          field,
          expect.stringMatching(/domains USING COVERING INDEX domains_list/),
        ]);
      }
    }
    await database.close();
  });

  test("is the only one of domains beside its keys", async () => {
    await using server = await startBackend();
    using database = new Database(databaseFile(server.databaseUrl), { readonly: true });
    const rows = database
      .query("select name from sqlite_master where tbl_name = 'domains' and type = 'index'")
      .values();
    expect(rows.flat().filter((name) => !String(name).startsWith("sqlite_"))).toEqual([
      "domains_list",
    ]);
  });
});
