import { describe, expect } from "bun:test";
import Papa from "papaparse";
import type { Database } from "../../../src/backend/database/database.ts";
import { exportCsv } from "../../../src/backend/domains/list/csv-export.ts";
import type { Domain } from "../../../src/shared/domain.ts";
import { DEFAULT_SORT } from "../../../src/shared/view.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { once as test, test as testBoth } from "../../support/owner-test.ts";
import { addDomain, addDomains, FULL_DOMAIN, patchDomain } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { readPages } from "../../support/read-pages.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

type Row = Record<string, string>;

async function readRows(client: ApiClient, query = ""): Promise<Row[]> {
  const text = await (await client.request(`/api/domains.csv?${query}`)).text();
  return Papa.parse<Row>(text, { header: true, skipEmptyLines: true }).data;
}

describe("GET /api/domains.csv", () => {
  test("is a file of its day with every field, and refuses what the list refuses", async (client) => {
    const empty = await (await client.request("/api/domains.csv")).text();
    expect(empty.trim().split("\r\n")).toHaveLength(1);
    await addDomain(client, FULL_DOMAIN);
    const response = await client.request("/api/domains.csv");
    const day = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-type")).toStartWith("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toContain(`"domains-${day}.csv"`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const row = { Name: "xn--bcher-kva.example", "Renewal price": "1018.99" };
    expect(await readRows(client)).toMatchObject([{ ...row, Expires: "2028-02-29" }]);
    const head = await client.request("/api/domains.csv", { method: "HEAD" });
    expect([await head.text(), head.headers.get("content-length")]).toEqual(["", null]);
    for (const query of ["decision=x", "limit=10", "sort=shoe"]) {
      expect((await client.request(`/api/domains.csv?${query}`)).status).toBe(400);
    }
  });

  testBoth("has all that a filter shows, in its order, over pages", async (client) => {
    await fillRegister(await client.server.openDatabase(), 900);
    const query = "decision=!drop&sort=-expires,name";
    const all = await readPages<Domain>(client, `/api/domains?${query}`);
    const names = all.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(600);
    const rows = await readRows(client, query);
    expect(rows.map(({ Name }) => Name)).toEqual(names);
  });

  test("breaks off, rather than end early, where the database goes away", async (client) => {
    const database = await client.server.openDatabase();
    await fillRegister(database, 3000);
    const response = await client.server.backend.fetch(
      new Request(new URL("/api/domains.csv", client.server.url), {
        headers: { Cookie: [...client.cookies].map((pair) => pair.join("=")).join("; ") },
      }),
      { address: "127.0.0.1", remoteAddress: "127.0.0.1", secure: false },
    );
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    await client.server.backend.close();
    const readRest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(readRest()).rejects.toThrow();
  });
});

describe("exportCsv", () => {
  test("reads two pages ahead of a slow client, and nothing more for one that left", async () => {
    await using server = await startBackend();
    const database = await server.openDatabase();
    await fillRegister(database, 4000);
    let jobs = 0;
    const fourth = Promise.withResolvers<void>();
    const counted: Database = {
      ...database,
      readMany: (job, input) => {
        if ((jobs += 1) === 4) fourth.resolve();
        return database.readMany(job, input);
      },
    };
    const view = { filter: {}, sort: DEFAULT_SORT, today: "2026-11-21" };
    const texts = exportCsv(counted, { ...view, sight: EVERYTHING });
    await texts.next();
    // The header needs only the names of custom fields.
    expect(jobs).toBe(1);
    await texts.next();
    // The ids, the page that was given, and the one behind it.
    await fourth.promise;
    await texts.return(undefined);
    expect(jobs).toBe(4);
  });
});

describe("POST /api/domains.csv", () => {
  test("writes the listed domains in their order, and leaves out what is gone", async (client) => {
    const [a, , c] = await addDomains(client, ["a.com", "b.com", "c.com"]);
    await patchDomain(client, c ?? "", { registrar: "null" }, "*");
    const file = await client.post("/api/domains.csv", { ids: [c, Bun.randomUUIDv7(), a] });
    expect(file.headers.get("content-type")).toContain("text/csv");
    const written = (await file.text()).split("\r\n").map((line) => line.split(","));
    expect(written.map(([name]) => name)).toEqual(["Name", "c.com", "a.com", ""]);
    // No domain has the registrar null but by its name.
    expect(written.map((row) => row[2])).toEqual(["Registrar", "null", "", undefined]);
    expect((await client.post("/api/domains.csv", { ids: [] })).status).toBe(400);
  });
});

describe("GET /api/domains/cost", () => {
  testBoth("adds up what the domains of a filter cost per year", async (client) => {
    const add = (name: string, renewal: object | null) => addDomain(client, { name, renewal });
    await add("a.com", { minor: 1000, currency: "EUR", years: 2 });
    await add("b.com", { minor: 250, currency: "EUR" });
    await add("c.com", { minor: 700, currency: null });
    await add("d.com", null);
    await add("e.net", { minor: 1, currency: "EUR" });
    const others = ["USD", "KWD", "GBP", "JPY"];
    for (const currency of others) await add(`${currency}.com`, { minor: 700, currency });
    expect(await client.json("/api/domains/cost?tld=com")).toEqual({
      costs: [
        { currency: "EUR", minor: 750, names: 2 },
        ...others.toSorted().map((currency) => ({ currency, minor: 700, names: 1 })),
        { currency: null, minor: 700, names: 1 },
      ],
      unpriced: 1,
    });
    expect((await client.request("/api/domains/cost?tld=com&sort=x")).status).toBe(400);
  });
});
