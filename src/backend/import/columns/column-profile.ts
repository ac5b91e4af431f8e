import { parseDate } from "../values/dates.ts";
import { isDomainLike } from "../values/domain-like.ts";
import { parseFlag } from "../values/flags.ts";
import { parseMoney } from "../values/money.ts";
import { isNone } from "../values/none-words.ts";

/** What most of a column's cells are; `blank` where none says anything. */
export type ColumnKind = "name" | "date" | "flag" | "money" | "number" | "text" | "blank";

/** Cells that are looked at: after so many that say something, a column is known. */
const LOOKED_AT = 500;
const SAMPLES = 5;
const SAMPLE_LENGTH = 80;
const MOST = 0.8;

/** What the first cells of one column look like. */
export class ColumnProfile {
  readonly samples: string[] = [];
  /** The first cells as they came, blank ones too, to see whether two columns say the same. */
  readonly first: string[] = [];
  said = 0;
  /** Dates after the day of the import: an expiry has many of them, a registration none. */
  future = 0;
  readonly #distinct = new Set<string>();
  readonly #counts = { name: 0, date: 0, flag: 0, money: 0, number: 0, address: 0 };
  readonly #today: string;

  constructor(today: string) {
    this.#today = today;
  }

  add(cell: string): void {
    if (this.said >= LOOKED_AT) return;
    const text = cell.trim();
    if (this.first.length < LOOKED_AT) this.first.push(text);
    if (isNone(text)) return;
    this.said += 1;
    this.#sample(text);
    if (isDomainLike(text)) this.#counts.name += 1;
    if (parseFlag(text) === true || parseFlag(text) === false) this.#counts.flag += 1;
    if (parseMoney(text).kind === "amount") this.#counts.money += 1;
    if (/^\d+(?:[.,]\d+)?$/.test(text)) this.#counts.number += 1;
    if (/^\S+@\S+\.\S+$/.test(text)) this.#counts.address += 1;
    this.#lookAtDate(text);
  }

  /** The share of the cells that say something and are of one kind. */
  share(kind: "name" | "date" | "flag" | "money" | "number" | "address"): number {
    return this.said === 0 ? 0 : this.#counts[kind] / this.said;
  }

  /** What at least four in five cells are. */
  get kind(): ColumnKind {
    if (this.said === 0) return "blank";
    const kinds = ["name", "date", "flag", "number", "money"] as const;
    return kinds.find((kind) => this.share(kind) >= MOST) ?? "text";
  }

  /** Whether there is more to look at. */
  get isOpen(): boolean {
    return this.said < LOOKED_AT;
  }

  /** How many different things the cells say. */
  get distinct(): number {
    return this.#distinct.size;
  }

  #sample(text: string): void {
    if (this.samples.length < SAMPLES && !this.#distinct.has(text)) {
      this.samples.push(text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text);
    }
    this.#distinct.add(text.slice(0, 253));
  }

  #lookAtDate(text: string): void {
    const date = parseDate(text);
    if (date.kind !== "day" && date.kind !== "parts") return;
    this.#counts.date += 1;
    const [, , year] = date.kind === "parts" ? date.parts : ["", "", ""];
    const day = date.kind === "day" ? date.day : `${year.padStart(4, "20")}-12-31`;
    if (day > this.#today) this.future += 1;
  }
}
