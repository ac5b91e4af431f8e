import { describe, expect } from "bun:test";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";
import { fillRegister } from "../../support/fill-register.ts";

async function fill(server: BackendServer, count: number): Promise<void> {
  const database = await openDatabase(server.databaseUrl);
  await migrate(database);
  await fillRegister(database, count);
  await database.close();
}

/** Each filter and what it promises of a name, checked against every name of the register. */
const FILTERS: [string, (domain: Domain) => boolean][] = [
  ["account=Account 7", ({ account }) => account === "account 7"],
  ["decision=not-drop", ({ decision }) => decision !== "drop"],
  ["decision=none", ({ decision }) => decision === null],
  ["autoRenew=not-on", ({ autoRenew }) => autoRenew !== true],
  ["autoRenew=unknown", ({ autoRenew }) => autoRenew === null],
  ["expiry=known", ({ expires }) => expires !== null],
  ["expiry=unknown", ({ expires }) => expires === null],
  ["expiry=conflict", ({ expires }) => expires?.conflict === true],
  ["expiresFrom=2027-03-01", ({ expires }) => (expires?.date ?? "") >= "2027-03-01"],
  ["expiresBefore=2027-03-01", ({ expires }) => (expires?.date ?? "9") < "2027-03-01"],
  ["tag=Client", ({ tags }) => tags.includes("client")],
];

describe("the filters of GET /api/domains", () => {
  test("keep what they promise, alone, in pairs, under any sort and over pages", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    await fill(server, 300);
    const all = await pages("sort=name");
    expect(all).toHaveLength(300);
    const sorts = ["expires,name", "-expires", "-registrar,expires", "autoRenew,-name", "decision"];
    for (const [index, [one, accepts]] of FILTERS.entries()) {
      const [other, acceptsToo] = FILTERS[(index + 4) % FILTERS.length] ?? [];
      const sort = sorts[index % sorts.length];
      await check(`${one}&sort=${sort}`, accepts);
      await check(
        `${one}&${other}&sort=${sort}`,
        (domain) => accepts(domain) && acceptsToo?.(domain) === true,
      );
    }

    async function check(query: string, accepts: (domain: Domain) => boolean) {
      const found = (await pages(query)).map(({ name }) => name);
      const expected = all.filter(accepts).map(({ name }) => name);
      expect([query, found.toSorted()]).toEqual([query, expected.toSorted()]);
    }

    async function pages(query: string): Promise<Domain[]> {
      const found: Domain[] = [];
      for (let after: string | null = ""; after !== null;) {
        const response = await client.request(`/api/domains?${query}&limit=60&after=${after}`);
        expect([query, response.status]).toEqual([query, 200]);
        const page = await response.json();
        found.push(...page.items);
        after = page.next;
        if (after === null) expect(page.total).toBe(found.length);
      }
      return found;
    }
  });

  test("put the same names in the same order on SQLite and Postgres", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const owners = ["zoe", "Ärger", "ada", "Ωmega", "_x", "10", "9", "éa", "ea", "𝒳"];
    for (const [index, owner] of owners.entries()) {
      await client.request("/api/domains", {
        method: "POST",
        json: { name: `${index}-a.example`, owner },
      });
    }
    const { items } = await (await client.request("/api/domains?sort=owner")).json();
    expect(items.map((domain: Domain) => domain.owner)).toEqual(
      // By the bytes of the folded form, whatever the locale of the database.
      ["10", "9", "_x", "ada", "ea", "𝒳", "zoe", "Ärger", "éa", "Ωmega"],
    );
  });
});
