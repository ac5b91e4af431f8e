import { describe, expect } from "bun:test";
import type { Database } from "../../../src/backend/database/database.ts";
import {
  listDomains,
  parseListQuery,
  sweepCounts,
} from "../../../src/backend/domains/list/list-domains.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";
import { addDays } from "../../../src/shared/day.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { parseSort, SORT_FIELDS } from "../../../src/shared/view.ts";
import { dueDay, isLapsed, TO_DO, WORK, workOf, type Work } from "../../../src/shared/work.ts";
import { databaseKind } from "../../support/both-databases.ts";
import { openRegister } from "../../support/empty-database.ts";
import { test } from "../../support/owner-test.ts";
import { addDomain } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { readPages } from "../../support/read-pages.ts";

const NAMES = 70;

/** A custom field with characters that mean something in an address and in SQL. */
const ODD = 'Cost: 50% "=" &';

function customText({ custom }: Domain, name = "Vertrag"): string | undefined {
  return Object.entries(custom).find(([each]) => each === name)?.[1];
}

/** Each filter and what it promises of a name, checked against every name of the register. */
const FILTERS: [string, (domain: Domain) => boolean][] = [
  ["lapsed=true", (domain) => isLapsed(domain, TODAY)],
  ["lapsed=false", (domain) => !isLapsed(domain, TODAY)],
  ["account=Account 7", ({ account }) => account === "account 7"],
  ["decision=!drop", ({ decision }) => decision !== "drop"],
  ["decision=-", ({ decision }) => decision === null],
  ["autoRenew=!true", ({ autoRenew }) => autoRenew !== true],
  ["autoRenew=-", ({ autoRenew }) => autoRenew === null],
  ["autoRenew=false", ({ autoRenew }) => autoRenew === false],
  ["owner=OWNER 3", ({ owner }) => owner === "Owner 3"],
  ["expires=known", ({ expires }) => expires !== null],
  ["expires=none", ({ expires }) => expires === null],
  ["expires=conflict", ({ expires }) => expires?.conflict === true],
  ["expiresFrom=2027-03-01", (domain) => (dueDay(domain) ?? "") >= "2027-03-01"],
  ["expiresBefore=2027-03-01", (domain) => (dueDay(domain) ?? "9") < "2027-03-01"],
  ["tag=Client", ({ tags }) => tags.includes("client")],
  ["tag=-&tag=~OR", ({ tags }) => tags.length === 0 || tags.some((tag) => tag.includes("or"))],
  ["tag=!Client", ({ tags }) => !tags.includes("client")],
  ["owner=!-&owner=!~2", ({ owner }) => owner !== null && !owner.includes("2")],
  ["registrar=gandi&registrar=OVH", ({ registrar }) => /^(gandi|ovh)$/i.test(registrar ?? "")],
  ["tld=.com&tld=DE", ({ name }) => /\.(com|de)$/.test(name)],
  ["tld=!com", ({ name }) => !name.endsWith(".com")],
  ["decision=keep&decision=-", ({ decision }) => decision === "keep" || decision === null],
  ["expires=expired", (domain) => (dueDay(domain) ?? "9") < TODAY],
  [
    "expires=next-30&expires=none",
    (domain) => {
      const due = dueDay(domain);
      return due === null || (due >= TODAY && due <= addDays(TODAY, 30));
    },
  ],
  ["price=none", ({ renewal }) => renewal === null],
  ["price=!none&price=..30", ({ renewal }) => (renewal?.minor ?? 9999) <= 3000],
  // The product of 32.3 and 100 is less than 3230, of 16.6 and 100 more than 1660.
  ["price=16.6..32.3", ({ renewal }) => renewal !== null && between(renewal.minor, 1660, 3230)],
  ["currency=EUR&currency=USD", ({ renewal }) => /EUR|USD/.test(renewal?.currency ?? "")],
  ["currency=-", ({ renewal }) => renewal !== null && renewal.currency === null],
  ['q="ACCOUNT 7"', ({ account }) => account === "account 7"],
  ['q="owner 3"', ({ owner }) => owner === "Owner 3"],
  ["q=dyna", ({ registrar }) => registrar === "Dynadot"],
  ["q=legac", ({ tags }) => tags.includes("legacy")],
  ['q="As People"', ({ notes }) => notes !== ""],
  ["q=v-90200004", (domain) => customText(domain) === "V-90200004"],
  ['q="ÁREA 8"', (domain) => customText(domain, ODD) === "Área 8"],
  // Names are no texts.
  ["q=vertrag", () => false],
  ["custom.vertrag=v-90200004", (domain) => customText(domain) === "V-90200004"],
  ["custom.vertrag=%20v-90200004%20", (domain) => customText(domain) === "V-90200004"],
  ["custom.Vertrag=~-902000", (domain) => customText(domain)?.includes("-902000") ?? false],
  // What another field says.
  ["custom.Vertrag=~área", () => false],
  ["custom.Vertrag=-", (domain) => customText(domain) === undefined],
  ["custom.Vertrag=!-", (domain) => customText(domain) !== undefined],
  ["custom.Vertrag=!~-902000", (domain) => !customText(domain)?.includes("-902000")],
  [`custom.${encodeURIComponent(ODD)}=área 4`, (domain) => customText(domain, ODD) === "Área 4"],
];

