import type { Day } from "../../../shared/day.ts";
import { dayInOrder, type DateOrder, type DateParts } from "../../../shared/import.ts";
import { ordersOf, parseDate, type DayForm, type NumberUnit } from "./dates.ts";

/**
 * How the dates of one column are read; plain JSON. `order` sums it up: `iso`, `ymd` (2027/01/05) and `words`
 * need no decision, `ambiguous` and `contradictory` have to be asked, `none` means no dates.
 */
export interface DateReading {
  order: DateOrder | "iso" | "words" | NumberUnit | "ambiguous" | "contradictory" | "none";
  /** For three numbers with slashes, hyphens or blanks; null: undecided. */
  others: DateOrder | null;
  dots: DateOrder | null;
  /** What bare numbers are; null: no dates. */
  numbers: NumberUnit | null;
  /** Whether a month shows that they are Polish; `listopad` is October in Croatian. */
  polish: boolean;
  /** How many cells only one order can read. */
  evidence: Record<DateOrder, number>;
  /** The orders that a person has to choose from; empty where the cells decide. */
  choices?: DateOrder[];
}

const MAX_SAMPLES = 5;
/** Two digits below this are no year of an expiry. */
const MIN_SHORT_YEAR = 24;

class OrderEvidence {
  cells = 0;
  undecided = 0;
  readonly decisive: Record<DateOrder, number> = { dmy: 0, mdy: 0, ymd: 0 };
  readonly samples: string[] = [];
  #possible = new Set<DateOrder>(["dmy", "mdy", "ymd"]);
  #minFirst = Infinity;
  #minLast = Infinity;

  add(parts: DateParts, text: string): void {
    const orders = ordersOf(parts);
    this.cells += 1;
    this.#minFirst = Math.min(this.#minFirst, Number(parts[0]));
    this.#minLast = Math.min(this.#minLast, Number(parts[2]));
    this.#possible = this.#possible.intersection(new Set(orders));
    const [first] = orders;
    if (orders.length === 1 && first) this.decisive[first] += 1;
    else if (isAmbiguous(parts)) {
      this.undecided += 1;
      if (this.samples.length < MAX_SAMPLES) this.samples.push(text);
    }
  }

  get order(): DateOrder | "ambiguous" | "contradictory" | null {
    const [first, second] = this.#possible;
    if (this.cells === 0) return null;
    if (first === undefined) return "contradictory";
    return second !== undefined && this.undecided > 0 ? "ambiguous" : first;
  }

  /** Whether years may come first, as in `27.01.05`: none of the last numbers has to be a year. */
  get mayBeYearFirst(): boolean {
    const fits = this.#minFirst >= MIN_SHORT_YEAR && this.#minLast < MIN_SHORT_YEAR;
    return this.order === "ambiguous" && fits && this.#possible.has("ymd");
  }

  /** Year first is offered only where the cells leave no more than one other order. */
  get choices(): DateOrder[] {
    if (this.order === "ambiguous") return [...this.#possible].slice(0, 2);
    return this.order === "contradictory" ? ["dmy", "mdy"] : [];
  }
}

export class DateEvidence {
  readonly #dots = new OrderEvidence();
  readonly #others = new OrderEvidence();
  readonly #forms: Record<DayForm, number> = { iso: 0, ymd: 0, words: 0, polish: 0, shared: 0 };
  /** Of all cells; null: one that is no number. */
  readonly #units = new Set<NumberUnit | null>();

  add(text: string): void {
    const written = parseDate(text);
    if (written.kind === "none") return;
    this.#units.add(written.kind === "number" ? written.unit : null);
    if (written.kind === "day") this.#forms[written.form] += 1;
    else if (written.kind === "parts") {
      (written.separator === "dots" ? this.#dots : this.#others).add(written.parts, text.trim());
    }
  }

  get samples(): readonly string[] {
    return this.#asked.samples;
  }

  /** What a person is asked about: dots only if there are no other separators. */
  get #asked(): OrderEvidence {
    return this.#others.cells > 0 ? this.#others : this.#dots;
  }

  /**
   * `given`, a person's answer or a registrar's habit, settles slashes and hyphens, and dots if the column
   * has nothing else. Undecided dots are day first, as they are everywhere, unless years may be.
   */
  decide(given: DateOrder | null): DateReading {
    const dots = given !== null && this.#others.cells === 0 ? given : this.#orderOfDots();
    const found = given !== null && this.#others.cells > 0 ? given : this.#others.order;
    const others = found === "ambiguous" || found === "contradictory" ? null : found;
    const open = this.#dots.mayBeYearFirst ? "ambiguous" : "contradictory";
    const order = found ?? (this.#dots.cells > 0 ? (dots ?? open) : this.#plainOrder());
    const { decisive, choices } = this.#asked;
    const evidence = { ...decisive };
    const polish = this.#forms.polish > 0;
    return { order, others, dots, numbers: this.#numberUnit(), polish, evidence, choices };
  }

  #orderOfDots(): DateOrder | null {
    const { order, mayBeYearFirst } = this.#dots;
    if (order === "contradictory" || mayBeYearFirst) return null;
    return order === null || order === "ambiguous" ? "dmy" : order;
  }

  /** The unit that all cells have in common. */
  #numberUnit(): NumberUnit | null {
    const [unit = null, ...others] = this.#units;
    return others.length === 0 ? unit : null;
  }

  #plainOrder(): DateReading["order"] {
    const { iso, ymd, polish, shared } = this.#forms;
    const words = this.#forms.words + polish + shared;
    if (iso + ymd + words === 0) return this.#numberUnit() ?? "none";
    if (words > iso + ymd) return "words";
    return ymd > iso ? "ymd" : "iso";
  }
}

/** The day of a cell as its column is read: null for no value, or the reason why it is unreadable. */
export function readDate(text: string, reading: DateReading): Day | null | { reason: string } {
  const written = parseDate(text);
  if (written.kind === "none") return null;
  if (written.kind === "day") {
    if (written.form !== "shared" || reading.polish) return written.day;
    return { reason: "This month is another one in Croatian than in Polish" };
  }
  if (written.kind === "unreadable") return { reason: written.reason };
  if (written.kind === "number") {
    if (reading.numbers !== written.unit) {
      return { reason: "This isn’t a date like the others in its column" };
    }
    return written.day ?? { reason: "This date isn’t between 1985 and 2199" };
  }
  const { parts, separator } = written;
  const order = separator === "dots" ? reading.dots : reading.others;
  if (order !== null) {
    const reason = `This date isn’t written as ${ORDER_IN_WORDS[order]}, like the others`;
    return dayInOrder(parts, order) ?? { reason };
  }
  const [only] = ordersOf(parts);
  const day = only && !isAmbiguous(parts) ? dayInOrder(parts, only) : null;
  return day ?? { reason: "The day and the month of this date can be confused" };
}

function isAmbiguous(parts: DateParts): boolean {
  return new Set(ordersOf(parts).map((order) => dayInOrder(parts, order))).size > 1;
}

const ORDER_IN_WORDS: Record<DateOrder, string> = {
  dmy: "day, month, year",
  mdy: "month, day, year",
  ymd: "year, month, day",
};
