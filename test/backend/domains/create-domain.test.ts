import { describe, expect } from "bun:test";
import { type SavedDomain, UNKNOWN_VALUES } from "../../../src/shared/domain.ts";
import { once as test } from "../../support/owner-test.ts";
import { addDomain, expectRefused, FULL_DOMAIN, patchDomain } from "../../support/domains.ts";

describe("POST /api/domains", () => {
  test("keeps every field and says where it is", async (client) => {
    const response = await client.post("/api/domains", FULL_DOMAIN);
    expect(response.status).toBe(201);
    const domain: SavedDomain = await response.json();
    expect(response.headers.get("etag")).toStartWith('"1-');
    expect(response.headers.get("location")).toBe(`/api/domains/${domain.id}`);
    const observedAt: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    expect<unknown>(domain).toEqual({
      ...UNKNOWN_VALUES,
      ...FULL_DOMAIN,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      name: "xn--bcher-kva.example",
      unicode: "bücher.example",
      expires: {
        date: "2028-02-29",
        source: "manual",
        observedAt,
        conflict: false,
        alternatives: [],
      },
      statusMeaning: "active",
      createdAt: expect.any(String),
      updatedAt: domain.createdAt,
      operation: expect.any(String),
    });
    const { operation: _, ...kept } = domain;
    expect(await client.json(`/api/domains/${domain.id}`)).toMatchObject(kept);
  });

  test("needs nothing but a name, and takes blank labels for none", async (client) => {
    const blank = { registrar: " ", account: "", owner: "\u3000" };
    const { createdAt: _, updatedAt: __, ...unknown } = UNKNOWN_VALUES;
    for (const json of [{ name: "a.example" }, { name: "b.example", ...blank }]) {
      expect(await addDomain(client, json)).toMatchObject({ ...unknown, name: json.name });
    }
  });

  test("names the domain that has the name already, in whatever form it is typed", async (client) => {
    const { id } = await addDomain(client, { name: "bücher.example" });
    for (const name of ["XN--BCHER-KVA.EXAMPLE.", "BÜCHER.example"]) {
      const response = await client.post("/api/domains", { name });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(await response.json()).toMatchObject({
        status: 409,
        detail: "You already have this domain.",
        existing: id,
        errors: [{ pointer: "/name", code: "taken" }],
      });
    }
  });

  test("refuses what no domain is, and reports every bad field at once", async (client) => {
    const json = {
      name: "pat@example.com",
      owner: "a\u0000b",
      tags: ["ok", "", 7, "y".repeat(51)],
      expires: "2027-02-30",
      renewal: { minor: -1, price: 1 },
      colour: "red",
    };
    const response = await client.post("/api/domains", json);
    expect(response.status).toBe(400);
    const { errors } = await response.json();
    const pointers = errors.map(({ pointer }: { pointer: string }) => pointer).toSorted();
    const ofTags = ["/tags/1", "/tags/2", "/tags/3"];
    const single = ["/colour", "/expires", "/name", "/owner", "/renewal/minor", "/renewal/price"];
    expect(pointers).toEqual([...single, ...ofTags]);

    const bad: [object, string][] = [
      [{ name: "co.uk" }, "/name"],
      [{ name: "example.com", nameservers: ["ns1.example.com", "not a host"] }, "/nameservers/1"],
      [{ name: "example.com", nameservers: Array(21).fill("ns.example.com") }, "/nameservers"],
      [{ name: "example.com", soldPrice: { minor: 1, years: 1 } }, "/soldPrice/years"],
      [{ name: "example.com", custom: { Client: "x".repeat(1001) } }, "/custom/Client"],
      [{ name: "example.com", custom: { ["x".repeat(61)]: "x" } }, "/custom"],
      [{ name: "example.com", custom: { Client: "a", "client ": "b" } }, "/custom"],
      [{ name: "example.com", custom: { "expiry SOURCE": "a" } }, "/custom"],
      [{ name: "example.com", custom: manyCustomFields(31) }, "/custom"],
      [{ name: "example.com", notes: "\ud800" }, "/notes"],
    ];
    for (const [given, pointer] of bad) {
      await expectRefused(client.post("/api/domains", given), pointer);
    }
    expect(await client.json("/api/domains")).toMatchObject({ total: 0 });
  });

  test("shares one spelling of a registrar or tag, which its only user may change", async (client) => {
    const typed = { name: "a.example", registrar: "godaddy", tags: ["SHOP"] };
    const { id } = await addDomain(client, typed);
    const spelled = { registrar: "GoDaddy", tags: ["Shop"] };
    const respelled = await patchDomain(client, id, spelled, "*");
    expect(await respelled.json()).toMatchObject(spelled);
    const json = { name: "b.example", registrar: "GODADDY ", tags: ["shop", "SHOP"] };
    expect(await addDomain(client, json)).toMatchObject(spelled);
  });
});

function manyCustomFields(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`Field ${index}`, "x"]));
}
