import type { ImportField } from "../../../shared/fields.ts";
import type { ImportValues } from "../../../shared/import.ts";
import { memoize } from "../../../shared/memoize.ts";
import { quotable } from "../../../shared/parse.ts";
import { foldLabel } from "../../../shared/text.ts";
import { readUrlHost } from "../../../shared/url-host.ts";
import { parseDomainName, type DomainName } from "../../domains/domain-name.ts";
import { currencyOfHeader } from "../values/currency.ts";
import { readDate } from "../values/date-order.ts";
import { parseFlag } from "../values/flags.ts";
import type { MoneyReading } from "../values/money.ts";
import type { FileAnalysis } from "./analysis.ts";
import type { Readings } from "./file-survey.ts";
import { readDecision, readLabel, readNotes, readPrice, readTags } from "./row-values.ts";
import type { CellValue, PriceContext } from "./row-values.ts";
import { cellAt, type RowFault, type TableRow, type TableSource } from "./table.ts";

/** Why something of a row could not be read, and is then unknown. `detail` is for a person. */
interface RowProblem {
  field: ImportField | null;
  code:
    | "invalid-name"
    | "unreadable-date"
    | "unreadable-flag"
    | "unreadable-price"
    | "unreadable-text"
    | typeof READ_AS_HOST
    | RowFault;
  detail: string;
}

/** Marks a domain that was read from a URL: worth knowing, but nothing is lost. */
export const READ_AS_HOST = "read-as-host";

/** One row of a file with the values of its cells. */
export interface FileRow {
  /** Where it starts in the file, counted from 1. */
  line: number;
  /** Null: the row has no valid name, and a problem tells why; nothing of it can be imported. */
  name: DomainName | null;
  /** What is absent had no value, and overwrites nothing. */
  values: ImportValues;
  problems: RowProblem[];
  /** The first line with the same name; null: this is the first. */
  repeats: number | null;
}

/** Longest part of a cell that a problem quotes. */
const MAX_QUOTE_LENGTH = 60;

const FAULTS: Record<RowFault, string> = {
  "stray-quote": "A quotation mark in this row is not closed where its cell ends",
  "unclosed-quote": "A quotation mark is never closed, so the rest of the file was not read",
  "too-few-cells": "This row has fewer cells than the file has columns",
  "too-many-cells": "This row has more cells than the file has columns: only its domain was read",
};

/**
 * Makes the parser of a file's rows. `repeats` is left to the caller, who sees all rows. Values that
 * recur, as days and prices do, are parsed once.
 */
export function createRowParser(
  analysis: FileAnalysis,
  { dates, money }: Readings,
): (row: TableRow) => FileRow {
  const { own, registrar, defaults } = analysis;
  const context = priceContext(analysis, money);

  const parseDay = memoize((cell) => dates && readDate(cell, dates));
  const parseAutoRenew = memoize(parseFlag);
  const parseLabel = memoize((cell) => readLabel(cell, own));
  const parseTags = memoize((cell) => readTags(cell, own));
  const parsePrice = memoize((cells) => {
    const [price = "", currency = "", years = ""] = cells.split("\u0000");
    return readPrice({ price, currency, years }, context);
  });

  return (row) => {
    const cells = new RowCells(row, analysis);
    const { line } = row;
    const { problems } = cells;
    const name = readName(cells);
    if (name === null) return { line, name, values: {}, problems, repeats: null };
    const otherPriceCells = `\u0000${cells.text("currency")}\u0000${cells.text("years")}`;
    const label = (field: "registrar" | "account" | "owner") =>
      cells.read(field, "unreadable-text", parseLabel) ?? defaults[field];
    const values = withoutNulls({
      expires: cells.read("expires", "unreadable-date", parseDay),
      autoRenew: cells.read("autoRenew", "unreadable-flag", parseAutoRenew),
      renewal: cells.read("renewalPrice", "unreadable-price", (cell) =>
        parsePrice(cell + otherPriceCells),
      ),
      registrar: label("registrar") ?? registrar,
      account: label("account"),
      owner: label("owner"),
      tags: joinTags(cells.read("tags", "unreadable-text", parseTags), defaults.tags),
      decision: cells.read("decision", "unreadable-text", readDecision),
      notes: cells.read("notes", "unreadable-text", (cell) => readNotes(cell, own)),
    });
    return { line, name, values, problems, repeats: null };
  };
}

