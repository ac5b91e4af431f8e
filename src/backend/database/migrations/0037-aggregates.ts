import type { Migration } from "../database.ts";

/** What home, costs and reminders ask of what expires. */
const DUE = `expires_earliest, name, decision, auto_renew, renewal_minor, renewal_currency,
  renewal_years, done_for, expires_conflict, expires_on, sold_on, sold_minor, registrar_key, tld, id`;

/** Every index of domains on Postgres, as in the baseline. */
const UNIQUE_ENTRIES = "set (deduplicate_items = off)";

/** Months since the year 0 of a day. */
const months = (day: string) =>
  `(12 * cast(substr(${day}, 1, 4) as integer) + cast(substr(${day}, 6, 2) as integer))`;

/**
 * The renewals that the reports of expiry dates show. A domain was renewed where a source reports a day
 * about whole years after every day that was known. The first word of a source is none, as it may only
 * know better; that of a person is one. What is stored as a day and is none, which Postgres would not
 * cast, is passed over. `domains` is a condition on `domain_id`. With `each`, which is rows to join, it is
 * one for each of them.
 */
export function renewalsOf(isDay: string, domains: string, each = ""): string {
  return `
    insert into renewals_paid (domain_id, reported_on, years)
    select domain_id, substr(observed_at, 1, 10), (months + 1) / 12
    from ${each} (
      select domain_id, source, observed_at, own, ${months("value")} - ${months("known")} as months
      from (
        select domain_id, source, value, observed_at,
          max(value) over (partition by domain_id order by observed_at, id
            rows between unbounded preceding and 1 preceding) as known,
          lag(value) over (partition by domain_id, source order by observed_at, id) as own
        from observations
        where kind = 'expires' and value ${isDay} and domain_id ${domains}
      ) reports
    ) steps
    where months >= 11 and (own is not null or source = 'manual');`;
}

const ON_SQLITE = "glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-*'";
export const ON_POSTGRES = "~ '^[0-9]{4}-[0-9]{2}-'";

/** Counts the names of the custom fields in `row`; of all rows with `from`. On SQLite. */
const addNames = (row: "new" | "domains", from = "") => `
  insert into custom_names select key, count(*) from ${from}json_each(${row}.custom) group by key
    on conflict (name) do update set names = names + excluded.names;`;
const removeNames = (row: "old") => `
  update custom_names set names = names - 1 where name in (select key from json_each(${row}.custom));`;

/** On Postgres, in a trigger. */
const CHANGED = "(select distinct domain_id as id from reports_changed) changed cross join lateral";

/**
 * Whether a report that comes or goes may change the renewals of its domain. One that is the last, and no
 * whole year beyond all others, shows none and has no other behind it. On SQLite.
 */
const mayRenew = (row: "new" | "old") => `${row}.kind = 'expires' and (
  select count(case when (observed_at, id) > (${row}.observed_at, ${row}.id) then 1 end) > 0
    or ${months(`${row}.value`)} - ${months(`max(case when value ${ON_SQLITE} then value end)`)} >= 11
  from observations where domain_id = ${row}.domain_id and kind = 'expires' and id <> ${row}.id)`;

/** Renewals are counted when a report comes or goes; and the indexes of what home and costs add up. */
export const aggregates: Migration = {
  version: 37,
  name: "aggregates",
  statements: [
    `create index domains_sold on domains (sold_on, name) where sold_minor is not null`,
    `create index domains_purchased on domains (purchased_on) where purchased_on is not null`,
    `create index observations_by_time on observations (observed_at)`,
    // No reference: the reports of a domain go with it, and their renewals with them.
    `create table renewals_paid (
      domain_id text not null,
      reported_on text not null,
      years integer not null)`,
    `create index renewals_paid_by_domain on renewals_paid (domain_id)`,
    `create index renewals_paid_by_day on renewals_paid (reported_on)`,
  ],
  sqlite: [
    `create table custom_names (name text primary key, names integer not null)`,
    `create trigger custom_names_added after insert on domains when new.custom is not null
      begin ${addNames("new")} end`,
    `create trigger custom_names_changed after update of custom on domains
      when new.custom is not old.custom begin ${removeNames("old")} ${addNames("new")} end`,
    `create trigger custom_names_removed after delete on domains when old.custom is not null
      begin ${removeNames("old")} end`,
    addNames("domains", "domains, "),
    // The list reads its order from this one, and reminders what is wanted.
    `drop index domains_wanted`,
    `create index domains_by_expires_earliest on domains (${DUE}, person_id)`,
    `create index domains_by_person on domains (person_id, ${DUE}) where person_id is not null`,
    `create index domains_in_conflict on domains (expires_conflict, expires_earliest, name, decision,
      expires_on, person_id, id) where expires_conflict = 1`,
    ...[
      ["added", `insert on observations when ${mayRenew("new")}`, "new"],
      ["changed", `update on observations when new.kind = 'expires'`, "new"],
      ["withdrawn", `delete on observations when ${mayRenew("old")}`, "old"],
    ].map(
      ([name, event, row]) => `create trigger renewals_paid_${name} after ${event}
        begin delete from renewals_paid where domain_id = ${row}.domain_id;
          ${renewalsOf(ON_SQLITE, `= ${row}.domain_id`)} end`,
    ),
    renewalsOf(ON_SQLITE, "is not null"),
  ],
  postgres: [
    ...["sold", "purchased"].map((name) => `alter index domains_${name} ${UNIQUE_ENTRIES}`),
    // Domain by domain, as the plan may be of when the tables were empty.
    `create function refresh_renewals_paid() returns trigger language plpgsql as $$ begin
        delete from renewals_paid where domain_id in (select domain_id from reports_changed);
        ${renewalsOf(ON_POSTGRES, "= changed.id", CHANGED)} return null; end $$`,
    ...[
      ["added", "insert", "new"],
      ["changed", "update", "new"],
      ["withdrawn", "delete", "old"],
    ].map(
      ([name, event, rows]) => `create trigger renewals_paid_${name} after ${event} on observations
        referencing ${rows} table as reports_changed
        for each statement execute function refresh_renewals_paid()`,
    ),
    renewalsOf(ON_POSTGRES, "is not null"),
  ],
};
