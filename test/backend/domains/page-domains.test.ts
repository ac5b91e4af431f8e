import { describe, expect } from "bun:test";
import type { Database } from "../../../src/backend/database/database.ts";
import {
  listDomains,
  parseListQuery,
  sweepCounts,
} from "../../../src/backend/domains/list/list-domains.ts";
import { dueDay } from "../../../src/shared/work.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { parseSort, SORT_FIELDS } from "../../../src/shared/view.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { openRegister } from "../../support/empty-database.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

const NAMES = 40;
const TODAY = "2027-06-01";

/** What each finds is compared in another test. */
const FILTERS = [
  "lapsed=false",
  "lapsed=true",
  "q=name-1",
  "tag=client",
  "registrar=GoDaddy",
  "registrar=!GoDaddy&lapsed=false",
  "decision=-",
  "decision=!drop",
  "autoRenew=true",
  "autoRenew=!true",
  "expires=known&lapsed=false",
  "expires=none",
  "expires=conflict",
];

/** What each order compares; the price, which has rates, is compared in another test. */
const KEYS: Readonly<Record<string, (domain: Domain) => string | number | null>> = {
  name: ({ name }) => name,
  registrar: ({ registrar }) => registrar?.toLowerCase() ?? null,
  account: ({ account }) => account,
  owner: ({ owner }) => owner?.toLowerCase() ?? null,
  expires: dueDay,
  autoRenew: ({ autoRenew }) => (autoRenew === null ? null : Number(autoRenew)),
  decision: ({ decision }) => decision,
  tld: ({ name }) => name.slice(name.lastIndexOf(".") + 1),
  added: ({ createdAt }) => createdAt,
  changed: ({ updatedAt }) => updatedAt,
};

const SORTS = [
  ...SORT_FIELDS.flatMap((field) => [field, `-${field},${field === "name" ? "tld" : "name"}`]),
  "-owner,-expires,-name",
  "decision,-registrar",
];

/** The names of domains in an order, as plainly as can be. */
function namesInOrder(domains: readonly Domain[], sort: string): string[] {
  const keys = parseSort(sort) ?? [];
  return domains
    .toSorted((one, other) => {
      for (const { field, descending } of keys) {
        const [a = null, b = null] = [one, other].map((domain) => KEYS[field]?.(domain));
        if (a === b) continue;
        if (a === null || b === null) return a === null ? 1 : -1;
        return a < b === descending ? 1 : -1;
      }
      return 0;
    })
    .map(({ name }) => name);
}

async function read(database: Database, query: string) {
  const parsed = parseListQuery(new URLSearchParams(`${query}&today=${TODAY}`));
  const page = await database.read((sql) => listDomains(sql, { ...parsed, sight: EVERYTHING }));
  return { ...page, names: page.items.map(({ name }) => name) };
}

/** The names of all pages, one after the other. */
async function walk(database: Database, query: string, limit: number): Promise<string[]> {
  const names: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const page = await read(database, `${query}&limit=${limit}&after=${next}`);
    names.push(...page.names);
    next = page.next;
  }
  return names;
}

async function fullRegister(stack: AsyncDisposableStack): Promise<Database> {
  const { database } = stack.use(await openRegister(databaseKind()));
  await fillRegister(database, NAMES);
  await database.write(async (sql) => {
    await sql`update domains set account = null, account_key = null where name like '%7%'`;
    await sql`update domains set registrar_key = null where name like '%3%'`;
    await sql`update domains set updated_at = '2026-11-22T00:00:00.000Z' where name like '%-2%'`;
  });
  return database;
}

describe("listDomains", () => {
  test("gives the pages of a plain sort, behind cursors and after any number of rows", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await fullRegister(stack);
    const all = (await read(database, "limit=200")).items;
    expect(all).toHaveLength(NAMES);
    for (const [at, sort] of SORTS.entries()) {
      // Every filter meets a sort, most of them two.
      for (const filter of ["", FILTERS[at % FILTERS.length]]) {
        const query = `sort=${sort}&${filter}`;
        const { names: whole, total } = await read(database, `${query}&limit=200`);
        const found = all.filter(({ name }) => whole.includes(name));
        if (!sort.includes("price")) {
          expect([query, whole]).toEqual([query, namesInOrder(found, sort)]);
        }
        expect([query, total]).toEqual([query, whole.length]);
        // Small pages of many matches are read along the order, larger ones are sorted.
        const limit = at % 3 === 0 ? 25 : 8;
        expect([query, limit, await walk(database, query, limit)]).toEqual([query, limit, whole]);
        for (const offset of [1 + at * 2, Math.max(0, total - 3)]) {
          const { names } = await read(database, `${query}&limit=4&offset=${offset}`);
          expect([query, offset, names]).toEqual([query, offset, whole.slice(offset, offset + 4)]);
        }
      }
    }
  });

  test("knows how many domains there are, whoever adds and removes some", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await fullRegister(stack);
    const count = async () => (await read(database, "")).total;
    await database.write((sql) => sql`delete from domains where name like '%.com'`);
    const left = await count();
    expect(left).toBeLessThan(NAMES);
    expect(await walk(database, "", 50)).toHaveLength(left);
    await sweepCounts(database);
    expect(await count()).toBe(left);
    const undone = database.write(async (sql) => {
      await sql`delete from domains`;
      throw new Error("Rolled back");
    });
    await expect(undone).rejects.toThrow("Rolled back");
    expect(await count()).toBe(left);
    await database.write((sql) => sql`delete from domains`);
    expect(await read(database, "")).toMatchObject({ total: 0, items: [] });
  });
});
