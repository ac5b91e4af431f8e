import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { databaseFile } from "../../../src/backend/sqlite-database.ts";
import { SORT_FIELDS, parseSort } from "../../../src/backend/register/domain-sort.ts";
import { startBackend } from "../../support/backend-server.ts";

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
