import { join } from "node:path";
import { describe, expect } from "bun:test";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { openDatabase, type Database } from "../../../src/backend/database/database.ts";
import { listDomains, parseListQuery } from "../../../src/backend/domains/list-domains.ts";
import { SORT_FIELDS } from "../../../src/shared/view.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { preparedPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const FILTERS = [
  "",
  "q=name-1",
  "tag=client",
  "registrar=GoDaddy",
  "decision=-",
  "decision=keep",
  "decision=!drop",
  "autoRenew=true",
  "autoRenew=-",
  "autoRenew=!true",
  "expires=known",
  "expires=none",
  "expires=conflict",
  "expiresFrom=2027-01-01",
];

/** The names of all pages of a list, one after the other, and the total that each page gives. */
async function walk(database: Database, query: string, limit: number) {
  const names: string[] = [];
  const totals = new Set<number>();
  for (let next: string | null = ""; next !== null;) {
    const parsed = parseListQuery(new URLSearchParams(`${query}&limit=${limit}&after=${next}`));
    const page = await database.read((sql) => listDomains(sql, parsed));
    names.push(...page.items.map(({ name }) => name));
    totals.add(page.total);
    next = page.next;
  }
  return { names, totals: [...totals] };
}

describe("listDomains", () => {
  test("lists the same in small pages as in one, under every sort", async () => {
    using folder = createTemporaryFolder();
    await using postgres = databaseKind() === "postgres" ? await preparedPostgres() : null;
    const url = postgres?.url ?? `sqlite://${join(folder.path, "register.sqlite")}`;
    const database = await openDatabase(url);
    await migrate(database);
    await fillRegister(database, 60);
    const sorts = SORT_FIELDS.flatMap((field) => [
      field,
      `-${field},${field === "name" ? "tld" : "name"}`,
    ]);
    for (const [at, sort] of sorts.entries()) {
      // Every filter meets several sorts, and every sort several filters.
      for (const filter of ["", ...[0, 7].map((step) => FILTERS[(at + step) % FILTERS.length])]) {
        const query = `sort=${sort}&${filter}`;
        const whole = await walk(database, query, 200);
        expect([query, await walk(database, query, 25)]).toEqual([query, whole]);
        expect([query, whole.totals]).toEqual([query, [new Set(whole.names).size]]);
      }
    }
    await database.close();
  });
});
