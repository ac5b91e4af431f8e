import { quotable } from "../../../shared/parse.ts";
import type { Analysis } from "../columns/analysis.ts";
import type { Field } from "../columns/field.ts";
import type { RowProblem } from "./import-row.ts";
import { cellAt, type RowFault, type TableRow, type TableSource } from "./read-table.ts";

/** Longest part of a cell that a reason quotes. */
const QUOTED = 60;

const FAULTS: Record<RowFault, string> = {
  "stray-quote": "A quotation mark in this row is not closed where its cell ends",
  "unclosed-quote": "A quotation mark is never closed: what follows in the file was not read",
  "too-few-cells": "This row has fewer cells than the file has columns",
  "too-many-cells": "This row has more cells than the file has columns: only its name was read",
};

/**
 * The cells of one row by field, and what was found wrong with them. Where cells may stand under
 * another column's header, only a name in front is taken, and no reason quotes a cell: it might be
 * one that is never to be shown.
 */
export class RowCells {
  readonly problems: RowProblem[] = [];
  readonly blank: Field[] = [];
  /** Every cell stands where it should. */
  readonly isSound: boolean;
  readonly #cells: readonly string[];
  readonly #analysis: Analysis;
  readonly #shifted: boolean;

  constructor({ cells, width, fault }: TableRow, analysis: Analysis) {
    this.#cells = cells;
    this.#analysis = analysis;
    const { columns } = analysis.source.format;
    this.isSound = fault === null;
    this.#shifted = !this.isSound && fault !== "too-few-cells" && width !== columns;
    if (fault === "unclosed-quote") this.#shifted = true;
    if (fault) this.problems.push({ field: null, code: fault, detail: FAULTS[fault] });
  }

  /** A cell as it is; blank where the file or the row has none. */
  peek(field: Field): string {
    return this.#at(field) ?? "";
  }

  /** What the cells of a field say: null where there are none, they are blank, or unreadable. */
  read<T>(
    field: Field,
    code: RowProblem["code"],
    parse: (cell: string) => T | null | { reason: string },
  ): T | null {
    const cell = this.#at(field);
    if (cell === undefined) return null;
    const value = parse(cell);
    if (value === null) this.blank.push(field);
    if (!isFault(value)) return value;
    const detail = this.isSound ? `${value.reason}, but got ${quote(cell)}` : value.reason;
    this.problems.push({ field, code, detail });
    return null;
  }

  #at(field: Field): string | undefined {
    const { mapping, source } = this.#analysis;
    const column = mapping.indexOf(field);
    return this.#shifted && !isInFront(column, source)
      ? undefined
      : cellAt(this.#cells, column, source);
  }
}

/** Nothing before it can have shifted it: the first column, and a name of the first two. */
function isInFront(column: number, { format, nameParts }: TableSource): boolean {
  if (column < format.columns || nameParts === undefined) return column <= 0;
  return Math.max(nameParts.label, nameParts.suffix) === 1;
}

function isFault(value: unknown): value is { reason: string } {
  return typeof value === "object" && value !== null && "reason" in value;
}

function quote(cell: string): string {
  const text = cell.trim();
  return quotable(JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text));
}
