import { firstOfMonth, type Day } from "./day.ts";
import { DECISIONS, parseMoney, parseRenewal } from "./domain.ts";
import * as p from "./parse.ts";

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
export type CostRow = p.Parsed<typeof parseCostRow>;

const parseCostRow = p.object({
  period: p.text,
  group: p.nullable(p.text),
  currency: p.nullable(p.text),
  minor: p.number,
  /** Of coming renewals: the part of `minor` that renews automatically. */
  renewing: p.number,
  names: p.number,
});

/** An amount that was worked out: a loss is below zero, and many years make more than any price. */
const parseSum = p.object({ minor: p.number, currency: p.nullable(p.text) });

export type Sale = p.Parsed<typeof parseSale>;

const parseSale = p.object({
  name: p.text,
  unicode: p.text,
  soldOn: p.nullable(p.text),
  sold: parseMoney,
  purchase: p.nullable(parseMoney),
  /** What its renewals cost; null where one of them has no price. */
  renewals: p.nullable(parseSum),
  /** `sold` without the other two, in its currency, or by the owner's rates in theirs. */
  profit: p.nullable(parseSum),
});

/** The same months a year before; beside coming renewals, those that were paid, at today's prices. */
const parseLastYear = p.object({
  totals: p.list(parseCostRow),
  /** Periods with a month that is not over or that the register has no history of. */
  unknown: p.list(p.text),
  unpriced: p.number,
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
export type CostReport = p.Parsed<typeof parseCostReport>;

export const parseCostReport = p.object({
  /** Months, both included. */
  from: p.text,
  to: p.text,
  /** The groups with most names first; empty for `group=none`. With tags, a domain is in several. */
  rows: p.list(parseCostRow),
  totals: p.list(parseCostRow),
  /** Groups that are not in `rows`. */
  left: p.number,
  unpriced: p.number,
  lastYear: parseLastYear,
  /** The latest first, at most 200. */
  sales: p.list(parseSale),
});

/** Rows of `GET /api/costs/cheaper` at most. */
export const MAX_CHEAPER = 20;

/**
 * Domains of one registrar that another's price list would renew for less. Amounts are a year's;
 * `saving` is in the register's currency if its rates tell, else in the one of both prices.
 */
export type Cheaper = p.Parsed<typeof parseCheaper>;

const parseAmount = p.object({ minor: p.number, currency: p.text });

const parseCheaper = p.object({
  registrar: p.text,
  tld: p.text,
  /** What follows the names: `co.uk`. */
  suffix: p.text,
  names: p.number,
  /** The lowest price of one of them, in units of the currency of `now`. */
  from: p.number,
  now: parseAmount,
  /** The other registrar, and what it takes for one. */
  at: p.text,
  price: parseAmount,
  saving: parseAmount,
});

/** `GET /api/costs/cheaper?today=`, the largest saving first: neither sold, expired nor to be dropped. */
export const parseCheaperReport = p.object({ items: p.list(parseCheaper) });

/** What a statement says of what is asked. */
export const ASKED = "Keep or drop?";

/** A domain as a statement tells its owner of it. */
export type StatementRow = p.Parsed<typeof parseStatementRow>;

const parseStatementRow = p.object({
  name: p.text,
  unicode: p.text,
  /** The earliest day that a source reports. */
  expires: p.nullable(p.text),
  autoRenew: p.nullable(p.boolean),
  decision: p.orElse(p.oneOf(DECISIONS), null),
  /** Whether it is due within the lead time and waits for a decision: `work=undecided`. */
  asked: p.boolean,
  /** Null where none is known, and of what is to drop, sold, archived or expired. */
  price: p.nullable(parseRenewal),
});

/**
 * `GET /api/costs/statement?<view>&markup=12.5&prices=porkbun`, in pages as a list of domains, and
 * `GET /api/costs/statement.csv`. With `prices`, the key of a registrar, all prices are of its list;
 * `markup` is added in per cent, and each price is rounded once.
 */
export const parseStatement = p.countedPage(parseStatementRow);

/** A sum of a statement; without a month, of all twelve. */
export interface StatementSum {
  month: string | null;
  currency: string | null;
  minor: number;
  names: number;
}

/**
 * Adds up the prices of what is due in the twelve months from today's on, by month and then in all. `sums`
 * has those of the pages before.
 */
export function sumStatement(
  rows: readonly StatementRow[],
  today: Day,
  sums = new Map<string, StatementSum>(),
): StatementSum[] {
  const end = firstOfMonth(today, 12);
  for (const { expires, price } of rows) {
    if (expires === null || expires < today || expires >= end || price === null) continue;
    const { minor, currency } = price;
    for (const month of [expires.slice(0, 7), null]) {
      // What has no month comes last, and what has no currency after those that have one.
      const key = `${month ?? "in all"} ${currency ?? "none"}`;
      const sum = sums.getOrInsert(key, { month, currency, minor: 0, names: 0 });
      sum.minor += minor;
      sum.names += 1;
    }
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
