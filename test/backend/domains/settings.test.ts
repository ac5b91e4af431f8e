import { describe, expect } from "bun:test";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import { expectRefused } from "../../support/domains.ts";
import { test } from "../../support/owner-test.ts";

describe("/api/settings", () => {
  test("changes what a request names, keeps the rest, and refuses what no register can have", async (client) => {
    const patch = (json: object) => client.json("/api/settings", { method: "PATCH", json });
    expect(await client.json("/api/settings")).toEqual(DEFAULT_SETTINGS);
    await expectRefused(client.patch("/api/settings", { rates: { USD: 1 } }), "/currency");
    const rates = { USD: 0.92, GBP: 1.17 };
    await patch({ leadDays: 30 });
    const euros = { ...DEFAULT_SETTINGS, leadDays: 30, currency: "EUR", rates };
    expect(await patch({ currency: "EUR", rates })).toEqual(euros);
    expect(await patch({ currency: "EUR" })).toEqual(euros);
    // Two people who edit different rates keep each other's.
    const more = { rates: { ...rates, CHF: 1.05 } };
    expect(await patch({ rates: { CHF: 1.05 } })).toMatchObject(more);
    expect(await patch({ rates: { CHF: null } })).toEqual(euros);
    expect(await client.json("/api/settings")).toEqual(euros);
    // Rates of another currency mean nothing for the next one.
    expect(await patch({ currency: "USD" })).toEqual({ ...euros, currency: "USD", rates: {} });

    const refused: [object, string][] = [
      [{ leadDays: 366 }, "/leadDays"],
      [{ currency: "EUR", rates: { USD: 0 } }, "/rates/USD"],
      [{ currency: "EUR", rates: { EUR: 1 } }, "/rates/EUR"],
    ];
    for (const [json, pointer] of refused) {
      await expectRefused(client.patch("/api/settings", json), pointer);
    }
    expect(await client.json("/api/settings")).toEqual({ ...euros, currency: "USD", rates: {} });
  });
});
