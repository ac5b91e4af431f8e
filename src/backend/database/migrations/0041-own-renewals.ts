import type { Migration } from "../database.ts";
import { months, ON_SQLITE, renewalsOf } from "./0037-aggregates.ts";

type Row = "new" | "old";

const isFollowed = (row: Row) => `exists (
  select 1 from observations where domain_id = ${row}.domain_id and kind = 'expires'
    and (observed_at, id) > (${row}.observed_at, ${row}.id))`;

/** The years of the renewal that the last report of a domain shows; no row where it shows none. */
const ownYears = (row: Row, columns = "") => `
  select ${columns} (${months(`${row}.value`)} - ${months("max(value)")} + 1) / 12 as years
  from observations where domain_id = ${row}.domain_id and kind = 'expires' and id <> ${row}.id
    and value ${ON_SQLITE} and ${row}.value ${ON_SQLITE}
  group by domain_id
  having years >= 1
    and (${row}.source = 'manual' or count(case when source = ${row}.source then 1 end) > 0)`;

/** One trigger for the last report of a domain, and one for those that others follow. */
const triggers = (name: string, event: string, row: Row, own: string) => [
  `drop trigger renewals_paid_${name}`,
  `create trigger renewals_paid_${name} after ${event} on observations
    when ${row}.kind = 'expires' and ${isFollowed(row)}
    begin delete from renewals_paid where domain_id = ${row}.domain_id;
      ${renewalsOf(ON_SQLITE, `= ${row}.domain_id`)} end`,
  `create trigger renewals_paid_${name}_last after ${event} on observations
    when ${row}.kind = 'expires' and not ${isFollowed(row)} begin ${own}; end`,
];

/**
 * On SQLite a report that is the last of its domain, as nearly all are that come or are undone, adds or
 * removes its own renewal: to derive all of a domain took two tables in memory for each row.
 */
export const ownRenewals: Migration = {
  version: 41,
  name: "own renewals",
  statements: [],
  sqlite: [
    ...triggers(
      "added",
      "insert",
      "new",
      `insert into renewals_paid ${ownYears("new", "domain_id, substr(new.observed_at, 1, 10),")}`,
    ),
    // By the index of domains, as many are renewed on the same day.
    ...triggers(
      "withdrawn",
      "delete",
      "old",
      `delete from renewals_paid where rowid = (
        select rowid from renewals_paid where domain_id = old.domain_id
          and +reported_on = substr(old.observed_at, 1, 10) and years = (${ownYears("old")}) limit 1)`,
    ),
  ],
};
