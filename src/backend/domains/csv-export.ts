import type { SQL } from "bun";
import type { Domain, Money } from "../../shared/domain.ts";
import { FIELD_NAMES, FIELDS, type Field } from "../../shared/fields.ts";
import { currencyDigits } from "../../shared/money.ts";
import { foldLabel } from "../../shared/text.ts";
import { yieldToEventLoop, type Database } from "../database/database.ts";
import { readSettings } from "../settings.ts";
import { columnsOf, domainColumns, readCustomFields, type Columns } from "./columns.ts";
import { filterCondition, type Fragment } from "./filter-condition.ts";
import { listIds, type DatedView } from "./list-domains.ts";

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

/** What a line is written from: the columns of a domain's fields, its registrar and its tags. */
type ExportedRow = Columns & { id: string; tags: readonly string[] };

/** A domain that is in no database as a row. */
export function toExportedRow(domain: Domain): ExportedRow {
  const { id, registrar, tags } = domain;
  return Object.assign(domainColumns(domain), { id, registrar, tags });
}

type Cell = (row: ExportedRow) => string;

const textOf =
  (column: string): Cell =>
  (row) =>
    String(row[column] ?? "");

const tagsOf: Cell = ({ tags }) => tags.map((tag) => tag.replace(/[\\;]/g, "\\$&")).join(";");

const flagOf =
  (column: string): Cell =>
  (row) => {
    const flag = row[column] ?? null;
    if (flag === null) return "";
    return flag === 1 ? "yes" : "no";
  };

const amountOf =
  (minor: string, currency: string): Cell =>
  (row) => {
    const amount = row[minor] ?? null;
    const code = row[currency] ?? null;
    if (amount === null) return "";
    return formatAmount({ minor: Number(amount), currency: code === null ? null : String(code) });
  };

/** The cells of a field, in the order of its headers, as its kind has them in its columns. */
function cellsOf(field: Field): Cell[] {
  const [first = "", second = "", third = ""]: readonly string[] = FIELDS[field].columns;
  switch (FIELDS[field].kind) {
    // The column of the spelling; that of a registrar is read from another table.
    case "label":
      return [textOf(field)];
    case "flag":
      return [flagOf(first)];
    case "tags":
      return [tagsOf];
    case "hosts":
      return [(row) => textOf(first)(row).replaceAll(" ", ";")];
    case "price":
      return [amountOf(first, second), textOf(second), textOf(third)];
    case "money":
      return [amountOf(first, second), textOf(second)];
    default:
      return [textOf(first), textOf(second)];
  }
}

/** Every column of the file but those of custom fields. */
export const CSV_COLUMNS = EXPORTED.flatMap((field) =>
  headersOf(field).flatMap((header, index) => {
    const cell = cellsOf(field)[index];
    return cell === undefined ? [] : [{ header, cell }];
  }),
);

/** A line without its end, and the custom fields that follow it once all their names are known. */
interface Line {
  cells: string;
  custom: string;
}

/** Domains that one read takes: short enough to let others run in between. */
const BATCH_SIZE = 500;

/**
 * Writes every domain of a view as CSV (RFC 4180), in its order: CRLF, quotes where needed, and a
 * byte order mark, without which Excel reads UTF-8 as windows-1252. No cell is run as a formula by a
 * spreadsheet; importing the file again restores every value as it was.
 *
 * The domains are read in batches, so one that changes meanwhile comes as it is at that moment, and in
 * the order of their ids, in which they are stored: to look each up in the order of the view takes
 * three times as long. All of them are read before the file begins, so a failure has a status.
 */
export async function* exportCsv(database: Database, view: DatedView): AsyncGenerator<string> {
  const { ids, leadDays } = await database.read(async (sql) => ({
    ids: await listIds(sql, view),
    leadDays: (await readSettings(sql)).leadDays,
  }));
  const time = { today: view.today, leadDays };
  yield* exportRows(database, ids, (sql) => filterCondition(sql, view.filter, time));
}

/** As `exportCsv`, for domains with these ids, in their order; an unknown id is left out. */
export function exportSelected(database: Database, ids: readonly string[]): AsyncGenerator<string> {
  return exportRows(database, ids, (sql) => sql`id in ${sql(ids)}`);
}

