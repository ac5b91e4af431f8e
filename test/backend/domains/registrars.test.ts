import { describe, expect } from "bun:test";
import { READERS } from "../../../src/backend/accounts/registrars/readers.ts";
import {
  findKnownRegistrar,
  isSameRegistrar,
} from "../../../src/backend/domains/known-registrars.ts";
import KNOWN from "../../../src/backend/domains/known-registrars.json" with { type: "json" };
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { parseDomainDetail } from "../../../src/shared/domain-detail.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, addDomains, expectRefused, undoOperation } from "../../support/domains.ts";

const COM = { tld: "com", minor: 1200, currency: "EUR", years: 1 };

function patch(client: ApiClient, key: string, json: object): Promise<Response> {
  return client.patch(`/api/registrars/${encodeURIComponent(key)}`, json);
}

describe("GET /api/registrars", () => {
  test("lists those in use with what they need", async (client) => {
    await addDomains(client, ["a.com", "b.com", "c.de"], { registrar: "Gandi" });
    const own = { minor: 900, currency: "USD", years: 2 };
    await addDomain(client, { name: "d.com", registrar: "Käse / Söhne", renewal: own });
    await addDomain(client, { name: "e.com" });
    await patch(client, "käse / söhne", { loginUrl: " https://Example.com/login " });
    await patch(client, "gandi", { prices: [{ ...COM, tld: ".COM" }] });
    const unpriced = [
      { tld: "com", names: 2 },
      { tld: "de", names: 1 },
    ];
    const other = { key: "käse / söhne", name: "Käse / Söhne", names: 1, unpriced: [] };
    expect(await client.json("/api/registrars")).toMatchObject({
      items: [
        { key: "gandi", name: "Gandi", names: 3, unpriced, prices: [COM] },
        { ...other, loginUrl: "https://example.com/login", prices: [] },
      ],
    });
  });
});

describe("Known registrars", () => {
  once("have a login link under each of their names, until another is set", async (client) => {
    const names = ["GoDaddy.com, LLC", "ovh", "1&1 IONOS SE", "www.gandi.net", "Larkspur Names"];
    for (const [index, registrar] of names.entries()) {
      await addDomain(client, { name: `name${index}.com`, registrar });
    }
    const hostOf = async (index: number) => {
      const { loginUrl } = parseDomainDetail(await client.json(`/api/domains/name${index}.com`));
      return loginUrl && new URL(loginUrl).host;
    };
    const hosts = ["dcc.godaddy.com", "www.ovh.com", "my.ionos.com", "admin.gandi.net", null];
    expect(await Promise.all(names.map((_, index) => hostOf(index)))).toEqual(hosts);
    await patch(client, "ovh", { loginUrl: "https://sso.example.com/ovh" });
    expect(await hostOf(1)).toBe("sso.example.com");
    await patch(client, "ovh", { loginUrl: null });
    expect(await hostOf(1)).toBe("www.ovh.com");
  });

  once("are reached by https only, and each name is that of one", () => {
    const names = KNOWN.flatMap(({ name, also }) => [name, ...also].map((each) => [each, name]));
    for (const [each = "", name] of names) expect(findKnownRegistrar(each)?.name).toBe(name);
    expect(KNOWN.filter(({ url }) => !url.startsWith("https://"))).toEqual([]);
    const isUnknown = (label: string) => findKnownRegistrar(label) === null;
    expect(READERS.map(({ label }) => label).filter(isUnknown)).toEqual([]);
  });

  once("are the same under a longer name, whichever is first", () => {
    for (const longer of ["Quill Ltd", "quill.example", "QUILL"]) {
      expect(isSameRegistrar(longer, "Quill")).toBe(true);
      expect(isSameRegistrar("Quill", longer)).toBe(true);
    }
    expect(isSameRegistrar("Quillfeather", "Quill")).toBe(false);
  });
});

