import type { SQL } from "bun";
import type { Day } from "../../shared/contract.ts";
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

type Fragment = SQL.Query<unknown>;

/** Columns that have an index and are compared by a filter; `id` is what has a tag. */
const FILTERED_COLUMNS = [
  "id",
  "registrar_key",
  "account_key",
  "owner_key",
  "tld",
  "decision",
  "auto_renew",
  "expires_on",
] as const;

export type FilteredColumn = (typeof FILTERED_COLUMNS)[number];

/** Columns with few values, most of which many names share. */
const SHARED: ReadonlySet<FilteredColumn> = new Set(["decision", "auto_renew"]);

/** The columns whose index does not give names in the order of a column, `name` or one of them. */
export function notInOrderOf(sorted: string): ReadonlySet<FilteredColumn> {
  // All other indexes have, of names that are equal in their column, the names in order.
  if (sorted === "name") return new Set(["id", "expires_on"]);
  return new Set(FILTERED_COLUMNS.filter((column) => column !== sorted));
}

/**
 * The filter as a condition on `domains`, to stand behind `where`. SQLite likes an index of what is
 * filtered by best, even where most names would have to be looked up one by one and then sorted:
 * columns in `aside` it can only compare. Postgres, which knows how many names have a value, sees
 * through that.
 */
export function filterCondition(
  sql: SQL,
  filter: DomainFilter,
  aside: ReadonlySet<FilteredColumn> = SHARED,
): Fragment {
  const column = (name: FilteredColumn) =>
    aside.has(name) ? sql`case when true then ${sql(name)} end` : sql(name);
  const all = [sql`1 = 1`];
  if (filter.q !== null) {
    const pattern = `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`;
    // Most names are the same in Unicode, and comparing is cheaper than searching once more.
    all.push(sql`and (name like ${pattern} escape '\\'
      or (unicode <> name and unicode like ${pattern} escape '\\'))`);
  }
  const { registrar, account, owner, tld, tag } = filter;
  if (registrar !== null) all.push(sql`and ${column("registrar_key")} = ${registrar}`);
  if (account !== null) all.push(sql`and ${column("account_key")} = ${account}`);
  if (owner !== null) all.push(sql`and ${column("owner_key")} = ${owner}`);
  if (tld !== null) all.push(sql`and ${column("tld")} = ${tld}`);
  if (tag !== null) {
    all.push(
      sql`and ${column("id")} in (select domain_id from domain_tags where tag_key = ${tag})`,
    );
  }
  all.push(...decisionCondition(sql, filter.decision, column("decision")));
  all.push(...renewalCondition(sql, filter.autoRenew, column("auto_renew")));

  const { expiry, expiresFrom, expiresBefore } = filter;
  const day = column("expires_on");
  if (expiry === "known") all.push(sql`and ${day} is not null`);
  else if (expiry === "unknown") all.push(sql`and ${day} is null`);
  else if (expiry === "conflict") all.push(sql`and expires_conflict = 1`);
  if (expiresFrom !== null) all.push(sql`and ${day} >= ${expiresFrom}`);
  if (expiresBefore !== null) all.push(sql`and ${day} < ${expiresBefore}`);
  return sql`${all}`;
}

function decisionCondition(sql: SQL, decision: DomainFilter["decision"], column: Fragment) {
  if (decision === null) return [];
  if (decision === "none") return [sql`and ${column} is null`];
  if (decision === "not-drop") return [sql`and coalesce(decision, '') <> 'drop'`];
  return [sql`and ${column} = ${decision}`];
}

function renewalCondition(sql: SQL, autoRenew: DomainFilter["autoRenew"], column: Fragment) {
  if (autoRenew === null) return [];
  if (autoRenew === "unknown") return [sql`and ${column} is null`];
  if (autoRenew !== "not-on") return [sql`and ${column} = ${autoRenew === "true" ? 1 : 0}`];
  const aside = sql`case when true then auto_renew end`;
  return [sql`and (${aside} is null or ${aside} = 0)`];
}