function readName(cells: RowCells): DomainName | null {
  const cell = cells.text("name");
  const name = parseDomainName(cell);
  // An e-mail address is personal, and a URL may hold a password.
  const quoted = cell.includes("@") ? "" : cell;
  if ("code" in name) {
    cells.add("name", "invalid-name", name.detail, quoted);
    return null;
  }
  if (readUrlHost(cell) !== null) {
    cells.add("name", READ_AS_HOST, `Read as ${name.unicode}`, quoted);
  }
  return name;
}

function priceContext(analysis: FileAnalysis, money: MoneyReading | null): PriceContext {
  const { own, dollar, defaults, mapping, columns } = analysis;
  const header = columns[mapping.indexOf("renewalPrice")]?.header ?? "";
  return {
    // Our own export writes a dot, also in a file whose every price happens to be whole.
    reading: own ? { decimal: "." } : (money ?? { decimal: null }),
    headerCurrency: currencyOfHeader(header),
    dollar,
    defaultCurrency: defaults.currency ?? null,
    own,
  };
}

/** The tags of the row and those that a person gives to all rows, each once. */
function joinTags(own: string[] | null, given: string[] | undefined): string[] | null {
  if (own === null || given === undefined) return own ?? given ?? null;
  const keys = new Set(own.map(foldLabel));
  return [...own, ...given.filter((tag) => !keys.has(foldLabel(tag)))];
}

function withoutNulls(values: {
  [K in keyof ImportValues]: ImportValues[K] | null | undefined;
}): ImportValues {
  const { expires, autoRenew, renewal, registrar, account, owner, tags, decision, notes } = values;
  return {
    ...(expires && { expires }),
    ...(typeof autoRenew === "boolean" && { autoRenew }),
    ...(renewal && { renewal }),
    ...(registrar && { registrar }),
    ...(account && { account }),
    ...(owner && { owner }),
    ...(tags && { tags }),
    ...(decision && { decision }),
    ...(notes && { notes }),
  };
}

/**
 * The cells of one row by field, and the problems with them. Where cells may be under another
 * column's header, only a name in front is read, and no problem quotes a cell: it might be secret.
 */
class RowCells {
  readonly problems: RowProblem[] = [];
  /** Every cell is in its own column. */
  readonly #isSound: boolean;
  readonly #cells: readonly string[];
  readonly #analysis: FileAnalysis;
  readonly #isShifted: boolean;

  constructor({ cells, width, fault }: TableRow, analysis: FileAnalysis) {
    this.#cells = cells;
    this.#analysis = analysis;
    this.#isSound = fault === null;
    const isOdd = width !== analysis.source.format.columns;
    this.#isShifted =
      fault === "unclosed-quote" || (fault !== null && fault !== "too-few-cells" && isOdd);
    if (fault) this.problems.push({ field: null, code: fault, detail: FAULTS[fault] });
  }

  /** A cell as it is; blank where the file or the row has none. */
  text(field: ImportField): string {
    return this.#cell(field) ?? "";
  }

  /** The value of a cell; null where there is none, or it is blank or unreadable. */
  read<T>(
    field: ImportField,
    code: RowProblem["code"],
    parse: (cell: string) => CellValue<T>,
  ): T | null {
    const cell = this.#cell(field);
    if (cell === undefined) return null;
    const value = parse(cell);
    if (!isFault(value)) return value;
    this.add(field, code, value.reason, cell);
    return null;
  }

  /** Adds a problem, with the cell where it is in its own column. */
  add(field: ImportField, code: RowProblem["code"], reason: string, cell: string): void {
    const isQuoted = this.#isSound && cell.trim() !== "";
    const detail = isQuoted ? `${reason.replace(/\.$/, "")}: ${quote(cell)}` : reason;
    this.problems.push({ field, code, detail });
  }

  #cell(field: ImportField): string | undefined {
    const { mapping, source } = this.#analysis;
    const column = mapping.indexOf(field);
    if (this.#isShifted && !isInFront(column, source)) return undefined;
    return cellAt(this.#cells, column, source);
  }
}

/** Nothing before it can have shifted it: the first column, and a name of the first two. */
function isInFront(column: number, { format, nameColumns }: TableSource): boolean {
  if (column < format.columns || nameColumns === undefined) return column <= 0;
  return Math.max(nameColumns.sld, nameColumns.tld) === 1;
}

function isFault(value: unknown): value is { reason: string } {
  return typeof value === "object" && value !== null && "reason" in value;
}

function quote(cell: string): string {
  const text = cell.trim();
  const short = text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
  return quotable(JSON.stringify(short));
}