const TODAY = "2027-02-01";

function between(value: number, from: number, to: number): boolean {
  return value >= from && value <= to;
}

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

async function readPage(database: Database, query: string) {
  const parsed = parseListQuery(new URLSearchParams(`${query}&today=${TODAY}`));
  const page = await database.read((sql) => listDomains(sql, { ...parsed, sight: EVERYTHING }));
  return { ...page, names: page.items.map(({ name }) => name) };
}

/** The names of all pages, one after the other. */
async function walk(database: Database, query: string, limit: number): Promise<string[]> {
  const names: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const page = await readPage(database, `${query}&limit=${limit}&after=${next}`);
    names.push(...page.names);
    next = page.next;
  }
  return names;
}

async function fullRegister(stack: AsyncDisposableStack): Promise<Database> {
  const { database } = stack.use(await openRegister(databaseKind()));
  await fillRegister(database, NAMES);
  const updatedAt = "2026-11-22T00:00:00.000Z";
  await database.write(
    (sql) => sql`update domains set updated_at = ${updatedAt} where name like '%-2%'`,
  );
  return database;
}

describe("listDomains", () => {
  test("finds what each filter promises, alone and in pairs, in every order and at any place", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await fullRegister(stack);
    const all = (await readPage(database, "limit=200")).items;
    expect(all).toHaveLength(NAMES);

    /** Returns the query, and the names that it has to find in this order. */
    const check = async (filter: string, at: number, accepts: (domain: Domain) => boolean) => {
      const sort = SORTS[at % SORTS.length] ?? "";
      const query = `${filter}&sort=${sort}`;
      const { names, total } = await readPage(database, `${query}&limit=200`);
      const found = namesInOrder(all.filter(accepts), sort);
      expect([query, total]).toEqual([query, found.length]);
      if (sort.includes("price"))
        expect([query, names.toSorted()]).toEqual([query, found.toSorted()]);
      else expect([query, names]).toEqual([query, found]);
      return { query, names };
    };
    // Small pages of many matches are read along the order, larger ones are sorted.
    const readPlaces = async ({ query, names }: Awaited<ReturnType<typeof check>>, at: number) => {
      const limit = at % 3 === 0 ? 40 : 12;
      expect([query, limit, await walk(database, query, limit)]).toEqual([query, limit, names]);
      for (const offset of [1 + at, Math.max(0, names.length - 3)]) {
        const part = await readPage(database, `${query}&limit=4&offset=${offset}`);
        expect([query, offset, part.names]).toEqual([
          query,
          offset,
          names.slice(offset, offset + 4),
        ]);
      }
    };
    for (const at of SORTS.keys()) await readPlaces(await check("", at, () => true), at);
    for (const [at, [one, accepts]] of FILTERS.entries()) {
      const found = await check(one, at, accepts);
      if (at % 2 === 0) await readPlaces(found, at);
      const [other = "", acceptsToo] = FILTERS[(at + 4) % FILTERS.length] ?? [];
      const [name, nameToo] = [one, other].map((query) => query.split("=", 1)[0]);
      // Several values of one filter are combined by "or": see the single ones.
      if (name === nameToo) continue;
      const acceptBoth = (domain: Domain) => accepts(domain) && acceptsToo?.(domain) === true;
      await check(`${one}&${other}`, at + 7, acceptBoth);
    }
  });

  test("knows how many domains there are, whoever adds and removes some", async () => {
    await using stack = new AsyncDisposableStack();
    const database = await fullRegister(stack);
    const count = async () => (await readPage(database, "")).total;
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
    expect(await readPage(database, "")).toMatchObject({ total: 0, items: [] });
  });
});

