import type { Change, Day, Decision, Domain } from "./contract.ts";

/** The JSON shapes of the register as a whole: filters, bulk changes, the summary. Types only. */

/**
 * What `GET /api/domains` and `GET /api/domains.csv` narrow by, as query parameters, all combined.
 * `autoRenew=not-on` is off or unknown, `decision=not-drop` everything but drop, `decision=none` open.
 * `expiry=unknown` has no date, `expiry=conflict` sources that disagree. Days compare with the
 * effective expiry: `expiresFrom` from that day on, `expiresBefore` strictly before.
 */
export interface DomainFilters {
  q?: string;
  registrar?: string;
  account?: string;
  tag?: string;
  owner?: string;
  tld?: string;
  decision?: Decision | "none" | "not-drop";
  autoRenew?: "true" | "false" | "unknown" | "not-on";
  expiry?: "known" | "unknown" | "conflict";
  expiresFrom?: Day;
  expiresBefore?: Day;
}

/** What a bulk change applies to: some names, or all that match as long as they are still so many. */
export type BulkSelection = { ids: string[] } | { filter: DomainFilters; expectedCount: number };

/** What a bulk change does. What is absent stays; tags are added and removed one by one. */
export type BulkOperation =
  | {
      kind: "edit";
      registrar?: string | null;
      account?: string | null;
      owner?: string | null;
      decision?: Decision | null;
      autoRenew?: boolean | null;
      addTags?: string[];
      removeTags?: string[];
    }
  | { kind: "delete" };

/** `POST /api/domains/bulk`. All or nothing; 409 with `count` when another number matches now. */
export interface BulkRequest {
  select: BulkSelection;
  op: BulkOperation;
}

/** `matched` names were looked at, `changed` of them differ now. */
export interface BulkResult {
  matched: number;
  changed: number;
}

/** What renewals cost in one month and currency. `currency` null: the sources named none. */
export interface MonthCost {
  /** `YYYY-MM`. */
  month: string;
  currency: string | null;
  minor: number;
  names: number;
}

/**
 * `GET /api/summary?today=YYYY-MM-DD` (UTC's day unless given). Each count is that of a filter:
 * `attention`: `expiresBefore` = today + 61 days, `autoRenew=not-on`, `decision=not-drop`. Names that
 * are to be dropped cost nothing: a month of `costs` is `expiresFrom` its first day, `expiresBefore`
 * that of the next, `decision=not-drop`.
 */
export interface Summary {
  today: Day;
  total: number;
  /** Expired or expiring within 60 days, auto-renew off or unknown, not to be dropped; by date. */
  attention: { total: number; /** The first 20. */ items: Domain[] };
  /** `expiry=unknown` and `expiry=conflict`. */
  unknown: number;
  conflicts: number;
  /** The 12 months from that of `today` on, those without cost left out. */
  costs: MonthCost[];
  /** Names that expire in those months and whose renewal price nobody knows. */
  unpriced: number;
  /** The latest 20 changes of all names; `name` is the Unicode form. */
  changes: (Change & { domainId: string; name: string })[];
}

/** `GET /api/facets`, what the filter menu offers: every value in use, most used first, at most 500 each. */
export interface Facets {
  registrars: Facet[];
  accounts: Facet[];
  owners: Facet[];
  tags: Facet[];
  tlds: Facet[];
}

export interface Facet {
  value: string;
  names: number;
}
