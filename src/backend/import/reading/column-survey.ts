import type { Day } from "../../../shared/day.ts";
import { parseDomainName } from "../../domains/domain-name.ts";
import { findKnownRegistrar } from "../../domains/known-registrars.ts";
import { foldLabel } from "../../../shared/text.ts";
import { parseDate } from "../values/dates.ts";
import { parseCurrencyMark, parsePriceCell } from "../values/money.ts";
import { isDomainLike, isNullValue, parseFlag } from "../values/cell-shapes.ts";
import { readHeader, type HeaderMeaning } from "./headers.ts";

/** Cells with a value that are looked at: after this many, a column is known. */
const MAX_PROFILED_CELLS = 500;
const MAX_SAMPLES = 5;
const MAX_SAMPLE_LENGTH = 80;
/** Cells are told apart by their first characters; a name has 253 at most. */
const MAX_COMPARED_LENGTH = 300;

/** Shares of a column's cells that are of a kind: its header may say so as well, or need not. */
export const LIKELY_SHARE = 0.5;
export const CLEAR_SHARE = 0.8;

export interface Known {
  today: Day;
  registrars: ReadonlySet<string>;
}

const IS_KIND = {
  name: isDomainLike,
  date: (text) => writtenDay(text) !== null,
  flag: (text) => typeof parseFlag(text) === "boolean",
  money: (text) => parsePriceCell(text).kind === "amount",
  number: (text) => /^\d+(?:[.,]\d+)?$/.test(text),
  address: (text) => /^[^\s@]+@[^\s@.]+\.[^\s@]+$/.test(text),
  currency: (text) => /^[A-Z]{3}$/.test(text) && parseCurrencyMark(text) !== null,
  /** By its name or its site, such as gandi.net. */
  registrar(text, { registrars }) {
    const name = text.slice(0, MAX_COMPARED_LENGTH);
    return registrars.has(foldLabel(name)) || findKnownRegistrar(name) !== null;
  },
} satisfies Readonly<Record<string, (text: string, known: Known) => boolean>>;
export type CellKind = keyof typeof IS_KIND;
const TESTS = Object.entries(IS_KIND);

export class ColumnSurvey {
  readonly header: string | null;
  readonly meaning: HeaderMeaning | null;
  readonly samples: string[] = [];
  /** The different cells among those with a value, up to their first characters. */
  readonly distinct = new Set<string>();
  filled = 0;
  readonly #known: Known;
  readonly #first: string[] = [];
  readonly #counts = new Map<string, number>();
  #futureDates = 0;

  /** Without a `meaning` the header tells it. */
  constructor(header: string | null, known: Known, meaning?: HeaderMeaning) {
    this.header = header;
    this.meaning = meaning ?? (header === null ? null : readHeader(header));
    this.#known = known;
  }

  /** Looks at the next cell; never at one of a secret column. */
  add(cell: string): void {
    if (this.isSecret || this.filled >= MAX_PROFILED_CELLS) return;
    const text = cell.trim();
    const isName = isDomainLike(text);
    const key = text.slice(0, MAX_COMPARED_LENGTH);
    if (this.#first.length < MAX_PROFILED_CELLS) this.#first.push(isName ? toName(text) : key);
    if (isNullValue(text)) return;
    this.filled += 1;
    if (this.samples.length < MAX_SAMPLES && !this.distinct.has(key)) {
      const isLong = text.length > MAX_SAMPLE_LENGTH;
      this.samples.push(isLong ? `${text.slice(0, MAX_SAMPLE_LENGTH)}…` : text);
    }
    this.distinct.add(key);
    for (const [kind, test] of TESTS) {
      if (test(text, this.#known)) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    }
    if ((writtenDay(text) ?? "") > this.#known.today) this.#futureDates += 1;
  }

  share(kind: CellKind): number {
    return (this.#counts.get(kind) ?? 0) / Math.max(this.filled, 1);
  }

  /** Whether most dates are to come: an expiry has such dates, a registration has none. */
  get isFuture(): boolean {
    return this.#futureDates >= this.filled / 2;
  }

  /** The first cells as one text: equal in columns that hold the same. */
  get contents(): string {
    return this.#first.join("\u0000");
  }

  get isSecret(): boolean {
    return this.meaning?.kind === "secret";
  }

  /** Whether its dates may be the expiry: reading every column as dates would take too long. */
  get mayExpire(): boolean {
    const { meaning } = this;
    if (meaning === null) return this.share("date") >= LIKELY_SHARE;
    return meaning.kind === "field" && meaning.field === "expires";
  }
}

/** The day of a cell, or the last one that it may be; null for what is no date. */
function writtenDay(text: string): Day | null {
  const date = parseDate(text);
  if (date.kind === "day") return date.day;
  return date.kind === "parts" ? `${date.parts[2].padStart(4, "20")}-12-31` : null;
}

/** A name may be written in Unicode in one column and in ASCII in another. */
function toName(text: string): string {
  const name = parseDomainName(text);
  return "name" in name ? name.name : text;
}