async function* exportRows(
  database: Database,
  ids: readonly string[],
  condition: (sql: SQL) => Fragment,
): AsyncGenerator<string> {
  const lines = new Map<string, Line>();
  const spellings = await database.read(readSpellings);
  for (let after: string | undefined = ""; after !== undefined;) {
    const from: string = after;
    const rows = await database.read((sql) => readRows(sql, { from, condition, spellings }));
    for (const row of rows) lines.set(row.id, toLineOf(row));
    after = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
    await yieldToEventLoop();
  }
  yield* joinLines(ids.flatMap((id) => lines.get(id) ?? []));
}

/** The spellings of labels by their keys: of each there are few, and a join would look each up. */
type Spellings = Record<"registrars" | "tags", ReadonlyMap<string, string>>;

async function readSpellings(sql: SQL): Promise<Spellings> {
  const read = async (table: keyof Spellings) => {
    const rows = await sql<{ label_key: string; label: string }[]>`
      select label_key, label from ${sql(table)}`;
    return new Map(rows.map(({ label_key: key, label }) => [key, label]));
  };
  return { registrars: await read("registrars"), tags: await read("tags") };
}

const READ_COLUMNS = columnsOf(FIELD_NAMES);

async function readRows(
  sql: SQL,
  given: { from: string; condition: (sql: SQL) => Fragment; spellings: Spellings },
): Promise<ExportedRow[]> {
  const { from, condition, spellings } = given;
  const columns = READ_COLUMNS.map((each) => sql`, ${sql(each)}`);
  const rows = await sql<(Columns & { id: string })[]>`
    select id ${columns} from domains where id > ${from} and (${condition(sql)})
    order by id limit ${BATCH_SIZE}`;
  const to = rows.at(-1)?.id ?? from;
  const pairs = await sql<{ domain_id: string; tag_key: string }[]>`
    select domain_id, tag_key from domain_tags where domain_id > ${from} and domain_id <= ${to}
    order by domain_id, tag_key`;
  const tags = Map.groupBy(pairs, ({ domain_id: id }) => id);
  return rows.map((row) =>
    Object.assign(row, {
      registrar: spellings.registrars.get(String(row.registrar_key)) ?? null,
      tags: tags.get(row.id)?.map(({ tag_key: key }) => spellings.tags.get(key) ?? key) ?? [],
    }),
  );
}

/** The cells of one domain. */
export function toLineOf(row: ExportedRow): Line {
  return {
    cells: toCells(CSV_COLUMNS.map(({ cell }) => cell(row))),
    custom: String(row.custom ?? ""),
  };
}

/** The file: the byte order mark, the line of headers, and the lines of all domains. */
export function* joinLines(lines: readonly Line[]): Generator<string> {
  const customs = new Map(
    [...new Set(lines.map(({ custom }) => custom))].map((custom) => [
      custom,
      readCustomFields(custom || null),
    ]),
  );
  // Names that fold alike are one.
  const names = new Map(
    [...customs.values()].flatMap(Object.keys).map((name) => [foldLabel(name), name]),
  );
  const keys = [...names.keys()].toSorted();
  const headers = [
    ...CSV_COLUMNS.map(({ header }) => header),
    ...keys.map((key) => names.get(key) ?? ""),
  ];
  yield `\ufeff${toLine(headers)}`;
  for (let start = 0; start < lines.length; start += BATCH_SIZE) {
    const texts = lines.slice(start, start + BATCH_SIZE).map(({ cells, custom }) => {
      if (keys.length === 0) return `${cells}\r\n`;
      const own = Object.entries(customs.get(custom) ?? {});
      const byKey = new Map(own.map(([name, text]) => [foldLabel(name), text]));
      return `${cells},${toLine(keys.map((key) => byKey.get(key) ?? ""))}`;
    });
    yield texts.join("");
  }
}

/** A line of CSV (RFC 4180): quotes where needed, and no cell that a spreadsheet runs as a formula. */
export function toLine(cells: readonly string[]): string {
  return `${toCells(cells)}\r\n`;
}

function toCells(cells: readonly string[]): string {
  return cells.map((cell) => (MAY_BE_ODD.test(cell) ? quote(guardCell(cell)) : cell)).join(",");
}

/** What may need quotes or a guard; nearly all cells need neither, and this is one quick look. */
const MAY_BE_ODD = /^[\s'=+\-@＝＋－＠]|[",;\t\r\n]|\s$/;

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

/** Reads tags of our own export: `;` between them, `\` before one that is part of a tag. */
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
