import { describe, expect } from "bun:test";
import { parseCostReport, type CostReport } from "../../../src/shared/costs.ts";
import type { ApiClient } from "../../support/api-client.ts";
import type { BackendServer } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, patchDomain } from "../../support/domains.ts";

const TODAY = "2027-01-15";

const euros = (minor: number, years: number | null = 1) => ({ minor, currency: "EUR", years });

async function readReport(client: ApiClient, query: string): Promise<CostReport> {
  return parseCostReport(await client.json(`/api/costs?today=${TODAY}&${query}`));
}

/** Moves what was reported since the last call back in time: Postgres stamps it by a clock of its own. */
async function reportedAt(server: BackendServer, at: string) {
  await server.write(
    (sql) => sql`update observations set observed_at = ${at} where observed_at > '2026-05'`,
  );
}

/** The sums of a report in short: period, group, currency, amount, how many. */
function shortly(rows: CostReport["rows"]) {
  return rows.map(({ period, group, currency, minor, names }) =>
    [period, group, currency, minor, names].filter((each) => each !== null).join(" "),
  );
}

describe("GET /api/costs", () => {
  test("adds up coming renewals, each as often as it recurs", async (client) => {
    const add = (name: string, rest: object) => addDomain(client, { name, ...rest });
    const list = [{ tld: "de", minor: 500, currency: "EUR", years: 1 }];
    await add("a.com", { expires: "2027-01-15", renewal: euros(1000), autoRenew: true });
    await add("b.com", { expires: "2027-01-31", renewal: euros(3000, 2), owner: "Ada" });
    await add("c.com", { expires: "2028-03-01", renewal: { minor: 700, currency: "USD" } });
    await add("d.de", { expires: "2027-06-01", registrar: "Gandi" });
    await add("e.com", { expires: "2027-06-01" });
    await add("gone.com", { expires: "2027-01-14", renewal: euros(1) });
    await add("past.com", { expires: "2026-12-31", renewal: euros(1) });
    await add("drop.com", { expires: "2027-02-01", renewal: euros(1), decision: "drop" });
    await add("sold.com", { expires: "2027-02-01", renewal: euros(1), soldOn: "2026-12-01" });
    await client.patch("/api/registrars/gandi", { prices: list });

    const months = await readReport(client, "");
    expect(months).toMatchObject({ from: "2027-01", to: "2027-12", rows: [], unpriced: 1 });
    expect(shortly(months.totals)).toEqual(["2027-01 EUR 4000 2", "2027-06 EUR 500 1"]);
    expect(months.totals[0]).toMatchObject({ renewing: 1000 });

    const years = await readReport(client, "by=year&from=2027-02&to=2029-12&group=registrar");
    expect(shortly(years.totals)).toEqual([
      "2028 EUR 1500 2",
      "2029 EUR 4500 3",
      "2027 EUR 500 1",
      "2028 USD 700 1",
      "2029 USD 700 1",
    ]);
    const ofGandi = shortly(years.rows.filter(({ group }) => group === "Gandi"));
    expect(ofGandi).toEqual(["2027", "2028", "2029"].map((year) => `${year} Gandi EUR 500 1`));
  });

  test("groups by label, in one spelling, and by each tag of a domain", async (client) => {
    const renewal = euros(1000);
    const expires = "2027-03-01";
    await addDomain(client, { name: "a.com", expires, renewal, owner: "Ada", tags: ["x", "y"] });
    await addDomain(client, { name: "b.de", expires, renewal, owner: "ada", tags: ["x"] });
    // Alone in its month.
    const alone = { expires: "2027-04-01", renewal, owner: "ada", tags: ["x"] };
    await addDomain(client, { name: "d.net", ...alone });
    await addDomain(client, { name: "c.de", expires, renewal });
    const rowsBy = async (group: string) =>
      shortly((await readReport(client, `group=${group}`)).rows);
    expect(await rowsBy("owner")).toEqual([
      "2027-03 Ada EUR 2000 2",
      "2027-04 Ada EUR 1000 1",
      "2027-03 EUR 1000 1",
    ]);
    expect(await rowsBy("tag")).toEqual([
      "2027-03 x EUR 2000 2",
      "2027-04 x EUR 1000 1",
      "2027-03 y EUR 1000 1",
      "2027-03 EUR 1000 1",
    ]);
    expect(await rowsBy("tld")).toEqual([
      "2027-03 de EUR 2000 2",
      "2027-03 com EUR 1000 1",
      "2027-04 net EUR 1000 1",
    ]);
  });

  test("finds renewals paid in what was reported, rounded alike where sold, and profit where all is known", async (client) => {
    const purchasePrice = { minor: 5000, currency: "EUR" };
    const renewed = { name: "renewed.com", expires: "2026-05-01", renewal: euros(999, 2) };
    const bought = { purchasePrice, purchasedOn: "2025-05-01" };
    const { id } = await addDomain(client, { ...renewed, ...bought });
    const other = await addDomain(client, { name: "moved.com", expires: "2026-05-01" });
    await reportedAt(client.server, "2026-03-01T12:00:00.000Z");
    await patchDomain(client, id, { expires: "2029-05-01" }, "*");
    // A corrected day is no renewal.
    await patchDomain(client, other.id, { expires: "2026-08-01" }, "*");
    await reportedAt(client.server, "2026-04-01T12:00:00.000Z");
    const paid = await readReport(client, "what=paid&from=2026-01&to=2026-12");
    expect(shortly(paid.totals)).toEqual(["2026-04 EUR 1499 1"]);
    // Beside what comes stands what was paid a year before, where the register had begun by then.
    const { lastYear } = await readReport(client, "");
    expect(shortly(lastYear.totals)).toEqual(["2027-04 EUR 1499 1"]);
    expect(lastYear.unknown).toEqual(["2027-01", "2027-02", "2027-03"]);
    const years = (await readReport(client, "by=year&from=2027-05&to=2028-12")).lastYear;
    expect(years).toMatchObject({ totals: [], unknown: ["2028"], unpriced: 0 });
    const bill = await readReport(client, "what=purchases&by=year&from=2023-01");
    expect(shortly(bill.totals)).toEqual(["2025 EUR 5000 1"]);

    const soldPrice = { minor: 100_000, currency: "USD" };
    await patchDomain(client, id, { soldPrice, soldOn: "2027-01-10" }, "*");
    await patchDomain(client, other.id, { soldPrice }, "*");
    const sold = await readReport(client, "what=sales");
    expect(shortly(sold.totals)).toEqual(["2027-01 USD 100000 1"]);
    const renewals = { minor: 1499, currency: "EUR" };
    const known = { soldOn: "2027-01-10", purchase: purchasePrice, renewals };
    expect(sold.sales).toMatchObject([
      { name: "renewed.com", ...known, profit: null },
      { name: "moved.com", soldOn: null, purchase: null, profit: null },
    ]);
    const profit = async () => (await readReport(client, "what=sales")).sales[0]?.profit;
    await client.patch("/api/settings", { currency: "EUR", rates: { USD: 0.5 } });
    expect(await profit()).toEqual({ minor: 43_501, currency: "EUR" });
    await patchDomain(client, id, { soldPrice: { minor: 2000, currency: "EUR" } }, "*");
    expect(await profit()).toEqual({ minor: -4499, currency: "EUR" });
  });

  once("refuses what no report can have, and names the months that it could", async (client) => {
    for (const [query, told] of [
      ["group=toString"],
      ["from=2027-13"],
      ["from=2027-02&to=2027-01"],
      ["by=year&from=2020-01&to=2051-01"],
      ["from=1984-12", 'Expected a month from 1985-01 to 2199-12, but got "1984-12"'],
      ["from=2027-01&to=2032-01", "Choose a month from 2027-01 to 2031-12."],
    ]) {
      const detail: unknown = told ?? expect.any(String);
      expect(await client.json(`/api/costs?${query}`)).toMatchObject({ errors: [{ detail }] });
    }
  });
});

describe("GET /api/costs.csv", () => {
  once("has the same sums, harmless to a spreadsheet", async (client) => {
    const rest = { expires: "2027-03-01", owner: "=SUM(A1)" };
    await addDomain(client, { name: "a.com", renewal: euros(1050), ...rest });
    const response = await client.request(`/api/costs.csv?group=owner&today=${TODAY}`);
    expect(response.headers.get("content-disposition")).toContain("costs-2027-01-2027-12.csv");
    expect(await response.text()).toBe(
      "Month,Owner,Currency,Coming renewals,Domains,Renews automatically\r\n" +
        "2027-03,'=SUM(A1),EUR,10.50,1,0.00\r\n",
    );
    const plain = await client.request(`/api/costs.csv?what=sales&today=${TODAY}`);
    expect(await plain.text()).toBe("Month,Currency,Sales,Domains\r\n");
  });
});
