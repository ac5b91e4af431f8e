import { describe, expect } from "bun:test";
import { findCheaper } from "../../../src/backend/costs/cheaper.ts";
import { parseCheaperReport } from "../../../src/shared/costs.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, listNames } from "../../support/domains.ts";

const TODAY = "2027-01-15";

/** Gives a registrar a price list, in dollars. */
function list(client: ApiClient, name: string, minors: Record<string, number>) {
  const prices = Object.entries(minors).map(([tld, minor]) => {
    return { tld, minor, currency: "USD", years: 1 };
  });
  return client.patch(`/api/registrars/${name}`, { prices });
}

describe("GET /api/costs/cheaper", () => {
  test("tells what another registrar's list would renew for less, as a list finds it", async (client) => {
    const add = (name: string, rest: object = {}) =>
      addDomain(client, { name, registrar: "GoDaddy", expires: "2027-06-01", ...rest });
    await add("a.com");
    await add("b.com", { decision: "transfer" });
    await add("dear.com", { renewal: { minor: 6000, currency: "USD", years: 2 } });
    await add("cheap.com", { renewal: { minor: 900, currency: "USD" } });
    await add("other.com", { renewal: { minor: 9000, currency: "EUR" } });
    await add("drop.com", { decision: "drop" });
    await add("sold.com", { soldOn: "2026-12-01" });
    await add("gone.com", { expires: "2027-01-14" });
    await add("a.co.uk");
    await add("b.uk");
    await add("c.com", { registrar: "Porkbun" });
    await list(client, "godaddy", { com: 2299, uk: 1500, "co.uk": 1600 });
    await list(client, "porkbun", { com: 1108, uk: 700, "co.uk": 1700 });

    const { items } = parseCheaperReport(await client.json(`/api/costs/cheaper?today=${TODAY}`));
    const rows = items.map(({ registrar, names, suffix, at, from, now, price, saving }) => {
      const [is, each, less] = [now, price, saving].map((sum) => `${sum.minor} ${sum.currency}`);
      return `${names} .${suffix} at ${registrar} from ${from}: ${is}; ${at} ${each}: ${less} less`;
    });
    expect(rows).toEqual([
      "3 .com at GoDaddy from 22.99: 7598 USD; Porkbun 1108 USD: 4274 USD less",
      "1 .uk at GoDaddy from 15: 1500 USD; Porkbun 700 USD: 800 USD less",
    ]);
    const query = "registrar=GoDaddy&tld=com&price=22.99..&currency=USD&decision=!drop";
    const names = await listNames(client, `${query}&sold=false&expiresFrom=${TODAY}`);
    expect(names.toSorted()).toEqual(["a.com", "b.com", "dear.com"]);
  });

  once("does not propose a registrar that was merged into another", async (client) => {
    for (const [registrar, com] of [["GoDaddy", 2299] as const, ["Go", 1108] as const]) {
      await addDomain(client, { name: `${registrar}.com`, registrar, expires: "2027-06-01" });
      await list(client, registrar.toLowerCase(), { com });
    }
    await client.patch("/api/registrars/go", { name: "GoDaddy" });
    expect(await client.json(`/api/costs/cheaper?today=${TODAY}`)).toEqual({ items: [] });
  });
});

const godaddy = { registrar: "GoDaddy", tld: "com", suffix: "com", years: 1, names: 2 };
const offer = (registrar: string, minor: number, currency: string, years = 1) => {
  return { registrar, tld: "com", minor, currency, years };
};
const priced = [{ ...godaddy, minor: 2000, currency: "USD" }];
const NONE = { currency: null, rates: {} };

describe("findCheaper", () => {
  once("compares two currencies only by the register's rates", async () => {
    const lists = [offer("Gandi", 1500, "EUR"), offer("Porkbun", 1900, "USD")];
    expect(await findCheaper(priced, lists, NONE)).toMatchObject([
      { at: "Porkbun", saving: { minor: 200, currency: "USD" } },
    ]);
    const settings = { currency: "EUR", rates: { USD: 0.9 } };
    expect(await findCheaper(priced, lists, settings)).toMatchObject([
      { at: "Gandi", saving: { minor: 600, currency: "EUR" } },
    ]);
  });

  once("compares years, and neither a registrar with itself nor equal prices", async () => {
    const lists = [offer("GoDaddy", 1, "USD"), offer("Gandi", 2000, "USD")];
    expect(await findCheaper(priced, lists, NONE)).toEqual([]);
    expect(await findCheaper(priced, [offer("Gandi", 3000, "USD", 2)], NONE)).toMatchObject([
      { saving: { minor: 1000 } },
    ]);
  });
});
