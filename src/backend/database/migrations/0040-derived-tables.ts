import type { Migration } from "../database.ts";

/** What a search looks into, but for tags, which are few. */
const SEARCHED = "name unicode registrar_key account_key owner_key notes_key custom_key".split(" ");

const searchedOf = (row: "old" | "new") => SEARCHED.map((column) => `${row}.${column}`).join(", ");

/** Months since the year 0 of a day. */
const months = (day: string) =>
  `(12 * cast(substr(${day}, 1, 4) as integer) + cast(substr(${day}, 6, 2) as integer))`;

/**
 * Adds the renewals that reports of expiry dates show: a day about whole years after every day known
 * before. The first report of a source does not count, as it may only know better; that of a person
 * does. Values that have not the form of a day, which Postgres could not cast, are skipped: `isDay` is
 * the condition.
 */
const addRenewals = (isDay: string, domain: string, each = "") => `
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
        where kind = 'expires' and value ${isDay} and domain_id = ${domain}
      ) reports
    ) steps
    where months >= 11 and (own is not null or source = 'manual');`;

/** The trigrams of searches, the names of custom fields, and all triggers. */
function onSqlite(): string[] {
  const isDay = "glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-*'";
  const intoSearch = `insert into domain_search (rowid, ${SEARCHED.join(", ")})`;
  const addToSearch = `${intoSearch} values (new.rowid, ${searchedOf("new")});`;
  // FTS5 removes a row by its former values.
  const removeFromSearch = `${intoSearch.replace("(", "(domain_search, ")}
    values ('delete', old.rowid, ${searchedOf("old")});`;
  const addNames = `
    insert into custom_names select key, count(*) from json_each(new.custom) group by key
      on conflict (name) do update set names = names + excluded.names;`;
  const removeNames = `
    update custom_names set names = names - 1 where name in (select key from json_each(old.custom));`;
  // The last report of a domain, if less than a year beyond all others, changes no renewal.
  const mayRenew = (row: "new" | "old") => `${row}.kind = 'expires' and (
    select count(case when (observed_at, id) > (${row}.observed_at, ${row}.id) then 1 end) > 0
      or ${months(`${row}.value`)} - ${months(`max(case when value ${isDay} then value end)`)} >= 11
    from observations where domain_id = ${row}.domain_id and kind = 'expires' and id <> ${row}.id)`;

  return [
    `create trigger domains_added after insert on domains
      begin update domain_counts set names = names + 1; end`,
    `create trigger domains_removed after delete on domains
      begin update domain_counts set names = names - 1; end`,

    // Without positions, as a search compares the rows itself: a third of the size.
    `create virtual table domain_search using fts5(${SEARCHED.join(", ")}, content = 'domains',
      content_rowid = 'rowid', detail = none, tokenize = 'trigram case_sensitive 1')`,
    `create trigger domain_search_add after insert on domains begin ${addToSearch} end`,
    `create trigger domain_search_remove after delete on domains begin ${removeFromSearch} end`,
    `create trigger domain_search_change after update of ${SEARCHED.join(", ")} on domains
      when (${searchedOf("old")}) is not (${searchedOf("new")})
      begin ${removeFromSearch} ${addToSearch} end`,

    // The names of custom fields, which are in JSON.
    `create table custom_names (name text primary key, names integer not null)`,
    `create trigger custom_names_added after insert on domains when new.custom is not null
      begin ${addNames} end`,
    `create trigger custom_names_changed after update of custom on domains
      when new.custom is not old.custom begin ${removeNames} ${addNames} end`,
    `create trigger custom_names_removed after delete on domains when old.custom is not null
      begin ${removeNames} end`,

    ...[
      ["added", `insert on observations when ${mayRenew("new")}`, "new"],
      ["changed", `update on observations when new.kind = 'expires'`, "new"],
      ["withdrawn", `delete on observations when ${mayRenew("old")}`, "old"],
    ].map(
      ([name, event, row]) => `create trigger renewals_paid_${name} after ${event}
        begin delete from renewals_paid where domain_id = ${row}.domain_id;
          ${addRenewals(isDay, `${row}.domain_id`)} end`,
    ),
  ];
}

