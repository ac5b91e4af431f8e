import type { Day } from "../../../shared/day.ts";
import { parseDomainName } from "../../domains/domain-name.ts";
import { findKnownRegistrar } from "../../domains/known-registrars.ts";
import { recordOf } from "../../../shared/fields.ts";
import { foldLabel } from "../../../shared/text.ts";
import { parseDate } from "../values/dates.ts";
import { parseCurrency, parseMoney } from "../values/money.ts";
import { isDomainLike, isNullValue, parseFlag } from "../values/cell-shapes.ts";
import type { HeaderMeaning } from "./headers.ts";
import { readHeader } from "./headers.ts";

/** Cells with a value that are looked at: after so many, a column is known. */
const MAX_PROFILED_CELLS = 500;
const MAX_SAMPLES = 5;
const MAX_SAMPLE_LENGTH = 80;
/** By so many characters cells are told apart; a name has 253 at most. */
const MAX_COMPARED_LENGTH = 300;

const NUMBER = /^\d+(?:[.,]\d+)?$/;
const EMAIL = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;

const CELL_KINDS = [
  "name",
  "date",
  "flag",
  "money",
  "number",
  "address",
  "registrar",
  "currency",
] as const;
export type CellKind = (typeof CELL_KINDS)[number];

export interface Known {
  today: Day;
  /** Registrars of the register, folded. */
  registrars: ReadonlySet<string>;
}

/** What the first cells of one column show. */
export class ColumnProfile {
  readonly samples: string[] = [];
  filled = 0;
  readonly #known: Known;
  readonly #distinct = new Set<string>();
  readonly #first: string[] = [];
  readonly #counts: Record<CellKind, number> = { ...recordOf(CELL_KINDS, () => 0) };
  #futureDates = 0;

  constructor(known: Known) {
    this.#known = known;
  }

  add(cell: string): void {
    if (this.filled >= MAX_PROFILED_CELLS) return;
    const text = cell.trim();
    const isName = isDomainLike(text);
    const key = text.slice(0, MAX_COMPARED_LENGTH);
    if (this.#first.length < MAX_PROFILED_CELLS) this.#first.push(isName ? toName(text) : key);
    if (isNullValue(text)) return;
    this.filled += 1;
    if (this.samples.length < MAX_SAMPLES && !this.#distinct.has(key)) {
      const isLong = text.length > MAX_SAMPLE_LENGTH;
      this.samples.push(isLong ? `${text.slice(0, MAX_SAMPLE_LENGTH)}…` : text);
    }
    this.#distinct.add(key);
    if (isName) this.#counts.name += 1;
    if (typeof parseFlag(text) === "boolean") this.#counts.flag += 1;
    if (parseMoney(text).kind === "amount") this.#counts.money += 1;
    if (NUMBER.test(text)) this.#counts.number += 1;
    if (EMAIL.test(text)) this.#counts.address += 1;
    if (/^[A-Z]{3}$/.test(text) && parseCurrency(text) !== null) this.#counts.currency += 1;
    if (this.#isRegistrar(key)) this.#counts.registrar += 1;
    this.#addDate(text);
  }

  /** The share of the cells with a value that are of this kind. */
  share(kind: CellKind): number {
    return this.filled === 0 ? 0 : this.#counts[kind] / this.filled;
  }

  get distinct(): number {
    return this.#distinct.size;
  }

  /** Whether most dates are to come: an expiry has such dates, a registration has none. */
  get isFuture(): boolean {
    return this.#futureDates >= this.filled / 2;
  }

  /** The first cells as one text: equal in columns that hold the same. */
  get contents(): string {
    return this.#first.join("\u0000");
  }

  /** By its name or its site, such as gandi.net. */
  #isRegistrar(text: string): boolean {
    return this.#known.registrars.has(foldLabel(text)) || findKnownRegistrar(text) !== null;
  }

  #addDate(text: string): void {
    const date = parseDate(text);
    if (date.kind !== "day" && date.kind !== "parts") return;
    this.#counts.date += 1;
    const day = date.kind === "day" ? date.day : `${date.parts[2].padStart(4, "20")}-12-31`;
    if (day > this.#known.today) this.#futureDates += 1;
  }
}

/** A column as far as its header and its first cells describe it. */
export class ColumnSurvey {
  readonly header: string | null;
  readonly meaning: HeaderMeaning | null;
  readonly profile: ColumnProfile;

  /** Without a `meaning` the header tells it. */
  constructor(header: string | null, known: Known, meaning?: HeaderMeaning) {
    this.header = header;
    this.meaning = meaning ?? (header === null ? null : readHeader(header));
    this.profile = new ColumnProfile(known);
  }

  get isSecret(): boolean {
    return this.meaning?.kind === "secret";
  }

  /** A column whose header tells nothing of use: its values may. */
  get isUnexplained(): boolean {
    return this.meaning === null || this.meaning.kind === "unused";
  }

  /** A column of addresses that no header explains holds contact data. */
  get isContactData(): boolean {
    return this.meaning?.kind !== "field" && this.profile.share("address") >= 0.5;
  }

  /** Whether its dates may be the expiry: reading every column as dates would take too long. */
  get mayExpire(): boolean {
    const { meaning } = this;
    if (meaning === null) return this.profile.share("date") >= 0.5;
    return meaning.kind === "field" && meaning.field === "expires";
  }

  /** Looks at the next cell; never at one of a secret column. */
  add(cell: string): void {
    if (!this.isSecret) this.profile.add(cell);
  }
}

/** A name may be written in Unicode in one column and in ASCII in another. */
function toName(text: string): string {
  const name = parseDomainName(text);
  return "name" in name ? name.name : text;
}
