import type { Domain } from "../../shared/contract.ts";
import { currencyDigits } from "../../shared/money.ts";
import { guardCell } from "./formula.ts";

/** The columns of our export, by which an import knows it again: see the layout `freehold`. */
const COLUMNS: readonly { header: string; cell: (domain: Domain) => string }[] = [
  { header: "Name", cell: ({ name }) => name },
  { header: "Unicode", cell: ({ unicode }) => unicode },
  { header: "Expires", cell: ({ expires }) => expires?.date ?? "" },
  { header: "Expiry source", cell: ({ expires }) => expires?.source ?? "" },
  { header: "Auto-renew", cell: ({ autoRenew }) => flag(autoRenew) },
  { header: "Renewal price", cell: price },
  { header: "Renewal currency", cell: ({ renewal }) => renewal?.currency ?? "" },
  { header: "Renewal years", cell: ({ renewal }) => String(renewal?.years ?? "") },
  { header: "Registrar", cell: ({ registrar }) => registrar ?? "" },
  { header: "Account", cell: ({ account }) => account ?? "" },
  { header: "Owner", cell: ({ owner }) => owner ?? "" },
  { header: "Tags", cell: ({ tags }) => joinOwnTags(tags) },
  { header: "Decision", cell: ({ decision }) => decision ?? "" },
  { header: "Notes", cell: ({ notes }) => notes },
];

/**
 * Domains as CSV (RFC 4180), in one piece for each batch: CRLF, quotes where needed, and a byte
 * order mark, without which Excel takes UTF-8 for windows-1252. No cell is run as a formula by a
 * spreadsheet; importing the file again gives back every value as it was.
 */
export async function* writeCsv(
  batches: AsyncIterable<readonly Domain[]> | Iterable<readonly Domain[]>,
): AsyncGenerator<string> {
  yield `\ufeff${toLine(COLUMNS.map(({ header }) => header))}`;
  for await (const domains of batches) {
    yield domains.map((domain) => toLine(COLUMNS.map(({ cell }) => cell(domain)))).join("");
  }
}

function toLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(guardCell(cell))).join(",")}\r\n`;
}

/** RFC 4180 §2; blanks at an end are quoted too, as some readers drop them. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function flag(autoRenew: boolean | null): string {
  if (autoRenew === null) return "";
  return autoRenew ? "yes" : "no";
}

/** The amount in whole units, with the currency's own number of decimals and a dot. */
function price({ renewal }: Domain): string {
  if (renewal === null) return "";
  const digits = currencyDigits(renewal.currency);
  const minor = String(renewal.minor).padStart(digits + 1, "0");
  return digits === 0 ? minor : `${minor.slice(0, -digits)}.${minor.slice(-digits)}`;
}

/** The tags of our own export: `;` between them, `\` before one that is part of a tag. */
export function joinOwnTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\;]/g, "\\$&")).join(";");
}

/** Reads `joinOwnTags` back. */
export function splitOwnTags(text: string): string[] {
  return (text.match(/(?:\\.|[^\\;])+/gsu) ?? []).map((tag) => tag.replace(/\\(.)/gsu, "$1"));
}
