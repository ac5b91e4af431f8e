import { describe, expect } from "bun:test";
import type { Domain, DomainPage } from "../../../src/shared/domain.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { deleteDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { readPages } from "../../support/read-pages.ts";

const DOMAINS = [
  { name: "alpha.com", registrar: "GoDaddy", expires: "2027-01-01", tags: ["shop"], owner: "Ada" },
  { name: "beta.net", registrar: "Gandi", expires: "2027-01-01", autoRenew: true },
  { name: "gamma.com", registrar: "GoDaddy", autoRenew: false, decision: "drop" },
  { name: "bücher.de", expires: "2026-01-01", tags: ["Shop", "de"], owner: "bob" },
  { name: "100-percent.org", expires: "2030-01-01", decision: "keep", account: "x" },
  { name: "epsilon.com", owner: "ADA", decision: "watch" },
];

async function fill(client: ApiClient, domains: readonly object[] = DOMAINS): Promise<void> {
  for (const json of domains) {
    const response = await client.post("/api/domains", json);
    expect(response.status).toBe(201);
  }
}

async function list(client: ApiClient, query: string): Promise<DomainPage> {
  const response = await client.request(`/api/domains?${query}`);
  expect(response.status).toBe(200);
  return response.json();
}

async function names(client: ApiClient, query: string): Promise<string[]> {
  return (await list(client, query)).items.map(({ unicode }) => unicode);
}

function walk(client: ApiClient, query: string): Promise<Domain[]> {
  return readPages(client, `/api/domains?${query}`);
}

describe("GET /api/domains", () => {
  test("sorts names as they are shown, without accents, from page to page in either direction", async (client) => {
    const sorted = [
      "b",
      "backerei",
      "bäckerei",
      "c",
      "munchen",
      "Münchner",
      "zulu",
      "ZÜRICH",
      "例子",
    ];
    const shown = sorted.map((name) => `${name.toLowerCase()}.example`);
    const [odd, even] = [0, 1].map((rest) => sorted.filter((_, at) => at % 2 === rest));
    await fill(
      client,
      even?.map((name) => ({ name: `${name}.example`, expires: "2027-01-01" })),
    );
    await importFile(
      client,
      `Domain,Expires\n${odd?.map((name) => `${name}.example,2027-01-01\n`).join("")}`,
    );
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
    const sorted = async () =>
      (await walk(client, "sort=-price&limit=2"))
        .map(({ name }) => name.split(".", 1)[0])
        .join(" ");
    expect(await sorted()).toBe("euro pound yen dollar none");
    const json = { currency: "EUR", rates: { USD: 0.92, JPY: 0.006 } };
    await client.patch("/api/settings", json);
    expect(await sorted()).toBe("dollar yen euro pound none");
  });

  test("takes a search for no pattern and no SQL, and all filters at once", async (client) => {
    await fill(client);
    const cases: [string, string[]][] = [
      ["q=ALPHA", ["alpha.com"]],
      ["q=b%C3%9CCHER", ["bücher.de"]],
      ["q=xn--", ["bücher.de"]],
      ["q=.com", ["alpha.com", "epsilon.com", "gamma.com"]],
      ["q=%25", []],
      ["q=_", []],
      ["q=%5C", []],
      ["q=%27%20or%201%3D1--", []],
      ["q=a&registrar=GoDaddy&tag=shop&owner=ada&tld=com&autoRenew=-", ["alpha.com"]],
      [
        "q=&registrar=&tag=&owner=&tld=com&decision=&autoRenew=&expiresBefore=&after=",
        ["alpha.com", "epsilon.com", "gamma.com"],
      ],
    ];
    for (const [query, expected] of cases) {
      const page = await list(client, `sort=name&${query}`);
      expect([query, page.items.map(({ unicode }) => unicode), page.total]).toEqual([
        query,
        expected,
        expected.length,
      ]);
    }
  });

  once("neither repeats nor hides a row when others come and go", async (client) => {
    await fill(client);
    const first = await list(client, "sort=name&limit=3");
    const [gone] = first.items;
    await deleteDomain(client, gone?.id ?? "");
    await fill(client, [{ name: "aaa.com" }, { name: "zzz.com" }]);
    const rest = await names(client, `sort=name&after=${first.next}`);
    expect(rest).toEqual(["bücher.de", "epsilon.com", "gamma.com", "zzz.com"]);
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
    expect([last.items.map(({ name }) => name), last.next, last.total]).toEqual([
      ["c.com"],
      null,
      3,
    ]);
    await deleteDomain(client, last.items[0]?.id ?? "");
    const behind = await list(client, `${query}&after=${first.next}`);
    expect(behind).toEqual({ items: [], next: null, total: 2 });
    expect(await list(client, "tag=rare&tld=org")).toEqual({ items: [], next: null, total: 0 });
  });

  once("has a hundred domains on a page unless told otherwise", async (client) => {
    const lines = Array.from({ length: 120 }, (_, index) => `n${index}.example\n`);
    await importFile(client, `Domain\n${lines.join("")}`);
    const page = await list(client, "");
    expect([page.items.length, page.total]).toEqual([100, 120]);
  });
});
