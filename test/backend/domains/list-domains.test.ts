import { describe, expect } from "bun:test";
import { type Domain, parseDomainPage } from "../../../src/shared/domain.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, addDomains, deleteDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { readPages } from "../../support/read-pages.ts";

async function fill(client: ApiClient, domains: readonly object[]): Promise<void> {
  for (const json of domains) await addDomain(client, json);
}

const list = async (client: ApiClient, query: string) =>
  parseDomainPage(await client.json(`/api/domains?${query}`));

async function names(client: ApiClient, query: string): Promise<string[]> {
  return (await list(client, query)).items.map(({ unicode }) => unicode);
}

const walk = (client: ApiClient, query: string) =>
  readPages<Domain>(client, `/api/domains?${query}`);

describe("GET /api/domains", () => {
  test("sorts names as they are shown, without accents, from page to page in either direction", async (client) => {
    const sorted = "b backerei bäckerei c munchen Münchner zulu ZÜRICH 例子".split(" ");
    const shown = sorted.map((name) => `${name.toLowerCase()}.example`);
    const expires = "2027-01-01";
    const imported: string[] = [];
    for (const [at, name] of sorted.entries()) {
      if (at % 2 === 0) imported.push(`${name}.example,${expires}\n`);
      else await addDomain(client, { name: `${name}.example`, expires });
    }
    await importFile(client, `Domain,Expires\n${imported.join("")}`);
    const walked = async (sort: string) =>
      (await walk(client, `sort=${sort}&limit=2`)).map(({ unicode }) => unicode);
    expect(await walked("name")).toEqual(shown);
    expect(await walked("-name")).toEqual(shown.toReversed());
    expect(await walked("-expires")).toEqual(shown);
    expect(await names(client, "sort=-expires&offset=4")).toEqual(shown.slice(4));
    expect(await names(client, "sort=expires&q=example")).toEqual(shown);
  });

  test("sorts prices by the owner's rates, and per currency where there are none", async (client) => {
    const price = (minor: number, currency: string | null, years = 1) => ({
      renewal: { minor, currency, years },
    });
    await fill(client, [
      { name: "euro.com", ...price(1000, "EUR") },
      { name: "dollar.com", ...price(101_899, "USD") },
      { name: "yen.com", ...price(16_000, "JPY", 2) },
      { name: "pound.com", ...price(9000, "GBP") },
      { name: "none.com" },
    ]);
    const sorted = async () => {
      const domains = await walk(client, "sort=-price&limit=2");
      return domains.map(({ name }) => name.replace(".com", "")).join(" ");
    };
    expect(await sorted()).toBe("euro pound yen dollar none");
    await client.patch("/api/settings", { currency: "EUR", rates: { USD: 0.92, JPY: 0.006 } });
    expect(await sorted()).toBe("dollar yen euro pound none");
  });

  once("neither repeats nor hides a row when others come and go", async (client) => {
    await addDomains(client, ["a.com", "b.net", "c.de", "d.com", "bücher.de", "e.org"]);
    const first = await list(client, "sort=name&limit=3");
    const [gone] = first.items;
    await deleteDomain(client, gone?.id ?? "");
    await addDomains(client, ["aaa.com", "zzz.com"]);
    const rest = await names(client, `sort=name&after=${first.next}`);
    expect(rest).toEqual(["c.de", "d.com", "e.org", "zzz.com"]);
  });

  once("goes on behind a name and labels that are as long as any", async (client) => {
    // In Korean, three letters of the folded key are one of the name.
    const long = Array.from({ length: 4 }, () => "각".repeat(50)).join(".");
    const label = "字".repeat(200);
    const named = (name: string) => ({ name, registrar: label, account: label, owner: label });
    await fill(client, [named(`a.${long}`), named(`b.${long}`), named(`c.${long}`)]);
    const sort = "registrar,account,owner,decision,autoRenew,expires,tld,name";
    expect(await walk(client, `sort=${sort}&limit=1`)).toHaveLength(3);
  });

  test("counts all that match a tag on each page, and on one behind the last", async (client) => {
    const tagged = ["a.com", "b.com", "c.com", "d.net"].map((name) => ({ name, tags: ["rare"] }));
    await fill(client, [...tagged, { name: "e.com" }]);
    const query = "tag=rare&tld=com&sort=name&limit=2";
    const first = await list(client, query);
    expect([first.items.length, first.total]).toEqual([2, 3]);
    const last = await list(client, `${query}&after=${first.next}`);
    expect(last).toMatchObject({ items: [{ name: "c.com" }], next: null, total: 3 });
    await deleteDomain(client, last.items[0]?.id ?? "");
    const behind = await list(client, `${query}&after=${first.next}`);
    expect(behind).toEqual({ items: [], next: null, total: 2 });
    expect(await list(client, "tag=rare&tld=org")).toEqual({ items: [], next: null, total: 0 });
  });
});
