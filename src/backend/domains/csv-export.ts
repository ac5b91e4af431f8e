import { UNKNOWN_VALUES, type Domain, type Money } from "../../shared/domain.ts";
import { FIELD_NAMES, FIELDS, type Field } from "../../shared/fields.ts";
import { currencyDigits } from "../../shared/money.ts";
import { foldLabel } from "../../shared/text.ts";
import { yieldToEventLoop, type Database } from "../database/database.ts";
import { readCustomFields } from "./columns.ts";
import { listIds, type DatedView } from "./list-domains.ts";
import { readDomains } from "./read-domains.ts";

/** Fields with columns of their own; custom fields have one for each of their names. */
const EXPORTED = FIELD_NAMES.filter((field) => field !== "custom");

/** Columns of our export that no import takes a value from: they follow those of their field. */
const ALSO: { readonly [F in Field]?: string } = { name: "Unicode", expires: "Expiry source" };

/** Headers of our export whose columns no import reads. */
export const OWN_UNREAD_HEADERS: readonly string[] = Object.values(ALSO);

function headersOf(field: Field): string[] {
  const headers = Object.values(FIELDS[field].importAs).map(({ header }) => header);
  return [...headers, ...(ALSO[field] === undefined ? [] : [ALSO[field]])];
}

/** Domains that one read takes: short enough to let others run in between. */
const BATCH_SIZE = 200;

/**
 * Writes every domain of a view as CSV (RFC 4180), in its order: CRLF, quotes where needed, and a
 * byte order mark, without which Excel reads UTF-8 as windows-1252. No cell is run as a formula by a
 * spreadsheet; importing the file again restores every value as it was. The domains are read in
 * batches as the file is taken, so one that changes meanwhile comes as it is at that moment.
 */
export async function* exportCsv(database: Database, view: DatedView): AsyncGenerator<string> {
  const ids = await database.read((sql) => listIds(sql, view));
  const customNames = await listCustomNames(database, ids);
  yield toCsvHead(customNames);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE);
    yield toCsv(await database.read((sql) => readDomains(sql, batch)), customNames);
  }
}

/** Ids among which one statement looks for custom fields. */
const LOOK_UP_SIZE = 2000;

/** The names of all custom fields of some domains, in order; those that fold alike are one. */
async function listCustomNames(database: Database, ids: readonly string[]): Promise<string[]> {
  const names = new Map<string, string>();
  for (let start = 0; start < ids.length; start += LOOK_UP_SIZE) {
    const batch = ids.slice(start, start + LOOK_UP_SIZE);
    const rows = await database.read(
      (sql) => sql<{ custom: string }[]>`
        select distinct custom from domains where custom is not null and id in ${sql(batch)}`,
    );
    for (const { custom } of rows) {
      for (const name of Object.keys(readCustomFields(custom))) names.set(foldLabel(name), name);
    }
    await yieldToEventLoop();
  }
  return [...names].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name);
}

/** The byte order mark and the line of headers. */
export function toCsvHead(customNames: readonly string[]): string {
  return `\ufeff${toLine([...EXPORTED.flatMap(headersOf), ...customNames])}`;
}

/** The lines of some domains. */
export function toCsv(domains: readonly Domain[], customNames: readonly string[]): string {
  const keys = customNames.map(foldLabel);
  return domains
    .map((domain) => toLine([...fieldCells(domain), ...customCells(domain, keys)]))
    .join("");
}

function fieldCells(domain: Domain): string[] {
  return EXPORTED.flatMap((field) => {
    const cells = field === "name" ? [domain.name, domain.unicode] : formatValue(domain[field]);
    return headersOf(field).map((_, index) => cells[index] ?? "");
  });
}

function customCells({ custom }: Domain, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const texts = new Map(Object.entries(custom).map(([name, text]) => [foldLabel(name), text]));
  return keys.map((key) => texts.get(key) ?? "");
}

/** The cells of a value, in the order of the headers of its field. */
function formatValue(value: Domain[(typeof EXPORTED)[number]]): string[] {
  if (value === null) return [];
  if (typeof value === "string") return [value];
  if (typeof value === "boolean") return [value ? "yes" : "no"];
  if (Array.isArray(value)) return [joinOwnList(value)];
  if ("date" in value) return [value.date, value.source];
  const money = [formatAmount(value), value.currency ?? ""];
  return "years" in value ? [...money, String(value.years ?? "")] : money;
}

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
export function toTemplate(): string {
  const headers = EXPORTED.flatMap(headersOf);
  const lines = [headers, fieldCells(EXAMPLE)].map((cells) =>
    toLine(cells.filter((_, index) => !OWN_UNREAD_HEADERS.includes(headers[index] ?? ""))),
  );
  return `\ufeff${lines.join("")}`;
}

/** A line of CSV (RFC 4180): quotes where needed, and no cell that a spreadsheet runs as a formula. */
export function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(guardCell(cell))).join(",")}\r\n`;
}

/** RFC 4180 §2; blanks at an end are quoted too, as some readers drop them. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The amount in whole units, with the currency's own number of decimals and a dot. */
export function formatAmount(money: Money): string {
  const digits = currencyDigits(money.currency);
  const minor = String(money.minor).padStart(digits + 1, "0");
  return digits === 0 ? minor : `${minor.slice(0, -digits)}.${minor.slice(-digits)}`;
}

/** Joins tags or nameservers: `;` between them, `\` before one that is part of a tag. */
function joinOwnList(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[\\;]/g, "\\$&")).join(";");
}

/** Reads `joinOwnList` back. */
export function splitOwnTags(text: string): string[] {
  return (text.match(/(?:\\.|[^\\;])+/gsu) ?? []).map((tag) => tag.replace(/\\(.)/gsu, "$1"));
}

/**
 * Cells that a spreadsheet would run as a formula, or that `guardCell` has made harmless: an equals,
 * plus, minus or at sign (also full-width) at the start or after blanks, or a tab or line break in
 * front.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/**
 * Makes a cell harmless to spreadsheets by an apostrophe in front. A cell that already looks so gets
 * one too, so that `revealCell` returns exactly what went in.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes `guardCell`. */
export function revealCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
