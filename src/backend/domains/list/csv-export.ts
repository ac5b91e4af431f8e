import type { SQL } from "bun";
import { UNKNOWN_VALUES, type Domain } from "../../../shared/domain.ts";
import {
  FIELD_NAMES,
  headerOf,
  importFieldsOf,
  UNREAD_HEADERS,
  type Field,
} from "../../../shared/fields.ts";
import { foldLabel, isReservedName } from "../../../shared/text.ts";
import type { Database, Job } from "../../database/database.ts";
import { columnsOf, fromRow, type StoredDomain } from "../columns.ts";
import { KIND_OF } from "../field-kinds.ts";
import { byOwnWords, listPeopleNames } from "../people.ts";
import type { Sight } from "../../http/route.ts";
import { inSight } from "./filter-condition.ts";
import { nameSources, readSourceNames, withoutHidden } from "./shown.ts";
import { listIds, viewCondition, type DatedView } from "./list-domains.ts";
import { readSpellings } from "../labels.ts";

/** Fields with columns of their own; custom fields have one for each of their names. */
const EXPORTED = FIELD_NAMES.filter(
  (field) => field !== "custom" && importFieldsOf(field).length > 0,
);

/** The columns that these fields are read from: not the folded ones, but for a registrar's. */
const EXPORTED_COLUMNS = columnsOf([...EXPORTED, "custom"]).filter(
  (column) => column === "registrar_key" || !column.endsWith("_key"),
);

const HEADERS = EXPORTED.flatMap((field) => [
  ...importFieldsOf(field).map(headerOf),
  ...(UNREAD_HEADERS[field] === undefined ? [] : [UNREAD_HEADERS[field]]),
]);

function cellsOf(domain: Domain): string[] {
  const cells = <F extends Field>(field: F) => KIND_OF[field].csv(domain[field], domain);
  return EXPORTED.flatMap(cells);
}

/** Domains of one job and one part of the file: some 10 ms, so that others get their turn. */
const PAGE_SIZE = 500;

/** Parts that are made before the client has taken those before. */
const MAX_PAGES_AHEAD = 2;

/** What a file is of: a view, or some domains, in their order; an unknown id is left out. */
type Exported = DatedView | { ids: readonly string[]; sight: Sight };

/** The names of custom fields, without those that fold alike. */
export const readCustomNames: Job<Exported, string[]> = {
  name: "list custom fields to export",
  async run(sql, given) {
    const where =
      "ids" in given
        ? sql`id in ${sql(given.ids)} ${inSight(sql, given.sight)}`
        : (await viewCondition(sql, given))();
    // Grouped in the index of `custom_key`: only one row of each group is read.
    const rows = await sql<{ custom: string }[]>`
      select custom from domains where id in (
        select max(id) from domains where custom_key is not null and (${where}) group by custom_key)
      order by id`;
    return listCustomNames(rows.map(({ custom }) => KIND_OF.custom.read([custom])));
  },
};

const ID_LENGTH = 36;

/** The ids of a view in its order as one text: 200,000 texts would keep the thread that gets them. */
export const readExportIds: Job<DatedView, string> = {
  name: "list ids to export",
  run: async (sql, view) => (await listIds(sql, view)).join(""),
};

/** The lines of some domains, in their order; an unknown id is left out. */
export const readCsvLines: Job<
  { ids: string; customNames: readonly string[]; sight: Sight },
  string
> = {
  name: "write lines to export",
  async run(sql, { ids: joined, customNames, sight }) {
    const ids = joined.match(new RegExp(`.{${ID_LENGTH}}`, "g")) ?? [];
    const byId = await readExported(sql, ids, sight);
    const domains = ids.flatMap((id) => byId.get(id) ?? []);
    return toLines(domains, customNames);
  },
};

/**
 * Writes CSV (RFC 4180) with a byte order mark, without which Excel reads UTF-8 as windows-1252. A
 * spreadsheet runs no cell as a formula; importing the file restores every value.
 *
 * Ids and custom fields are of the moment when the file begins, each page of lines of when it is
 * read: no snapshot lasts as long as a slow client takes. What is deleted meanwhile is left out.
 */
export async function* exportCsv(database: Database, given: Exported): AsyncGenerator<string> {
  const customNames = await database.readMany(readCustomNames, given);
  yield toHeader(customNames);
  const { sight } = given;
  const ids = "ids" in given ? given.ids.join("") : await database.readMany(readExportIds, given);
  const ahead: Promise<string>[] = [];
  for (let start = 0; start < ids.length; start += PAGE_SIZE * ID_LENGTH) {
    const page = ids.slice(start, start + PAGE_SIZE * ID_LENGTH);
    const lines = database.readMany(readCsvLines, { ids: page, customNames, sight });
    // A client that leaves does not wait for it.
    lines.catch(() => undefined);
    ahead.push(lines);
    if (ahead.length === MAX_PAGES_AHEAD) yield (await ahead.shift()) ?? "";
  }
  for (const lines of ahead) yield await lines;
}

