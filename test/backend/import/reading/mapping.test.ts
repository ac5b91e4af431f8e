import { describe, expect, test } from "bun:test";
import {
  type FieldKind,
  FIELD_NAMES,
  FIELDS,
  importFieldsOf,
} from "../../../../src/shared/fields.ts";
import { exportText, importAll } from "../../../support/import-source.ts";

async function propose(text: string) {
  const { analysis, rows } = await importAll(text);
  const fields = analysis.mapping.map((field, index) => [analysis.columns[index]?.header, field]);
  const mapped = Object.fromEntries(fields.filter(([, field]) => field !== "ignore"));
  return { analysis, mapped, values: rows.map(({ values }) => values) };
}

describe("proposeMapping", () => {
  test("reads a registrar's export with its columns in another order, or fewer of them", async () => {
    const porkbun = await exportText("porkbun.csv");
    const rows = porkbun.trim().split("\n").slice(1);
    const fewer = rows.map((row) => {
      const cells = row.split(",");
      return [cells[6], cells[3], cells[0]].join();
    });
    const { analysis, values } = await propose(fewer.join("\n"));
    expect(analysis.ambiguous).toEqual([]);
    expect(values).toEqual([
      { expires: "2027-01-05", autoRenew: true },
      { expires: "2026-12-31", autoRenew: false },
    ]);
  });

  test("finds names and dates to come by their values, without a header", async () => {
    const { analysis, values } = await propose(
      "1,a.example,2020-01-05,2027-01-05\n2,b.example,2019-02-06,2027-02-06\n",
    );
    expect(analysis.mapping).toEqual(["ignore", "name", "ignore", "expires"]);
    expect(analysis.ambiguous).toEqual([]);
    expect(values).toEqual([{ expires: "2027-01-05" }, { expires: "2027-02-06" }]);
  });

  test.each([
    ["Domain,Expires,Expiry date\na.example,2027-01-05,2027-01-05\n", "they say the same"],
    ["Domain,Expires,Expiry date\na.example,2027-01-05,\n", "one says nothing"],
    ["Domain,Expires,Expiry\na.example,2027-01-05,1799107200\n", "one is a bare number"],
    ["Domain,Expires,Renewal date\na.example,2027-01-05,2027-01-04\n", "one is only a renewal"],
    ["Domain,Renewal date,Last login\na.example,2027-01-05,2020-01-04\n", "one is long gone"],
    ["Domain,Renewal date,Sale date\na.example,2027-01-05,2028-01-04\n", "one names another event"],
  ])("does not ask about %j: %s", async (text) => {
    const { analysis, values } = await propose(text);
    expect(analysis.ambiguous).toEqual([]);
    expect(values).toEqual([{ expires: "2027-01-05" }]);
  });

  const field = (name: string, ...columns: number[]) => ({ code: "field", field: name, columns });
  test.each([
    ["Domain,Expires,Expiry date\na.example,2027-01-05,2027-02-05\n", field("expires", 1, 2)],
    ["a.example,2020-01-05\nb.example,2019-02-06\n", field("expires", 1)],
    ["Domain,By itself\na.example,yes\nb.example,no\n", field("autoRenew", 1)],
    ["Expires,Notes\n2027-01-05,x\n", { code: "no-name" }],
  ])(
    "asks what columns are that may be a field, and reads none of them: %j",
    async (text, asked) => {
      const { analysis, values } = await propose(text);
      expect<unknown>(analysis.ambiguous).toEqual([asked]);
      expect(values[0]).toEqual({});
    },
  );

  test.each([
    [
      "names before a column called so",
      "Name,Site,Expires\nPat,a.example,2027-01-05\nKim,b.example,2027-01-05\n",
      { Site: "name", Expires: "expires" },
    ],
    [
      "no flag or price of a marketplace",
      "Domain,Listed,Minimum offer,Asking price,Purchase price\na.example,yes,$500,$900,$10\n",
      { Domain: "name", "Asking price": "askingPrice", "Purchase price": "purchasePrice" },
    ],
  ])("takes %s", async (_, text, mapped) => expect((await propose(text)).mapped).toEqual(mapped));

  test("makes custom fields of what a person wants kept, named by the headers", async () => {
    const text = "Domain,Client no.,Cost  centre,client NO.,Auth code\na.example,17,-,18,secret\n";
    const mapping = ["name", "custom", "custom", "custom", "ignore"];
    const { rows } = await importAll(text, { mapping });
    expect(rows.map(({ values }) => values)).toEqual([{ custom: { "Client no.": "17" } }]);
    const secret = importAll(text, { mapping: ["name", "custom", "custom", "custom", "custom"] });
    expect(await secret.catch((error: unknown) => error)).toMatchObject({ status: 400 });
  });

  test("reads with a person's mapping, in place of a proposal or a layout", async () => {
    const text = await exportText("dnsimple.csv");
    const { analysis } = await importAll(text);
    const renewBy = analysis.columns.map(({ header }) =>
      header === "domain_name" ? "name" : header === "renew_by" ? "expires" : "ignore",
    );
    const { rows } = await importAll(text, { mapping: renewBy });
    expect(rows.map(({ values }) => values)).toEqual([
      { expires: "2027-01-04", registrar: "DNSimple" },
    ]);
  });
});

/** What the columns of a field may hold, by its kind, where that is no text. */
const CELLS: { readonly [K in FieldKind]?: readonly string[] } = {
  name: ["a.example"],
  choice: ["keep"],
  flag: ["yes"],
  expiry: ["2030-01-31"],
  day: ["2020-01-31"],
  price: ["12.50", "EUR", "2"],
  money: ["12.50", "EUR"],
  hosts: ["ns1.example.net"],
};

test("a column of each field is read", async () => {
  const fields = FIELD_NAMES.filter((field) => importFieldsOf(field).length > 0);
  const mapping = fields.flatMap(importFieldsOf);
  const cells = fields.flatMap((field) => CELLS[FIELDS[field].kind] ?? "Text");
  const { rows } = await importAll(`${mapping.join(",")}\n${cells.join(",")}\n`, { mapping });
  const values = rows.map((row) => ["name", ...Object.keys(row.values)].toSorted());
  expect(values).toEqual([fields.toSorted()]);
});
