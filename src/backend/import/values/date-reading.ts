import type { Day } from "../../../shared/contract.ts";
import { dayInOrder, dayOfNumber, ordersOf, parseDate, type DateOrder } from "./dates.ts";
import type { WrittenDate } from "./dates.ts";

/**
 * How the dates of one column are read; plain JSON. `order` sums it up for a person:
 * `iso`, `ymd` (2027/01/05) and `words` need no decision, `ambiguous` and `contradictory` stop and
 * ask, the numbers are Unix times or spreadsheet serials, `none` has no date at all.
 */
export interface DateReading {
  order:
    | DateOrder
    | "iso"
    | "words"
    | "seconds"
    | "milliseconds"
    | "serial"
    | "ambiguous"
    | "contradictory"
    | "none";
  /** For three numbers with slashes, hyphens or blanks; null: undecided. */
  others: DateOrder | null;
  /** For three numbers with dots. */
  dots: DateOrder | null;
  /** What bare numbers are; null: no dates. */
  numbers: "seconds" | "milliseconds" | "serial" | null;
  /** Cells that only one order can read, and cells that several read differently. */
  evidence: { dmy: number; mdy: number; ymd: number; undecided: number };
  /** The orders between which only a person can decide; none where the cells do. */
  choices?: DateOrder[];
}

const SAMPLES = 5;
/** Below it two digits are no year of an expiry. */
const LEAST_YEAR = 24;

/** What three numbers under one kind of mark say about their order. */
class OrderEvidence {
  cells = 0;
  readonly only: Record<DateOrder, number> = { dmy: 0, mdy: 0, ymd: 0 };
  undecided = 0;
  readonly samples: string[] = [];
  #alive = new Set<DateOrder>(["dmy", "mdy", "ymd"]);
  #leastFirst = Infinity;
  #leastLast = Infinity;

  add(parts: readonly [string, string, string], text: string): void {
    const orders = ordersOf(parts);
    this.cells += 1;
    this.#leastFirst = Math.min(this.#leastFirst, Number(parts[0]));
    this.#leastLast = Math.min(this.#leastLast, Number(parts[2]));
    this.#alive = this.#alive.intersection(new Set(orders));
    const [first] = orders;
    if (orders.length === 1 && first) this.only[first] += 1;
    else if (isOpen(parts)) {
      this.undecided += 1;
      if (this.samples.length < SAMPLES) this.samples.push(text);
    }
  }

  get verdict(): DateOrder | "ambiguous" | "contradictory" | null {
    const [first, second] = this.#alive;
    if (this.cells === 0) return null;
    if (first === undefined) return "contradictory";
    return second !== undefined && this.undecided > 0 ? "ambiguous" : first;
  }

  /** Whether years may stand in front, as in `27.01.05`: none of the last numbers need be one. */
  get looksYearFirst(): boolean {
    const { verdict } = this;
    const fits = this.#leastFirst >= LEAST_YEAR && this.#leastLast < LEAST_YEAR;
    return verdict === "ambiguous" && fits && this.#alive.has("ymd");
  }

  /** A year in front is a choice only where a cell leaves no more than one other. */
  get choices(): DateOrder[] {
    const { verdict } = this;
    if (verdict === "ambiguous") return [...this.#alive].slice(0, 2);
    return verdict === "contradictory" ? ["dmy", "mdy"] : [];
  }
}

/** Collects what every cell of a column says, in one pass, and then decides how to read them. */
export class DateEvidence {
  readonly #dots = new OrderEvidence();
  readonly #others = new OrderEvidence();
  readonly #forms = { iso: 0, ymd: 0, words: 0 };
  readonly #numbers = { seconds: 0, milliseconds: 0, serial: 0 };
  #said = 0;

