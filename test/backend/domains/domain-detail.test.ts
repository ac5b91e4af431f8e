import { describe, expect } from "bun:test";
import { once as test } from "../../support/owner-test.ts";
import { addDomain, patchDomain, reportExpiry } from "../../support/domains.ts";

describe("GET /api/domains/:idOrName", () => {
  test("is found by its name, in any form that people write names in", async (client) => {
    const { id } = await addDomain(client, { name: "bücher.example" });
    for (const name of ["xn--bcher-kva.example", "b%C3%BCcher.example", "B%C3%9CCHER.Example."]) {
      const response = await client.request(`/api/domains/${name}`);
      expect(response.headers.get("etag")).toStartWith('"1-');
      expect(await response.json()).toMatchObject({ id });
    }
  });

  test("is 404 for a name that is not there, or is none, and changed by id only", async (client) => {
    for (const name of ["example.com", "com", "%ff.example", "%20", "a%2Fb.example"]) {
      expect([name, (await client.request(`/api/domains/${name}`)).status]).toEqual([name, 404]);
    }
    expect((await client.request("/api/domains/bulk")).status).toBe(405);
    const response = await client.delete("/api/domains/example.com");
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("shows what each source said last, newest first, and what was withdrawn", async (client) => {
    const { id } = await addDomain(client, { name: "example.com", expires: "2027-01-01" });
    await reportExpiry(await client.server.openDatabase(), id, [
      { source: "GoDaddy", date: "2026-01-01", observedAt: "2020-01-01T00:00:00.000Z" },
      { source: "GoDaddy", date: "2027-01-01", observedAt: "2021-01-01T00:00:00.000Z" },
      { source: "Porkbun", date: "2028-01-01", observedAt: "2022-01-01T00:00:00.000Z" },
    ]);
    await patchDomain(client, id, { expires: null }, "*");
    const detail = await client.json("/api/domains/example.com");
    expect(detail).toMatchObject({
      expires: { date: "2028-01-01", source: "Porkbun", conflict: true },
      observations: [
        { source: "manual", date: null },
        { source: "Porkbun", date: "2028-01-01" },
        { source: "GoDaddy", date: "2027-01-01" },
      ],
    });
  });
});