/** An example of every field that a file can bring. */
const EXAMPLE: Domain = {
  ...UNKNOWN_VALUES,
  id: "",
  version: 1,
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
  const unread: readonly string[] = Object.values(UNREAD_HEADERS);
  const isRead = (_: string, index: number) => !unread.includes(HEADERS[index] ?? "");
  yield `\ufeff${[HEADERS, cellsOf(EXAMPLE)].map((cells) => toLine(cells.filter(isRead))).join("")}`;
}

async function readExported(
  sql: SQL,
  ids: readonly string[],
  sight: Sight,
): Promise<Map<string, Domain>> {
  const registrars = await readSpellings(sql, "registrars");
  const tags = await readSpellings(sql, "tags");
  const accounts = await listPeopleNames(sql);
  const words = byOwnWords(accounts);
  // A name that a file calls another person by would give the domains to them.
  const people = new Map(
    accounts.map(({ id, name, email }) => {
      const called = words.get(foldLabel(name));
      return [id, called && called.id !== id ? email : name];
    }),
  );
  const columns = EXPORTED_COLUMNS.map((each) => sql`, ${sql(each)}`);
  const rows = await sql<StoredDomain[]>`
    select id, version, created_at, updated_at ${columns} from domains
    where id in ${sql(ids)} ${inSight(sql, sight)}`;
  const pairs = await sql<{ domain_id: string; tag_key: string }[]>`
    select domain_id, tag_key from domain_tags where domain_id in ${sql(ids)} order by tag_key`;
  const keys = Map.groupBy(pairs, ({ domain_id: id }) => id);
  const nameOf = await readSourceNames(sql, sight);
  return new Map(
    rows.map((row) => {
      row["registrar"] = registrars.get(String(row["registrar_key"] ?? "")) ?? null;
      row["person"] = people.get(String(row["person_id"])) ?? null;
      const tagged = keys.get(row.id)?.map(({ tag_key: key }) => tags.get(key) ?? key) ?? [];
      const domain = withoutHidden(fromRow(row, tagged), sight);
      return [row.id, { ...domain, expires: nameSources(domain.expires, nameOf) }];
    }),
  );
}

/** The names of custom fields that have a column, in order; of those that fold alike, the last. */
export function listCustomNames(customs: readonly Domain["custom"][]): string[] {
  const names = new Map<string, string>();
  for (const custom of customs) {
    for (const name of Object.keys(custom)) names.set(foldLabel(name), name);
  }
  return [...names.keys()].toSorted().map((key) => names.get(key) ?? "");
}

export function toHeader(customNames: readonly string[]): string {
  return `\ufeff${toLine([...HEADERS, ...customNames.map(customHeader)])}`;
}

export function toLines(domains: readonly Domain[], customNames: readonly string[]): string {
  const keys = customNames.map(foldLabel);
  const lines = domains.map((domain) => {
    const entries = Object.entries(domain.custom);
    const byKey = new Map(entries.map(([name, each]) => [foldLabel(name), each]));
    return toLine([...cellsOf(domain), ...keys.map((key) => byKey.get(key) ?? "")]);
  });
  return lines.join("");
}

const CUSTOM = " (custom)";

/** The header of a custom field; one named like another column gets a suffix. */
function customHeader(name: string): string {
  return isReservedName(name) ? name + CUSTOM : name;
}

export function customName(header: string): string {
  const name = header.endsWith(CUSTOM) ? header.slice(0, -CUSTOM.length) : header;
  return customHeader(name) === header ? name : header;
}

/** A line of CSV (RFC 4180): quotes where needed, and no cell that a spreadsheet runs as a formula. */
export function toLine(cells: readonly string[]): string {
  const texts = cells.map((cell) =>
    cell !== "" && MAY_BE_ODD.test(cell) ? quote(guardCell(cell)) : cell,
  );
  return `${texts.join(",")}\r\n`;
}

/** What may need quotes or a guard; nearly all cells need neither, and this is one quick look. */
const MAY_BE_ODD = /^[\s'=+\-@＝＋－＠]|[",;\t\r\n]|\s$/;

/** RFC 4180 §2; blanks at an end are quoted too, as some readers drop them. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Reads tags of our own export: `;` between them, `\` before one that is part of a tag. */
export function splitOwnTags(text: string): string[] {
  return (text.match(/(?:\\.|[^\\;])+/gsu) ?? []).map((tag) => tag.replace(/\\(.)/gsu, "$1"));
}

/**
 * What a spreadsheet runs as a formula: an equals, plus, minus or at sign (also full-width) at the
 * start or after blanks, or a tab or line break in front; also behind `guardCell`.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/**
 * An apostrophe in front makes a cell harmless; one that looks so gets another, for `revealCell`.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function revealCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
