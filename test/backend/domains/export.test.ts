import { spyOn, describe, expect } from "bun:test";
import Papa from "papaparse";
import type { Domain } from "../../../src/shared/domain.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";
import { addDomain, FULL_DOMAIN } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";

function parse(text: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

describe("GET /api/domains.csv", () => {
  test("is a file of its day with every field", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    await addDomain(client, FULL_DOMAIN);
    const response = await client.request("/api/domains.csv");
    const day = new Date().toISOString().slice(0, 10);
    expect(response.headers.get("content-type")).toStartWith("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="domains-${day}.csv"`,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(parse(await response.text())).toMatchObject([
      { Name: "xn--bcher-kva.example", Expires: "2028-02-29", "Renewal price": "1018.99" },
    ]);
    const head = await client.request("/api/domains.csv", { method: "HEAD" });
    expect(await head.text()).toBe("");
  });

  test("holds all that the filter shows, in its order, over many pages", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const database = await openDatabase(server.databaseUrl);
    await fillRegister(database, 900);
    await database.close();
    const query = "decision=not-drop&sort=-expires,name";
    const names: string[] = [];
    for (let after: string | null = ""; after !== null;) {
      const page = await client.request(`/api/domains?${query}&limit=200&after=${after}`);
      const { items, next } = await page.json();
      names.push(...items.map(({ name }: Domain) => name));
      after = next;
    }
    expect(names.length).toBeGreaterThan(600);
    const rows = parse(await (await client.request(`/api/domains.csv?${query}`)).text());
    expect(rows.map(({ Name }) => Name)).toEqual(names);
  });

  test("is a header and nothing else where nothing matches", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const text = await (await client.request("/api/domains.csv?q=nothing")).text();
    expect(text.trim().split("\r\n")).toHaveLength(1);
  });

  test("refuses what the list refuses, and strangers", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    for (const query of ["decision=x", "limit=10", "sort=shoe"]) {
      expect((await client.request(`/api/domains.csv?${query}`)).status).toBe(400);
    }
    expect((await server.visitor().request("/api/domains.csv")).status).toBe(401);
    expect((await client.request("/api/domainsxcsv")).status).toBe(404);
  });

  test("breaks off when the database goes away half-way: no file that looks whole", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const database = await openDatabase(server.databaseUrl);
    await fillRegister(database, 3000);
    await database.close();
    const log = spyOn(console, "error").mockImplementation(() => undefined);
    try {
      const response = await server.backend.fetch(
        new Request(new URL("/api/domains.csv", server.url), {
          headers: { Cookie: [...client.cookies].map((pair) => pair.join("=")).join("; ") },
        }),
        { address: "127.0.0.1", remoteAddress: "127.0.0.1", secure: false },
      );
      const reader = response.body?.getReader();
      expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
      await server.backend.close();
      const rest = async () => {
        while (!(await reader?.read())?.done);
      };
      await expect(rest()).rejects.toThrow();
      expect(log).toHaveBeenCalledTimes(1);
    } finally {
      log.mockRestore();
    }
  });
});