describe("PATCH /api/registrars/:key", () => {
  once(
    "gives domains without a price the one of what follows their name, else of their TLD",
    async (client) => {
      const own = { minor: 900, currency: "USD", years: 1 };
      await addDomains(client, ["a.com", "a.co.uk", "b.org.uk", "d.de"], { registrar: "Gandi" });
      await addDomain(client, { name: "b.com", registrar: "Gandi", renewal: own });
      await addDomain(client, { name: "c.com", registrar: "OVH" });
      const unpriced = ["co.uk", "com", "de", "org.uk"].map((tld) => ({ tld }));
      expect(await client.json("/api/registrars")).toMatchObject({ items: [{ unpriced }, {}] });
      const [uk, couk] = [
        { ...COM, tld: "uk", minor: 500 },
        { ...COM, tld: "co.uk", minor: 700 },
      ];
      await patch(client, "gandi", { prices: [COM, uk, couk, { ...COM, tld: "net" }] });
      const listed = async () => {
        const { items } = parseDomainPage(await client.json("/api/domains?sort=-price,name"));
        return items.map(({ name, listPrice }) => [name, listPrice?.minor ?? null]);
      };
      const none = ["c.com", "d.de"].map((name) => [name, null]);
      const prices = { "a.com": 1200, "a.co.uk": 700, "b.org.uk": 500 };
      expect(await listed()).toEqual([...Object.entries(prices), ["b.com", null], ...none]);
      await patch(client, "gandi", { prices: [] });
      expect((await listed()).filter(([, price]) => price !== null)).toEqual([]);
    },
  );

  test("keeps the prices that another person saved since the list was opened", async (client) => {
    await addDomain(client, { name: "a.com", registrar: "Gandi" });
    const price = (tld: string, minor: number) => ({ ...COM, tld, minor });
    const pricesBefore = [price("com", 1200), price("de", 700), price("fr", 800)];
    await patch(client, "gandi", { prices: pricesBefore });
    // One adds .net and raises .de, the other corrects .com and drops .fr.
    const [mine, theirs] = [
      [price("com", 1300), price("de", 700)],
      [...pricesBefore.with(1, price("de", 900)), price("net", 1500)],
    ];
    for (const prices of [pricesBefore, theirs, mine])
      expect((await patch(client, "gandi", { prices, pricesBefore })).status).toBe(200);
    const prices = [price("com", 1300), price("de", 900), price("net", 1500)];
    expect(await client.json("/api/registrars")).toMatchObject({ items: [{ prices }] });
    await patch(client, "gandi", { prices: mine });
    expect(await client.json("/api/registrars")).toMatchObject({ items: [{ prices: mine }] });
  });

  test("spells one anew, or merges two under one name, with a history, and can be undone", async (client) => {
    const { id } = await addDomain(client, { name: "a.com", registrar: "Gandi.NET" });
    const spelled = await patch(client, "gandi.net", { name: "gandi.net" });
    expect(await spelled.json()).toEqual({ key: "gandi.net", moved: 0, operation: null });
    expect(await client.json(`/api/domains/${id}`)).toMatchObject({ registrar: "gandi.net" });
    await addDomain(client, { name: "b.com", registrar: "gandi.net" });
    await addDomain(client, { name: "c.com", registrar: "Gandi" });
    const net = { ...COM, tld: "net", minor: 1500 };
    await patch(client, "gandi.net", { prices: [{ ...COM, minor: 1 }, net] });
    await patch(client, "gandi.net", { loginUrl: "https://old.example/" });
    await patch(client, "gandi", { prices: [COM] });

    const changed = await (await patch(client, "gandi.net", { name: "GANDI" })).json();
    expect(changed).toMatchObject({ key: "gandi", moved: 2 });
    expect(await client.json("/api/registrars")).toMatchObject({
      items: [{ name: "Gandi", names: 3, loginUrl: "https://old.example/", prices: [COM, net] }],
    });
    const fields = [{ field: "registrar", before: "gandi.net", after: "Gandi" }];
    const history = await client.json(`/api/domains/${id}/history`);
    expect(history).toMatchObject({ items: [{ fields, operation: changed.operation }, {}] });

    await undoOperation(client, changed.operation);
    const before = { name: "gandi.net", names: 2, prices: [{ ...COM, minor: 1 }, net] };
    expect(await client.json("/api/registrars")).toMatchObject({
      items: [before, { name: "Gandi", names: 1 }],
    });
  });

  once(
    "refuses what no registrar can have, and prices for one that was renamed meanwhile",
    async (client) => {
      await addDomain(client, { name: "a.com", registrar: "Gandi" });
      const refused: [object, string][] = [
        [{ name: " " }, "/name"],
        [{ loginUrl: "javascript:alert(1)" }, "/loginUrl"],
        [{ loginUrl: "https://me:secret@gandi.net/" }, "/loginUrl"],
        [{ prices: [{ ...COM, tld: "co uk" }] }, "/prices/0/tld"],
        [{ prices: [COM, { ...COM, tld: ".Com" }] }, "/prices/1/tld"],
      ];
      for (const [json, pointer] of refused) {
        await expectRefused(patch(client, "gandi", json), pointer);
      }
      await patch(client, "gandi", { name: "Gandi SAS" });
      for (const json of [{ prices: [COM], pricesBefore: [] }, { name: "X" }])
        expect((await patch(client, "gandi", json)).status).toBe(404);
    },
  );
});
