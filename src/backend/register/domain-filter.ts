import type { SQL } from "bun";
import type { Day } from "../../contract.ts";
import { isDay } from "./day.ts";
import { DECISIONS } from "./domain-input.ts";
import { toAscii } from "./domain-name.ts";
import { foldLabel } from "./label.ts";
import { oneOf, type ParameterReader } from "./parameters.ts";

const DECISION_FILTERS = [...DECISIONS, "none", "not-drop"] as const;
const AUTO_RENEW_FILTERS = ["true", "false", "unknown", "not-on"] as const;
const EXPIRY_FILTERS = ["known", "unknown", "conflict"] as const;

/** What the list is narrowed to; null is "all". Labels are folded. */
export interface DomainFilter {
  q: string | null;
  registrar: string | null;
  account: string | null;
  tag: string | null;
  owner: string | null;
  tld: string | null;
  decision: (typeof DECISION_FILTERS)[number] | null;
  autoRenew: (typeof AUTO_RENEW_FILTERS)[number] | null;
  expiry: (typeof EXPIRY_FILTERS)[number] | null;
  /** From this day on. */
  expiresFrom: Day | null;
  /** Strictly before this day. Either bound leaves out names without a day. */
  expiresBefore: Day | null;
}

/** All names. */
export const NO_FILTER: DomainFilter = {
  q: null,
  registrar: null,
  account: null,
  tag: null,
  owner: null,
  tld: null,
  decision: null,
  autoRenew: null,
  expiry: null,
  expiresFrom: null,
  expiresBefore: null,
};

/** The parameters that narrow a list, as `DomainFilters` of the contract names them. */
export const FILTER_PARAMETERS = [
  "q",
  "registrar",
  "account",
  "tag",
  "owner",
  "tld",
  "decision",
  "autoRenew",
  "expiry",
  "expiresFrom",
  "expiresBefore",
];

/** Reads what a list is narrowed to; what is bad is among the reader's problems. */
export function readFilter({ read }: ParameterReader): DomainFilter {
  const label = (text: string) => foldLabel(text) || null;
  const day = (text: string) => (isDay(text) ? text : null);
  const words = (list: readonly string[]) => list.join(", ");
  return {
    q: read("q", "text to look for", label),
    registrar: read("registrar", "a registrar", label),
    account: read("account", "an account", label),
    tag: read("tag", "a tag", label),
    owner: read("owner", "an owner", label),
    tld: read("tld", "a top-level domain such as com", parseTld),
    decision: read("decision", words(DECISION_FILTERS), oneOf(DECISION_FILTERS)),
    autoRenew: read("autoRenew", words(AUTO_RENEW_FILTERS), oneOf(AUTO_RENEW_FILTERS)),
    expiry: read("expiry", words(EXPIRY_FILTERS), oneOf(EXPIRY_FILTERS)),
    expiresFrom: read("expiresFrom", "a day as YYYY-MM-DD", day),
    expiresBefore: read("expiresBefore", "a day as YYYY-MM-DD", day),
  };
}

/** With a dot before it or none; names of several labels match nothing, and are let pass. */
function parseTld(text: string): string | null {
  const name = toAscii(text.replace(/^\./, ""));
  return name === null || name.split(".").includes("") ? null : name;
}

/**
 * The filter as a condition on `domains`, to stand behind `where`. Decision and auto-renew have few
 * values, most of which many names share: `coalesce` keeps SQLite from looking those names up one by
 * one instead of going along the index of the sort. Where `few` names match it may.
 */
export function filterCondition(sql: SQL, filter: DomainFilter, few = false): SQL.Query<unknown> {
  const all = [sql`1 = 1`];
  if (filter.q !== null) {
    const pattern = `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`;
    all.push(sql`and (name like ${pattern} escape '\\' or unicode like ${pattern} escape '\\')`);
  }
  if (filter.registrar !== null) all.push(sql`and registrar_key = ${filter.registrar}`);
  if (filter.account !== null) all.push(sql`and account_key = ${filter.account}`);
  if (filter.owner !== null) all.push(sql`and owner_key = ${filter.owner}`);
  if (filter.tld !== null) all.push(sql`and tld = ${filter.tld}`);
  if (filter.tag !== null) {
    all.push(sql`and id in (select domain_id from domain_tags where tag_key = ${filter.tag})`);
  }
  const { decision, autoRenew, expiry, expiresFrom, expiresBefore } = filter;
  const decided = few ? sql`decision` : sql`coalesce(decision, '')`;
  if (decision === "none") all.push(few ? sql`and decision is null` : sql`and ${decided} = ''`);
  else if (decision === "not-drop") all.push(sql`and coalesce(decision, '') <> 'drop'`);
  else if (decision !== null) all.push(sql`and ${decided} = ${decision}`);

  const renews = few ? sql`auto_renew` : sql`coalesce(auto_renew, -1)`;
  if (autoRenew === "unknown")
    all.push(few ? sql`and auto_renew is null` : sql`and ${renews} = -1`);
  else if (autoRenew === "not-on") all.push(sql`and coalesce(auto_renew, 0) = 0`);
  else if (autoRenew !== null) all.push(sql`and ${renews} = ${autoRenew === "true" ? 1 : 0}`);

  if (expiry === "known") all.push(sql`and expires_on is not null`);
  else if (expiry === "unknown") all.push(sql`and expires_on is null`);
  else if (expiry === "conflict") all.push(sql`and expires_conflict = 1`);

  if (expiresFrom !== null) all.push(sql`and expires_on >= ${expiresFrom}`);
  if (expiresBefore !== null) all.push(sql`and expires_on < ${expiresBefore}`);
  return sql`${all}`;
}
