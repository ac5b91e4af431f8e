import type { Domain } from "../../shared/domain.ts";
import { IMPORT_FIELDS } from "../../shared/fields.ts";
import { currencyDigits } from "../../shared/money.ts";
import type { View } from "../../shared/view.ts";
import type { Database } from "../database/database.ts";
import { listIds } from "./list-domains.ts";
import { readDomains } from "./read-domains.ts";

/** The columns of our export; an import knows their headers. */
const COLUMNS: readonly [header: string, cell: (domain: Domain) => string][] = [
  [IMPORT_FIELDS.name.header, ({ name }) => name],
  ["Unicode", ({ unicode }) => unicode],
  [IMPORT_FIELDS.expires.header, ({ expires }) => expires?.date ?? ""],
  ["Expiry source", ({ expires }) => expires?.source ?? ""],
  [IMPORT_FIELDS.autoRenew.header, ({ autoRenew }) => formatFlag(autoRenew)],
  [IMPORT_FIELDS.renewalPrice.header, formatPrice],
  [IMPORT_FIELDS.currency.header, ({ renewal }) => renewal?.currency ?? ""],
  [IMPORT_FIELDS.years.header, ({ renewal }) => String(renewal?.years ?? "")],
  [IMPORT_FIELDS.registrar.header, ({ registrar }) => registrar ?? ""],
  [IMPORT_FIELDS.account.header, ({ account }) => account ?? ""],
  [IMPORT_FIELDS.owner.header, ({ owner }) => owner ?? ""],
  [IMPORT_FIELDS.tags.header, ({ tags }) => joinOwnTags(tags)],
  [IMPORT_FIELDS.decision.header, ({ decision }) => decision ?? ""],
  [IMPORT_FIELDS.notes.header, ({ notes }) => notes],
];

/** Domains that one read takes: short enough to let others run in between. */
const BATCH_SIZE = 200;

/**
 * Writes every domain of a view as CSV (RFC 4180), in its order: CRLF, quotes where needed, and a
 * byte order mark, without which Excel reads UTF-8 as windows-1252. No cell is run as a formula by a
 * spreadsheet; importing the file again restores every value as it was. The domains are read in
 * batches as the file is taken, so one that changes meanwhile comes as it is at that moment.
 */
export async function* exportCsv(database: Database, view: View): AsyncGenerator<string> {
  const ids = await database.read((sql) => listIds(sql, view));
  yield toCsvHead();
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE);
    yield toCsv(await database.read((sql) => readDomains(sql, batch)));
  }
}

/** The byte order mark and the line of headers. */
export function toCsvHead(): string {
  return `\ufeff${toLine(COLUMNS.map(([header]) => header))}`;
}

/** The lines of some domains. */
export function toCsv(domains: readonly Domain[]): string {
  return domains.map((domain) => toLine(COLUMNS.map(([, cell]) => cell(domain)))).join("");
}

function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(guardCell(cell))).join(",")}\r\n`;
}

/** RFC 4180 §2; blanks at an end are quoted too, as some readers drop them. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function formatFlag(flag: boolean | null): string {
  if (flag === null) return "";
  return flag ? "yes" : "no";
}

/** The amount in whole units, with the currency's own number of decimals and a dot. */
function formatPrice({ renewal }: Domain): string {
  if (renewal === null) return "";
  const digits = currencyDigits(renewal.currency);
  const minor = String(renewal.minor).padStart(digits + 1, "0");
  return digits === 0 ? minor : `${minor.slice(0, -digits)}.${minor.slice(-digits)}`;
}

/** Joins tags for our own export: `;` between them, `\` before one that is part of a tag. */
function joinOwnTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\;]/g, "\\$&")).join(";");
}

/** Reads `joinOwnTags` back. */
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
