import { list, nullable, number, object, orElse, text, type Parsed } from "./parse.ts";
import { type Decision, parseDomain, parseNamedChange, type Renewal } from "./domain.ts";
import { addDays, type Day } from "./day.ts";
import type { Filter } from "./view.ts";

/** The JSON shapes of the register as a whole: bulk changes, the summary, the filter menu. */

/** What a bulk change applies to: listed domains, or all matches while there are so many of them. */
export type BulkSelection = { ids: string[] } | { filter: Filter; expectedCount: number };

/** What a bulk change does. An absent member stays as it is; tags are added and removed singly. */
export type BulkOperation =
  | {
      kind: "edit";
      registrar?: string | null;
      account?: string | null;
      owner?: string | null;
      decision?: Decision | null;
      autoRenew?: boolean | null;
      expires?: Day | null;
      renewal?: Renewal | null;
      notes?: string;
      addTags?: string[];
      removeTags?: string[];
    }
  | { kind: "delete" }
  /** To-dos are done: each waits until its expiry moves. Domains without an expiry stay as they are. */
  | { kind: "done" }
  /** Conflicts are settled by setting a day by hand; domains without a conflict stay as they are. */
  | { kind: "settle"; by: "later" | "newest" }
  /** The day of one source, a registrar's or a file's; where it reported none, the conflict stays. */
  | { kind: "settle"; by: "source"; source: string };

/** `POST /api/domains/bulk`. All or nothing; 409 with `count` when another number matches now. */
export interface BulkRequest {
  select: BulkSelection;
  op: BulkOperation;
}

/**
 * `matched` domains were looked at, `changed` of them differ now. `operation` undoes it; null where
 * nothing changed.
 */
export type BulkResult = Parsed<typeof parseBulkResult>;

export const parseBulkResult = object({
  matched: number,
  changed: number,
  operation: orElse(text, null),
});

/** What renewals cost in one month (`YYYY-MM`) and currency; null: the sources named none. */
export type MonthCost = Parsed<typeof parseMonthCost>;

const parseMonthCost = object({
  month: text,
  currency: nullable(text),
  minor: number,
  names: number,
});

/**
 * `GET /api/summary?today=YYYY-MM-DD` (UTC's day unless given). Each count is that of a filter:
 * - `attention`: that of `attentionFilter`, by date, with the first of them in `items`;
 * - `unknown` and `conflicts`: `expiry=unknown` and `expiry=conflict`;
 * - a month of `costs`: `expiresFrom` its first day, `expiresBefore` that of the next,
 *   `decision=not-drop`; the 12 months from today's on, those without cost left out;
 * - `unpriced`: domains that expire in those months and have no price.
 * `changes` are the latest of all domains.
 */
export type Summary = Parsed<typeof parseSummary>;

export const parseSummary = object({
  today: text,
  total: number,
  attention: object({ total: number, items: list(parseDomain) }),
  unknown: number,
  conflicts: number,
  costs: list(parseMonthCost),
  unpriced: number,
  changes: list(parseNamedChange),
});

/** A value in use and how many domains have it. */
export type Facet = Parsed<typeof parseFacet>;

const parseFacet = object({ value: text, names: number });

/** `GET /api/facets`: every value in use, most used first, at most 500 each. */
export type Facets = Parsed<typeof parseFacets>;

export const parseFacets = object({
  registrars: list(parseFacet),
  accounts: list(parseFacet),
  owners: list(parseFacet),
  tags: list(parseFacet),
  tlds: list(parseFacet),
});

/** Domains that have expired or expire within 60 days, and may not renew although they are wanted. */
export function attentionFilter(today: Day): Filter {
  return { expiresBefore: addDays(today, 61), autoRenew: "not-on", decision: "not-drop" };
}
