import { describe, expect } from "bun:test";
import { parseStatement, sumStatement } from "../../../src/shared/costs.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, expectRefused } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";

const OF_ACME = "owner=Acme&today=2027-01-15";

async function addDomains(client: ApiClient): Promise<void> {
  const add = (name: string, rest: object = {}) =>
    addDomain(client, { name, registrar: "Porkbun", owner: "Acme", ...rest });
  const euros = (minor: number, years = 1) => ({
    renewal: { minor, currency: "EUR", years },
    notes: "Never told",
    purchasePrice: { minor: 777_777, currency: "EUR" },
  });
  await add("gone.com", { expires: "2027-01-14", ...euros(1000) });
  await add("asked.com", { expires: "2027-01-20", ...euros(1005) });
  await add("auto.com", { expires: "2027-01-31", autoRenew: true, ...euros(1005) });
  await add("listed.co.uk", { expires: "2027-03-01" });
  await add("drop.com", { expires: "2027-03-02", decision: "drop", ...euros(1000) });
  await add("years.com", { expires: "2027-03-03", decision: "keep", ...euros(3001, 2) });
  await add("sold.com", { expires: "2027-03-04", soldOn: "2026-12-01", ...euros(1000) });
  await add("later.com", { expires: "2028-01-01", ...euros(1000) });
  await add("undated.com", euros(1000));
  await add("foreign.com", { owner: "Other", expires: "2027-02-01", ...euros(1000) });
  const prices = [
    { tld: "uk", minor: 700, currency: "GBP", years: 1 },
    { tld: "co.uk", minor: 800, currency: "GBP", years: 1 },
  ];
  await client.patch("/api/registrars/porkbun", { prices });
}

describe("GET /api/costs/statement", () => {
  test("tells the owner of domains what is asked of them and what renewals cost them", async (client) => {
    await addDomains(client);
    const read = async (terms: string) =>
      parseStatement(await client.json(`/api/costs/statement?${OF_ACME}&${terms}`));

    // Half a cent is rounded up, in each price: the sums are of what is shown.
    const { items, next, total } = await read("markup=12.5");
    expect({ next, total }).toEqual({ next: null, total: 9 });
    const rows = items.map(({ name, autoRenew, decision, asked, price }) =>
      [name, autoRenew, asked ? "asked" : decision, price?.minor, price?.currency].join(" "),
    );
    expect(rows).toEqual([
      "gone.com    ",
      "asked.com  asked 1131 EUR",
      "auto.com true  1131 EUR",
      "listed.co.uk  asked 900 GBP",
      "drop.com  drop  ",
      "years.com  keep 3376 EUR",
      "sold.com    ",
      "later.com   1125 EUR",
      "undated.com   1125 EUR",
    ]);
    const sums = sumStatement(items, "2027-01-15");
    expect(sums.map(({ month, ...sum }) => [month, ...Object.values(sum)].join(" "))).toEqual([
      "2027-01 EUR 2262 2",
      "2027-03 EUR 3376 1",
      "2027-03 GBP 900 1",
      " EUR 5638 3",
      " GBP 900 1",
    ]);
    // By a price list, nothing else tells a price.
    const listed = await read("prices=porkbun");
    expect(listed.items.flatMap(({ price }) => price ?? [])).toEqual([
      { minor: 800, currency: "GBP", years: 1 },
    ]);
    const paged = await read("markup=12.5&limit=5");
    const rest = await read(`markup=12.5&limit=5&after=${paged.next}`);
    expect([...paged.items, ...rest.items]).toEqual(items);
    const text = await (await client.request(`/api/costs/statement?${OF_ACME}&markup=12.5`)).text();
    expect(text).not.toMatch(/Never|7777|Porkbun|foreign/);
  });

  once("writes the same rows and sums as CSV, however many pages they are", async (client) => {
    await addDomains(client);
    const file = await client.request(`/api/costs/statement.csv?${OF_ACME}&markup=12.5`);
    expect(file.headers.get("content-disposition")).toContain("statement-2027-01-15.csv");
    const [header, ...lines] = (await file.text()).split("\r\n");
    expect(header).toBe("Domain,Expires,Auto-renew,Decision,Price,Currency,Years");
    expect(lines.slice(0, 3)).toEqual([
      "gone.com,2027-01-14,,,,,",
      "asked.com,2027-01-20,,Keep or drop?,11.31,EUR,1",
      "auto.com,2027-01-31,on,,11.31,EUR,1",
    ]);
    // Below the nine domains.
    expect(lines.slice(11)).toEqual([
      "Renewals in 2027-03: 1,,,,9.00,GBP,",
      "Renewals in 12 months: 3,,,,56.38,EUR,",
      "Renewals in 12 months: 1,,,,9.00,GBP,",
      "",
    ]);
    const names = Array.from({ length: 201 }, (_, at) => `n${at}.net,Many\n`);
    await importFile(client, `Domain,Owner\n${names.join("")}`);
    const many = await (await client.request("/api/costs/statement.csv?owner=Many")).text();
    expect(many.match(/\.net,/g)).toHaveLength(201);
  });

  once(
    "shows a limited viewer their domains, by no price list, and nobody by what is none",
    async (owner) => {
      await addDomains(owner);
      const person = { email: "client@example.org", role: "viewer" as const };
      const { client } = await joinAs(owner.server, { ...person, limit: { owners: ["Acme"] } });
      for (const path of ["/api/costs/statement", "/api/costs/statement.csv"]) {
        const answer = await client.request(`${path}?markup=12.5&today=2027-01-15`);
        expect(await answer.text()).toMatch(/asked\.com(?!.*foreign)/s);
        expect((await client.request(`${path}?prices=porkbun`)).status).toBe(403);
        await expectRefused(owner.request(`${path}?prices=no`), "/prices");
      }
    },
  );
});