  add(text: string): void {
    const written = parseDate(text);
    if (written.kind === "none") return;
    this.#said += 1;
    if (written.kind === "day") this.#forms[written.form] += 1;
    else if (written.kind === "number") this.#numbers[written.unit] += 1;
    else if (written.kind === "parts") {
      (written.mark === "dots" ? this.#dots : this.#others).add(written.parts, text.trim());
    }
  }

  /** The first cells whose order is open, to be shown to the person who is asked. */
  get openDates(): readonly string[] {
    return this.#asked.samples;
  }

  /** What a person is asked about: dots only where there is nothing else. */
  get #asked(): OrderEvidence {
    return this.#others.cells > 0 ? this.#others : this.#dots;
  }

  /**
   * The reading. `given` is a person's word, or a registrar's habit: it decides what slashes and
   * hyphens leave open, and dots too where the column has nothing else. Undecided dots are
   * day first, which is how they are written everywhere, unless years may stand in front.
   */
  decide(given: DateOrder | null): DateReading {
    const dots = given !== null && this.#others.cells === 0 ? given : this.#dotted();
    const verdict = given !== null && this.#others.cells > 0 ? given : this.#others.verdict;
    const others = verdict === "ambiguous" || verdict === "contradictory" ? null : verdict;
    const numbers = this.#wholeColumn();
    const order =
      verdict ?? (this.#dots.cells > 0 ? (dots ?? this.#undecidedDots()) : this.#plainOrder());
    const { choices } = this.#asked;
    return { order, others, dots, numbers, evidence: this.#evidence(), choices };
  }

  #undecidedDots(): "ambiguous" | "contradictory" {
    return this.#dots.looksYearFirst ? "ambiguous" : "contradictory";
  }

  #dotted(): DateOrder | null {
    const { verdict, looksYearFirst } = this.#dots;
    if (verdict === "contradictory" || looksYearFirst) return null;
    return verdict === null || verdict === "ambiguous" ? "dmy" : verdict;
  }

  #wholeColumn(): DateReading["numbers"] {
    for (const unit of ["seconds", "milliseconds", "serial"] as const) {
      if (this.#said > 0 && this.#numbers[unit] === this.#said) return unit;
    }
    return null;
  }

  #plainOrder(): DateReading["order"] {
    const { iso, ymd, words } = this.#forms;
    if (iso + ymd + words === 0) return this.#wholeColumn() ?? "none";
    if (words > iso + ymd) return "words";
    return ymd > iso ? "ymd" : "iso";
  }

  #evidence(): DateReading["evidence"] {
    const { only, undecided } = this.#asked;
    return { ...only, undecided };
  }
}

/** The day of a cell under its column's reading; null says nothing; a fault says why not. */
export function readDate(text: string, reading: DateReading): Day | null | { reason: string } {
  const written = parseDate(text);
  if (written.kind === "none") return null;
  if (written.kind === "day") return written.day;
  if (written.kind === "unreadable") return { reason: written.reason };
  if (written.kind === "number") return readNumber(written, reading);
  return readParts(written, reading);
}

function readNumber(
  { unit, value }: WrittenDate & { kind: "number" },
  { numbers }: DateReading,
): Day | { reason: string } {
  if (numbers !== unit) return { reason: "Expected a date, as in the rest of the column" };
  return dayOfNumber(unit, value) ?? { reason: "Expected a day from 1985 to 2199" };
}

function readParts(
  { parts, mark }: WrittenDate & { kind: "parts" },
  reading: DateReading,
): Day | { reason: string } {
  const order = mark === "dots" ? reading.dots : reading.others;
  if (order !== null) {
    return dayInOrder(parts, order) ?? { reason: `Expected a date as ${SPELT[order]}` };
  }
  const [only] = ordersOf(parts);
  const day = only && !isOpen(parts) ? dayInOrder(parts, only) : null;
  if (day !== null) return day;
  return { reason: "Expected to know whether days or months come first in this column" };
}

/** Whether two orders read three numbers as different days. */
function isOpen(parts: readonly [string, string, string]): boolean {
  return new Set(ordersOf(parts).map((order) => dayInOrder(parts, order))).size > 1;
}

const SPELT: Record<DateOrder, string> = {
  dmy: "day, month, year",
  mdy: "month, day, year",
  ymd: "year, month, day",
};
