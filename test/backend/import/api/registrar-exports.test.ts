import { describe, expect, test } from "bun:test";
import type { Domain } from "../../../../src/shared/domain.ts";
import expectations from "../../../data/registrar-exports/expected.json" with { type: "json" };
import { startBackend } from "../../../support/backend-server.ts";
import { importFile } from "../../../support/import-client.ts";

const EXPORTS = new URL("../../../data/registrar-exports/", import.meta.url);

type ExpectedRow = readonly (string | boolean | null)[];
const { _note: _, ...files } = expectations;
const cases = Object.entries(files).map(([file, expected]) => ({
  file,
  registrar: "registrar" in expected ? expected.registrar : null,
  rows: expected.rows satisfies readonly ExpectedRow[],
}));

describe("an import of a registrar's export", () => {
  test.each(cases)("puts into the register what expected.json says", async (expected) => {
    await using server = await startBackend();
    const client = await server.owner();
    const done = await importFile(client, await Bun.file(new URL(expected.file, EXPORTS)).text());
    expect(done).toMatchObject({ format: expected.registrar, ambiguous: [] });
    const { items }: { items: Domain[] } = await (await client.request("/api/domains")).json();
    const found = items.map(summary).toSorted();
    expect(found).toEqual(expected.rows.map(normal).toSorted());
    for (const { registrar, expires } of items) {
      expect(registrar).toBe(expected.registrar);
      if (expires !== null) expect(expires.source).toBe(expected.registrar ?? "domains.csv");
    }
  });
});

function summary({ name, expires, autoRenew, renewal }: Domain): string {
  const price = renewal ? `${renewal.minor} ${renewal.currency}` : null;
  return JSON.stringify([name, expires?.date ?? null, autoRenew, price]);
}

/** The amount of expected.json, such as "14.50 (currency not in file)", in smallest units. */
function normal([name = null, expires = null, autoRenew = null, price]: ExpectedRow): string {
  if (typeof price !== "string") return JSON.stringify([name, expires, autoRenew, null]);
  const [amount = "", currency = ""] = price.split(" ");
  const [whole = "", fraction = ""] = amount.split(".");
  const minor = Number(whole + fraction.padEnd(2, "0"));
  const code = /^[A-Z]{3}$/.test(currency) ? currency : null;
  return JSON.stringify([name, expires, autoRenew, `${minor} ${code}`]);
}