describe("the filters of GET /api/domains", () => {
  test("find the work that workOf finds, on any day", async (client) => {
    const database = await client.server.openDatabase();
    await fillRegister(database, 150);
    await database.write(async (sql) => {
      await sql`update domains set done_for = expires_earliest where name like '%7.%'`;
      await sql`update domains set sold_minor = 1 where name like '%9.%'`;
      await sql`update domains set decision = 'drop' where name like '%2.%' or name like '%4.%'`;
      await sql`insert into findings (domain_id, code, severity, since, evidence)
        select id, 'not-registered', 0, created_at, '' from domains where name like '%1_.%'`;
    });
    await client.patch("/api/settings", { leadDays: 100 });
    const read = (query: string) => readPages<Domain>(client, `/api/domains?${query}&limit=200`);
    const all = await read("sort=name");
    expect(all).toHaveLength(150);
    expect(await client.json("/api/domains")).toMatchObject({ items: { length: 100 }, total: 150 });
    expect(all.filter(({ doneFor }) => doneFor !== null).length).toBeGreaterThan(10);
    for (const today of ["2026-10-01", "2026-12-31", "2027-02-01", "2028-08-01"]) {
      const byWork = Map.groupBy(all, (domain) => workOf(domain, { today, leadDays: 100 }));
      const names = (...kinds: readonly Work[]) =>
        kinds.flatMap((kind) => byWork.get(kind) ?? []).map(({ name }) => name);
      const asked = WORK.map((work) => [work, [work]] as const);
      for (const [work, kinds] of [...asked, ["todo", TO_DO], ["any", WORK]] as const) {
        const found = (await read(`work=${work}&today=${today}`)).map(({ name }) => name);
        expect([today, work, found.toSorted()]).toEqual([today, work, names(...kinds).toSorted()]);
      }
      const isSold = ({ soldPrice }: Domain) => soldPrice !== null;
      for (const query of ["lapsed=true", "lapsed=false", "sold=true", "sold=false"]) {
        const found = (await read(`${query}&today=${today}`)).map(({ name }) => name);
        const is = query.startsWith("sold") ? isSold : isLapsed;
        const expected = all.filter((domain) => is(domain, today) === query.endsWith("true"));
        expect(expected.length).toBeGreaterThan(0);
        expect(found.toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
      }
    }
  });

  test("put the same names in the same order on SQLite and Postgres", async (client) => {
    const owners = ["zoe", "Ärger", "ada", "Ωmega", "_x", "10", "9", "éa", "ea", "𝒳"];
    for (const [index, owner] of owners.entries()) {
      await addDomain(client, { name: `${index}-a.example`, owner });
    }
    // By the bytes of the folded form, whatever the locale of the database.
    const sorted = ["10", "9", "_x", "ada", "ea", "𝒳", "zoe", "Ärger", "éa", "Ωmega"];
    expect(await client.json("/api/domains?sort=owner")).toMatchObject({
      items: sorted.map((owner) => ({ owner })),
    });
  });
});