const trigger = (name: string, event: string, rows: string, body: string, run = name) => [
  `create function ${run}() returns trigger language plpgsql as $$ begin
    ${body} return null; end $$`,
  `create trigger ${name} after ${event} ${rows} execute function ${run}()`,
];

/** The texts that searches compare, and all triggers. */
function onPostgres(): string[] {
  // Joined by what no text has; most names are the same in Unicode.
  const textOf = (row: string) =>
    SEARCHED.map((column) => `${row}.${column}`)
      .map((value) => (value.endsWith(".unicode") ? `nullif(${value}, ${row}.name)` : value))
      .map((value) => `coalesce(${value}, '')`)
      .join(" || chr(31) || ");
  const saveText = (row: string, from = "") => `insert into domain_search
    select ${row}.id, ${textOf(row)} ${from}
    on conflict (domain_id) do update set text = excluded.text;`;
  const count = (sign: 1 | -1) =>
    `insert into domain_counts select ${sign} * count(*) from counted having count(*) > 0;`;
  // Domain by domain, as the plan may have been made for empty tables. The only report of a domain shows no
  // renewal.
  const changed = `(select distinct domain_id as id from reports_changed r where (
    select count(*) from observations o where o.domain_id = r.domain_id and o.id <> r.id
      and o.kind = 'expires') > 0) changed cross join lateral`;

  return [
    // Each statement adds a row, as writers would wait for each other's; a sweep adds them up.
    ...trigger(
      "domains_added",
      "insert on domains",
      "referencing new table as counted for each statement",
      count(1),
      "count_added_domains",
    ),
    ...trigger(
      "domains_removed",
      "delete on domains",
      "referencing old table as counted for each statement",
      count(-1),
      "count_removed_domains",
    ),

    // A table of its own, as each change of a domain writes to all its indexes, and that of the trigrams took
    // as long as all others together. `indexSearch` makes it, as the extension may be allowed later.
    `create table domain_search (domain_id text primary key, text text not null)`,
    ...trigger(
      "domain_search_add",
      "insert on domains",
      "referencing new table as added for each statement",
      saveText("added", "from added"),
    ),
    // Not by columns, whose collation is set once all migrations have run.
    ...trigger(
      "domain_search_change",
      "update on domains",
      "for each row",
      `if (${searchedOf("old")}) is distinct from (${searchedOf("new")}) then
        ${saveText("new")} end if;`,
    ),
    ...trigger(
      "domain_search_remove",
      "delete on domains",
      "for each row",
      "delete from domain_search where domain_id = old.id;",
    ),

    // The check never fails now; it stays so that all databases of schema 40 are alike.
    `create function refresh_renewals_paid() returns trigger language plpgsql as $$ begin
      if not exists (select from schema_migrations where version >= 37) then
        raise serialization_failure;
      end if;
      delete from renewals_paid where domain_id in (select domain_id from reports_changed);
      ${addRenewals("~ '^[0-9]{4}-[0-9]{2}-'", "changed.id", changed)} return null; end $$`,
    ...[
      ["added", "insert", "new"],
      ["changed", "update", "new"],
      ["withdrawn", "delete", "old"],
    ].map(
      ([name, event, rows]) => `create trigger renewals_paid_${name} after ${event} on observations
        referencing ${rows} table as reports_changed
        for each statement execute function refresh_renewals_paid()`,
    ),
  ];
}

/** Tables that triggers keep, so that no write has to know of them. */
export const derivedTables = {
  statements: [
    // The number of all domains is the sum of its rows.
    `create table domain_counts (names integer not null)`,
    `insert into domain_counts values (0)`,
    // No reference: the reports of a domain go with it, and their renewals with them.
    `create table renewals_paid (
      domain_id text not null,
      reported_on text not null,
      years integer not null)`,
    `create index renewals_paid_by_domain on renewals_paid (domain_id)`,
    `create index renewals_paid_by_day on renewals_paid (reported_on)`,
  ],
  sqlite: onSqlite(),
  postgres: onPostgres(),
} satisfies Partial<Migration>;
