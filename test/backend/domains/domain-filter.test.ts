import { describe, expect } from "bun:test";
import { addDays } from "../../../src/shared/day.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { dueDay, isLapsed, TO_DO, WORK, workOf, type Work } from "../../../src/shared/work.ts";
import { test } from "../../support/owner-test.ts";
import { addDomain } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { readPages } from "../../support/read-pages.ts";

/** A custom field with characters that mean something in an address and in SQL. */
const ODD = 'Cost: 50% "=" &';

function customText({ custom }: Domain, name = "Vertrag"): string | undefined {
  return Object.entries(custom).find(([each]) => each === name)?.[1];
}

/** Each filter and what it promises of a name, checked against every name of the register. */
const FILTERS: [string, (domain: Domain) => boolean][] = [
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
  ["price=!none&price=..20", ({ renewal }) => (renewal?.minor ?? 9999) <= 2000],
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

describe("the filters of GET /api/domains", () => {
  test("keep what they promise, alone, in pairs, under any sort and over pages", async (client) => {
    await fillRegister(await client.server.openDatabase(), 150);
    const all = await pages("sort=name");
    expect(all).toHaveLength(150);
    expect(await client.json("/api/domains")).toMatchObject({ items: { length: 100 }, total: 150 });
    const sorts = ["expires,name", "-expires", "-registrar,expires", "autoRenew,-name", "decision"];
    sorts.push("-price,-added", "price", "-changed");
    for (const [index, [one, accepts]] of FILTERS.entries()) {
      const [other = "", acceptsToo] = FILTERS[(index + 4) % FILTERS.length] ?? [];
      const sort = sorts[index % sorts.length];
      await check(`${one}&sort=${sort}`, accepts);
      const [name = "", nameToo] = [one, other].map((query) => query.split("=", 1)[0]);
      // Several values of one filter are combined by "or": see the single ones.
      if (name === nameToo) continue;
      const acceptBoth = (domain: Domain) => accepts(domain) && acceptsToo?.(domain) === true;
      await check(`${one}&${other}&sort=${sort}`, acceptBoth);
    }

    async function check(query: string, accepts: (domain: Domain) => boolean) {
      const found = (await pages(query)).map(({ name }) => name);
      const expected = all.filter(accepts).map(({ name }) => name);
      expect([query, found.toSorted()]).toEqual([query, expected.toSorted()]);
    }

    function pages(query: string): Promise<Domain[]> {
      return readPages(client, `/api/domains?${query}&today=${TODAY}&limit=100`);
    }
  });

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
