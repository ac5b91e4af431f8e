import { describe, expect } from "bun:test";
import { addDomains, expectRefused } from "../../support/domains.ts";
import { once as test } from "../../support/owner-test.ts";

describe("the parameters of GET /api/domains", () => {
  const bad = ["registrar=%E2%80%AEevil", "sort=--name", "limit=201", "limit=1e2", "after=W10"];
  const expected = [
    ["offset=1000000000", "a whole number from 0 to 999999999"],
    ["today=9999-12-31", "a calendar day from 1985-01-01 to 2199-12-31"],
    ["expiresFrom=1970-01-01", "a calendar day from 1985-01-01 to 2199-12-31"],
    ["currency=EURO", "a currency such as EUR"],
    ["tld=~com", "a TLD such as com"],
    ["change=!x", "an id"],
    ["q=\u200b", "up to 260 visible characters"],
    [
      "expires=soon",
      "one of expired, next-7, next-30, next-60, next-90, next-365, known, none, conflict, or next- and a number of days",
    ],
    ["lapsed=x", "one of true, false"],
  ];
  test("are refused one by one, with what was expected and what came", async (client) => {
    for (const query of ["colour=red", "after=x", ...bad])
      await expectRefused(client.request(`/api/domains?${query}`), `/${query.split("=")[0]}`);
    for (const [query = "", what] of expected) {
      const detail = `Expected ${what}, but got "${query.split("=")[1]}"`;
      const problem = await client.json(`/api/domains?${query}`);
      expect(problem).toMatchObject({ errors: [{ detail }] });
    }
    // Unknown ones are called so, as are those of other paths.
    for (const path of ["domains", "facets"]) {
      const detail: unknown = expect.stringContaining("Unknown parameter; expected only ");
      const problem = await client.json(`/api/${path}?colour=red`);
      expect(problem).toMatchObject({ errors: [{ pointer: "/colour", detail }] });
    }
  });

  test("refuses the cursor of another sort, and one that was tampered with", async (client) => {
    await addDomains(client, ["a.example", "b.example", "c.example"], { expires: "2027-01-01" });
    const first = await client.request("/api/domains?sort=expires,name&limit=2");
    const { next } = await first.json();
    const status = async (query: string) => (await client.request(`/api/domains?${query}`)).status;
    expect(await status(`after=${next}`)).toBe(200);
    expect(await status(`sort=-expires,name&after=${next}`)).toBe(400);
    expect(await status(`sort=expires,-name&after=${next}`)).toBe(400);
    const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    expect(await status(`after=${forge(["expires", ["2027-01-01", "a"]])}`)).toBe(200);
    const texts = [
      ["2027-01-01", "a\0"],
      ["2027-01-01", "a\ud800"],
      ["\n", "a"],
    ];
    const others = [["2027-01-01"], ["2027-01-01", null], [{}, "a"], [7, "a"]];
    for (const values of [...texts, ...others]) {
      expect(await status(`after=${forge(["expires", values])}`)).toBe(400);
    }
    for (const value of [["expires", ["2027-01-01", "a"], 7], {}]) {
      expect(await status(`after=${forge(value)}`)).toBe(400);
    }
  });

  test("bounds a label as it is compared, which bounds the cursor", async (client) => {
    // One character that is eighteen once folded (NFKC).
    const json = { name: "a.example", registrar: "\ufdfa".repeat(12), owner: "\ufdfa".repeat(11) };
    const detail: unknown = expect.stringContaining("216");
    expect(await (await client.post("/api/domains", json)).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: "/registrar", code: "length", detail }],
    });
  });
});
