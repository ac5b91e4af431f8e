import type { SQL } from "bun";
import { UNKNOWN_VALUES, type Domain } from "../../shared/domain.ts";
import { FIELD_NAMES, FIELDS, UNREAD_HEADERS, type Field } from "../../shared/fields.ts";
import { foldLabel, isReservedName } from "../../shared/text.ts";
import type { Database } from "../database/database.ts";
import { yieldToEventLoop } from "../event-loop.ts";
import { FIELD_COLUMNS, fromRow, type DomainRow } from "./columns.ts";
import { KIND_OF } from "./field-kinds.ts";
import type { Fragment } from "./filter-condition.ts";
import { byOwnWords, listPeople } from "./people.ts";
import { listIds, viewCondition, type DatedView } from "./list-domains.ts";

/** Fields with columns of their own; custom fields have one for each of their names. */
const EXPORTED = FIELD_NAMES.filter(
  (field) => field !== "custom" && Object.keys(FIELDS[field].importAs).length > 0,
);

/** The header of every column of the file but those of custom fields. */
const HEADERS = EXPORTED.flatMap((field) => [
  ...Object.values(FIELDS[field].importAs).map(({ header }) => header),
  ...(UNREAD_HEADERS[field] === undefined ? [] : [UNREAD_HEADERS[field]]),
]);

/** The cells of a domain under those headers. */
function cellsOf(domain: Domain): string[] {
  const cells = <F extends Field>(field: F) => KIND_OF[field].csv(domain[field], domain);
  return EXPORTED.flatMap(cells);
}

/** A line without its end, and the custom fields that follow it once all their names are known. */
interface Line {
  cells: string;
  custom: Domain["custom"];
}

/** Domains that one read takes: short enough to let others run in between. */
const BATCH_SIZE = 500;

/**
 * Writes every domain of a view as CSV (RFC 4180), in its order: CRLF, quotes where needed, and a
 * byte order mark, without which Excel reads UTF-8 as windows-1252. No cell is run as a formula by a
 * spreadsheet; importing the file again restores every value as it was.
 *
 * The domains are read in the order of their ids, in which they are stored: to look each up in the
 * order of the view takes three times as long. All of them are read before the file begins, from one
 * snapshot, so that a failure has a status and nobody waits for this.
 */
export async function* exportCsv(database: Database, view: DatedView): AsyncGenerator<string> {
  const { ids, lines } = await database.snapshot(async (sql) => {
    const condition = await viewCondition(sql, view);
    return { ids: await listIds(sql, view), lines: await readLines(sql, condition) };
  });
  yield* joinLines(ids.flatMap((id) => lines.get(id) ?? []));
}

/** As `exportCsv`, for domains with these ids, in their order; an unknown id is left out. */
export async function* exportSelected(
  database: Database,
  ids: readonly string[],
): AsyncGenerator<string> {
  const lines = await database.snapshot((sql) => readLines(sql, () => sql`id in ${sql(ids)}`));
  yield* joinLines(ids.flatMap((id) => lines.get(id) ?? []));
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

/** The lines of the domains that a condition finds, by id. */
async function readLines(sql: SQL, condition: () => Fragment): Promise<Map<string, Line>> {
  const registrars = await readSpellings(sql, "registrars");
  const tags = await readSpellings(sql, "tags");
  const accounts = await listPeople(sql);
  const words = byOwnWords(accounts);
  // A name that a file calls another person by would give the domains to them.
  const people = new Map(
    accounts.map(({ id, name, email }) => {
      const called = words.get(foldLabel(name));
      return [id, called && called.id !== id ? email : name];
    }),
  );
  const lines = new Map<string, Line>();
  for (let from: string | undefined = ""; from !== undefined;) {
    const batch: Domain[] = await readBatch(sql, { from, condition, registrars, tags, people });
    for (const domain of batch) lines.set(domain.id, toLineOf(domain));
    from = batch.length < BATCH_SIZE ? undefined : batch.at(-1)?.id;
    await yieldToEventLoop();
  }
  return lines;
}

/** The spellings of labels by their keys: of each there are few, and a join would look each up. */
type Spellings = ReadonlyMap<string, string>;

async function readSpellings(sql: SQL, table: "registrars" | "tags"): Promise<Spellings> {
  const rows = await sql<{ label_key: string; label: string }[]>`
    select label_key, label from ${sql(table)}`;
  return new Map(rows.map(({ label_key: key, label }) => [key, label]));
}

interface Batch {
  from: string;
  condition: () => Fragment;
  registrars: Spellings;
  tags: Spellings;
  people: Spellings;
}

async function readBatch(sql: SQL, given: Batch): Promise<Domain[]> {
  const { from, condition, registrars, tags, people } = given;
  const columns = FIELD_COLUMNS.map((each) => sql`, ${sql(each)}`);
  const rows = await sql<DomainRow[]>`
    select id, version, created_at, updated_at ${columns} from domains where id > ${from} and (${condition()})
    order by id limit ${BATCH_SIZE}`;
  const to = rows.at(-1)?.id ?? from;
  const pairs = await sql<{ domain_id: string; tag_key: string }[]>`
    select domain_id, tag_key from domain_tags where domain_id > ${from} and domain_id <= ${to}
    order by domain_id, tag_key`;
  const keys = Map.groupBy(pairs, ({ domain_id: id }) => id);
  return rows.map((row) => {
    row["registrar"] = registrars.get(String(row["registrar_key"])) ?? null;
    row["person"] = people.get(String(row["person_id"])) ?? null;
    return fromRow(row, keys.get(row.id)?.map(({ tag_key: key }) => tags.get(key) ?? key) ?? []);
  });
}

/** The cells of one domain. */
export function toLineOf(domain: Domain): Line {
  return { cells: toCells(cellsOf(domain)), custom: domain.custom };
}

/** The file: the byte order mark, the line of headers, and the lines of all domains. */
export function* joinLines(lines: readonly Line[]): Generator<string> {
  // Names that fold alike are one.
  const names = new Map<string, string>();
  for (const { custom } of lines) {
    for (const name of Object.keys(custom)) names.set(foldLabel(name), name);
  }
  const keys = [...names.keys()].toSorted();
  yield `\ufeff${toLine([...HEADERS, ...keys.map((key) => customHeader(names.get(key) ?? ""))])}`;
  for (let start = 0; start < lines.length; start += BATCH_SIZE) {
    const texts = lines.slice(start, start + BATCH_SIZE).map(({ cells, custom }) => {
      if (keys.length === 0) return `${cells}\r\n`;
      const byKey = new Map(Object.entries(custom).map(([name, each]) => [foldLabel(name), each]));
      return `${cells},${toLine(keys.map((key) => byKey.get(key) ?? ""))}`;
    });
    yield texts.join("");
  }
}

const CUSTOM = " (custom)";

/** The header of a custom field, which is none of the others even where its name is. */
function customHeader(name: string): string {
  return isReservedName(name) ? name + CUSTOM : name;
}

/** The name of a custom field by its header in our export. */
export function customName(header: string): string {
  const name = header.endsWith(CUSTOM) ? header.slice(0, -CUSTOM.length) : header;
  return customHeader(name) === header ? name : header;
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
