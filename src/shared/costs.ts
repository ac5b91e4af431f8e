import { parseMoney } from "./domain.ts";
import { list, nullable, number, object, text, type Parsed } from "./parse.ts";

/** What a report can add up, with its words on the screen. */
export const COST_KINDS = {
  renewals: "Coming renewals",
  paid: "Renewals paid",
  purchases: "Purchases",
  sales: "Sales",
} as const;
export type CostKind = keyof typeof COST_KINDS;

/** What a report has a row for, with the heading of these rows. */
export const COST_GROUPS = {
  none: "Currency",
  registrar: "Registrar",
  owner: "Owner",
  tag: "Tag",
  tld: "TLD",
} as const;
export type CostGroup = keyof typeof COST_GROUPS;

export const MAX_COST_MONTHS = { month: 60, year: 360 } as const;
export type CostPeriod = keyof typeof MAX_COST_MONTHS;

/** Groups that a report lists; its CSV has all. */
export const MAX_COST_GROUPS = 100;

/** One sum: a period (`2027-05` or `2027`), a group and a currency. */
export type CostRow = Parsed<typeof parseCostRow>;

const parseCostRow = object({
  period: text,
  group: nullable(text),
  currency: nullable(text),
  minor: number,
  /** Of coming renewals: the part of `minor` that renews automatically. */
  renewing: number,
  names: number,
});

/** An amount that was worked out: a loss is below zero, and many years make more than any price. */
const parseSum = object({ minor: number, currency: nullable(text) });

export type Sale = Parsed<typeof parseSale>;

const parseSale = object({
  name: text,
  unicode: text,
  soldOn: nullable(text),
  sold: parseMoney,
  purchase: nullable(parseMoney),
  /** What its renewals cost; null where one of them has no price. */
  renewals: nullable(parseSum),
  /** `sold` without the other two, in its currency, or by the owner's rates in theirs. */
  profit: nullable(parseSum),
});

/** The same months a year before; beside coming renewals, those that were paid, at today's prices. */
const parseLastYear = object({
  totals: list(parseCostRow),
  /** Periods with a month that is not over or that the register has no history of. */
  unknown: list(text),
  unpriced: number,
});

/**
 * `GET /api/costs?what=renewals&by=month&group=none&from=2027-01&to=2027-12&today=`, and
 * `GET /api/costs.csv`, which has every group.
 * - `what=renewals`: a domain counts whenever it comes up for renewal in these months, from today's
 *   month on, unless it is to be dropped or was sold. Its price is its own, else its registrar's.
 * - `what=paid`: a domain was renewed where a source, or a person, reports a day about whole years
 *   after every day before; it counts in the month of the report, at today's price.
 * - `what=purchases` and `what=sales`: in the month of their day.
 */
export type CostReport = Parsed<typeof parseCostReport>;

export const parseCostReport = object({
  /** Months, both included. */
  from: text,
  to: text,
  /** The groups with most names first; empty for `group=none`. With tags, a domain is in several. */
  rows: list(parseCostRow),
  totals: list(parseCostRow),
  /** Groups that are not in `rows`. */
  left: number,
  unpriced: number,
  lastYear: parseLastYear,
  /** The latest first, at most 200. */
  sales: list(parseSale),
});

/** Rows of `GET /api/costs/cheaper` at most. */
export const MAX_CHEAPER = 20;

/**
 * Domains of one registrar that another's price list would renew for less. Amounts are a year's;
 * `saving` is in the register's currency if its rates tell, else in the one of both prices.
 */
export type Cheaper = Parsed<typeof parseCheaper>;

const parseAmount = object({ minor: number, currency: text });

const parseCheaper = object({
  registrar: text,
  tld: text,
  /** What follows the names: `co.uk`. */
  suffix: text,
  names: number,
  /** The lowest price of one of them, in units of the currency of `now`. */
  from: number,
  now: parseAmount,
  /** The other registrar, and what it takes for one. */
  at: text,
  price: parseAmount,
  saving: parseAmount,
});

/** `GET /api/costs/cheaper?today=`, the largest saving first: neither sold, expired nor to be dropped. */
export const parseCheaperReport = object({ items: list(parseCheaper) });
