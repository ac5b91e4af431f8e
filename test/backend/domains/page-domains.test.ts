import { join } from "node:path";
import { describe, expect } from "bun:test";
import type { Database } from "../../../src/backend/database/database.ts";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { parseDomainQuery } from "../../../src/backend/domains/domain-query.ts";
import { SORT_FIELDS } from "../../../src/backend/domains/domain-sort.ts";
import { countDomains, pageDomains } from "../../../src/backend/domains/list-domains.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { preparedPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const FILTERS = [
  "",
  "q=name-1",
  "tag=client",
  "registrar=GoDaddy",
  "decision=none",
  "decision=keep",
  "decision=not-drop",
  "autoRenew=true",
  "autoRenew=unknown",
  "autoRenew=not-on",
  "expiry=known",
  "expiry=unknown",
  "expiry=conflict",
  "expiresFrom=2027-01-01",
];

function parse(query: string) {
  const parsed = parseDomainQuery(new URLSearchParams(query));
  if (Array.isArray(parsed)) throw new Error(parsed[0]?.detail);
  return parsed;
}

/** The names of all pages of a list, one after the other. */
async function walk(database: Database, query: string, few: boolean): Promise<string[]> {
  const names: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const parsed = parse(`${query}&limit=25&after=${next}`);
    const page = await database.read((sql) => pageDomains(sql, parsed, few));
    names.push(...page.items.map(({ name }) => name));
    next = page.next;
  }
  return names;
}

describe("pageDomains", () => {
  test("lists the same, however many names it takes to match", async () => {
    using folder = createTemporaryFolder();
    await using postgres = databaseKind() === "postgres" ? await preparedPostgres() : null;
    const url = postgres?.url ?? `sqlite://${join(folder.path, "register.sqlite")}`;
    const database = await openDatabase(url);
    await migrate(database);
    await fillRegister(database, 60);
    for (const field of SORT_FIELDS) {
      for (const sort of [field, `-${field},${field === "name" ? "tld" : "name"}`]) {
        for (const filter of FILTERS) {
          const query = `sort=${sort}&${filter}`;
          const few = await walk(database, query, true);
          expect([query, ...(await walk(database, query, false))]).toEqual([query, ...few]);
          const count = await database.read((sql) => countDomains(sql, parse(query).filter));
          expect([query, new Set(few).size, few.length]).toEqual([query, count, count]);
        }
      }
    }
    await database.close();
  });
});
