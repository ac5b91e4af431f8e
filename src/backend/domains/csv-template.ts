import { UNKNOWN_VALUES, type Domain } from "../../shared/domain.ts";
import { CSV_COLUMNS, OWN_UNREAD_HEADERS, toExportedRow, toLine } from "./csv-export.ts";

/** An example of every field that a file can bring. */
const EXAMPLE: Domain = {
  ...UNKNOWN_VALUES,
  id: "",
  version: 1,
  createdAt: "",
  updatedAt: "",
  name: "example.com",
  unicode: "example.com",
  registrar: "Example Registrar",
  account: "main",
  owner: "Ada Lovelace",
  expires: { date: "2030-12-31", source: "", observedAt: "", conflict: false, alternatives: [] },
  autoRenew: true,
  renewal: { minor: 1250, currency: "EUR", years: 1 },
  tags: ["shop", "client"],
  decision: "keep",
  registeredOn: "2015-01-31",
  status: "Active",
  locked: true,
  privacy: true,
  nameservers: ["ns1.example.net", "ns2.example.net"],
  purchasePrice: { minor: 25_000, currency: "EUR" },
  purchasedOn: "2020-06-30",
  askingPrice: { minor: 90_000, currency: "EUR" },
  notes: "Delete this row, and the columns that you do not need.",
};

/** An empty file to fill in: the headers that an import understands, and an example. */
export async function* writeTemplate(): AsyncGenerator<string> {
  const columns = CSV_COLUMNS.filter(({ header }) => !OWN_UNREAD_HEADERS.includes(header));
  const example = toExportedRow(EXAMPLE);
  const lines = [columns.map(({ header }) => header), columns.map(({ cell }) => cell(example))];
  yield `\ufeff${lines.map(toLine).join("")}`;
}
