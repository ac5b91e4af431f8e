import type { Migration } from "../database.ts";

/** Columns that hold a domain's values, in the register and in the rows of a preview. */
const LATER_FIELDS = `
      registered_on text,
      status text,
      locked smallint check (locked in (0, 1)),
      privacy smallint check (privacy in (0, 1)),
      nameservers text,
      purchase_minor bigint check (purchase_minor >= 0),
      purchase_currency text,
      purchased_on text,
      asking_minor bigint check (asking_minor >= 0),
      asking_currency text,
      sold_minor bigint check (sold_minor >= 0),
      sold_currency text,
      sold_on text,
      custom text,
      done_for text,
      expires_earliest text,
      notes_key text`;

/** What the list sorts by, beside the name. */
const SORTED = [
  "expires_on",
  "registrar_key",
  "account_key",
  "owner_key",
  "tld",
  "decision",
  "auto_renew",
];

/**
 * Every index of `domains` on Postgres has the name in it, or is of a key: no two entries are alike
 * but those of one name before and after a change. To look for some that could be merged, page by
 * page, takes Postgres a third of the time in which an import changes all names.
 */
const UNIQUE_ENTRIES = "with (deduplicate_items = off)";

/**
 * The whole schema as it was when migrations began to count for somebody: what came before version 21
 * was never released. Portable by keeping to text, integers and `smallint` 0/1 for what is true or
 * false; days and instants are ISO 8601 text, which sorts as it reads. `…_key` columns hold the folded
 * form of a label: it is what is compared, filtered and sorted by.
 */
export const baseline: Migration = {
  version: 21,
  name: "baseline",
  statements: [
    `create table settings (name text primary key, value text not null)`,

    `create table users (
      id text primary key,
      email text not null unique,
      password text not null,
      owner smallint unique check (owner = 1),
      created_at text not null)`,

    `create table sessions (
      id_hash text primary key,
      user_id text not null references users (id) on delete cascade,
      created_at text not null,
      expires_at text not null,
      last_seen_at text not null default '',
      address text not null default '',
      user_agent text not null default '')`,
    `create index sessions_by_expiry on sessions (expires_at)`,
    `create index sessions_by_user on sessions (user_id)`,

    `create table views (
      id text primary key,
      name text not null,
      name_key text not null unique,
      query text not null)`,

    `create table registrars (label_key text primary key, label text not null, login_url text)`,
    // What a renewal costs under each TLD: the price of every domain that has none of its own.
    `create table registrar_prices (
      registrar_key text not null references registrars (label_key),
      tld text not null,
      minor bigint not null check (minor >= 0),
      currency text not null,
      years integer not null,
      primary key (registrar_key, tld))`,
    `create table tags (label_key text primary key, label text not null)`,

    // The expiry is derived from `observations`; `expires_earliest` is the earliest day that a
    // source reports, which is the day to act by, and `done_for` the expiry for which a to-do was
    // marked done. `nameservers` are separated by blanks, `custom` is a JSON object of texts.
    `create table domains (
      id text primary key,
      version integer not null,
      name text not null unique,
      unicode text not null,
      tld text not null,
      registrar_key text references registrars (label_key),
      account text,
      account_key text,
      owner text,
      owner_key text,
      decision text check (decision in ('keep', 'drop', 'transfer', 'watch')),
      auto_renew smallint check (auto_renew in (0, 1)),
      expires_on text,
      expires_source text,
      expires_observed_at text,
      expires_conflict smallint not null check (expires_conflict in (0, 1)),
      renewal_minor bigint check (renewal_minor >= 0),
      renewal_currency text,
      renewal_years integer,
      created_at text not null,
      updated_at text not null,
      notes text not null,${LATER_FIELDS})`,
    `create table domain_tags (
      domain_id text not null references domains (id) on delete cascade,
      tag_key text not null references tags (label_key),
      primary key (domain_id, tag_key))`,
    `create index domain_tags_by_tag on domain_tags (tag_key, domain_id)`,

    // Who reported what, and when. `detail` is of a registry's report: when its day moved, and the
    // domain's statuses, as JSON.
    `create table observations (
      id text primary key,
      domain_id text not null references domains (id) on delete cascade,
      kind text not null,
      source text not null,
      value text,
      observed_at text not null,
      detail text)`,
    `create index observations_by_domain on observations (domain_id, kind, source, observed_at, id)`,

    // No reference to domains and imports: the history of a name outlives them. Every write is an
    // operation that can be undone, whose id stands with all changes that it made.
    `create table changes (
      id text primary key,
      domain_id text not null,
      at text not null,
      made_by text not null,
      action text not null check (action in ('added', 'edited', 'deleted')),
      fields text not null,
      import_id text,
      operation text)`,
    `create index changes_by_domain on changes (domain_id, id)`,
    `create index changes_by_operation on changes (operation, id) where operation is not null`,
    // By it, changes that were made at once are found and counted.
    `create index changes_by_time on changes (at, import_id, operation, id)`,

    // What was deleted, so that no query of the register has to leave it out. `content` is JSON with
    // the domain and all reports of its expiry.
    `create table bin (
      id text primary key,
      domain_id text not null unique,
      name text not null,
      unicode text not null,
      deleted_at text not null,
      deleted_by text not null,
      operation text,
      content text not null)`,
    `create index bin_by_time on bin (deleted_at)`,

    `create table uploads (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      name text not null,
      bytes bigint not null,
      sha256 text not null,
      created_at text not null,
      expires_at text not null)`,
    `create index uploads_by_expiry on uploads (expires_at)`,

    // `changed_fields` is a list in JSON: the commit leaves the indexes of all other fields alone.
    `create table imports (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      upload_id text not null unique,
      state text not null check (state in ('preview', 'committed', 'undone')),
      file_name text not null,
      created_at text not null,
      previewed_at text not null,
      committed_at text,
      undone_at text,
      staging text,
      analysis text not null,
      date_order text,
      defaults text not null,
      counts text not null,
      registrar_key text,
      commit_key text,
      stamp text,
      undo text,
      changed_fields text,
      unfinished text)`,
    `create index imports_by_state on imports (state, previewed_at)`,
    // A staging that no import points to is the rest of a preview that was made anew, or never finished.
    `create table import_stagings (id text primary key, created_at text not null)`,
    // What each row of a file would do. `row_key` is the number of the row in twelve digits; `id` has
    // the staging before it, and `lookup` the staging and the name of a row that is the first with it.
    // They are keys of one column, so that Postgres cannot choose a bad index while it knows nothing of
    // fresh rows. The ids of what a commit writes are the import's `stamp` with a row key behind it.
    // The columns from `name` on are what the domain becomes, ready to be copied;
    // `expires_observed_at` null means the time of the commit.
    `create table import_rows (
      id text primary key,
      lookup text unique,
      staging text not null,
      row_key text not null,
      line integer not null,
      class text not null
        check (class in ('new', 'changed', 'same', 'duplicate', 'invalid')),
      repeats integer,
      said text not null,
      problems text not null,
      changes text not null,
      domain_id text,
      base_version integer,
      observed_day text,
      observed_source text,
      added_tags text,
      name text,
      unicode text,
      tld text,
      registrar_key text,
      registrar text,
      account text,
      account_key text,
      owner text,
      owner_key text,
      decision text,
      auto_renew smallint,
      expires_on text,
      expires_source text,
      expires_observed_at text,
      expires_conflict smallint,
      renewal_minor bigint,
      renewal_currency text,
      renewal_years integer,
      notes text,${LATER_FIELDS},
      partly smallint)`,
    `create index import_rows_by_class on import_rows (staging, class, row_key)`,
    `create index import_rows_partly on import_rows (staging, row_key) where partly = 1`,
    // What a person last decided about files with the same headers, of which `key` is a hash.
    `create table import_layouts (
      key text primary key,
      mapping text not null,
      date_order text,
      defaults text not null,
      used_at text not null)`,

    // One row per domain and kind with its latest result and when it is due again. `queue` is the host
    // that a check asks, or the kind where that is no single host. `name` is the domain's when the row
    // was made: a rename starts anew.
    `create table checks (
      domain_id text not null references domains (id) on delete cascade,
      kind text not null,
      name text not null,
      queue text not null,
      due_at text not null,
      priority integer not null,
      leased_until text,
      failures integer not null,
      link text,
      outcome text,
      source text,
      checked_at text,
      detail text,
      result text,
      missing_since text,
      primary key (domain_id, kind))`,
    // Holds all that the next check of a queue is chosen by.
    `create index checks_by_queue on checks (queue, due_at, priority, leased_until)`,
    // Rows are wide: counting the outcomes of 20,000 domains would read all of them.
    `create index checks_by_outcome on checks (outcome)`,
    // How fast each host may be asked.
    `create table check_hosts (
      host text primary key,
      kind text not null,
      interval_ms integer not null,
      floor_ms integer not null,
      next_at text not null,
      blocked_until text,
      good integer not null,
      limited integer not null,
      day text not null,
      today integer not null,
      last_outcome text)`,
    `create table findings (
      domain_id text not null references domains (id) on delete cascade,
      code text not null,
      -- 0 is the worst, as in SEVERITIES.
      severity integer not null,
      since text not null,
      evidence text not null,
      primary key (domain_id, code))`,
    `create index findings_by_code on findings (code, domain_id)`,
    `create index findings_by_severity on findings (severity, domain_id)`,
    // What was seen once, and becomes a finding when a second look confirms it.
    `create table sightings (
      domain_id text not null references domains (id) on delete cascade,
      code text not null,
      since text not null,
      primary key (domain_id, code))`,

    // Which thresholds each expiry has crossed, what people know of already, where messages go, and
    // the messages themselves. Rows about domains have no foreign key: a domain that comes back from
    // the bin is neither told nor asked about again.
    `create table reminders (
      domain_id text not null,
      -- The day to act by when the threshold was crossed.
      expires_on text not null,
      -- Days before it; 0 is the day itself, -1 the day after.
      threshold integer not null,
      state text not null,
      crossed_at text not null,
      -- When it went to daily and to weekly channels.
      told_at text,
      told_weekly_at text,
      primary key (domain_id, expires_on, threshold))`,
    `create index reminders_waiting on reminders (state, expires_on)
      where told_at is null or told_weekly_at is null`,
    // Acknowledged for this expiry, or snoozed until a day.
    `create table handled (
      domain_id text not null,
      expires_on text not null,
      until text,
      made_by text not null,
      made_at text not null,
      primary key (domain_id, expires_on))`,
    `create index handled_until on handled (until) where until is not null`,
    // Critical findings whose beginning was told and whose end has not been.
    `create table told_findings (
      domain_id text not null,
      code text not null,
      primary key (domain_id, code))`,
    `create table channels (
      id text primary key,
      kind text not null,
      name text not null,
      target text not null,
      -- The text of a view's filter; empty: every domain.
      filter text not null,
      rhythm text not null,
      -- 1: changes of the register are told too.
      changes integer not null default 0,
      state text not null,
      secret text,
      previous_secret text,
      rotated_at text,
      last_sent_at text,
      last_error text,
      created_at text not null)`,
    `create table deliveries (
      id text primary key,
      channel_id text not null references channels (id) on delete cascade,
      delivery_key text not null unique,
      type text not null,
      payload text not null,
      state text not null,
      priority integer not null,
      -- Null once there is nothing left to do.
      due_at text,
      leased_until text,
      attempts integer not null,
      last_error text,
      created_at text not null,
      sent_at text)`,
    `create index deliveries_due on deliveries (due_at, priority, leased_until)
      where due_at is not null`,
    `create index deliveries_by_channel on deliveries (channel_id, id)`,
    `create table calendars (
      id text primary key,
      name text not null,
      filter text not null,
      alarm_days integer,
      secret_hash text not null unique,
      created_by text not null,
      created_at text not null,
      last_fetched_at text,
      last_fetched_by text)`,
  ],
  // One index of all columns that the list filters and sorts by, which it scans: half the size of the
  // table, no choice for the planner, and a write has one index to keep.
  sqlite: [
    `create index domains_list on domains (name, unicode, tld, registrar_key, account_key, owner_key,
      decision, auto_renew, expires_on, expires_earliest, expires_conflict, done_for, renewal_minor,
      renewal_currency, renewal_years, sold_on, sold_minor, created_at, updated_at, id)`,
    // A search reads the notes of those that have some, and no whole rows.
    `create index domains_notes on domains (id, notes_key) where notes_key is not null`,
  ],
  // Postgres knows how many rows a value has and chooses well among an index for each column; one of
  // all columns could exceed the 2,704 bytes of its entries. `unicode` is in them so that a search in
  // any order reads no row that it drops. Each column has one in descending order too, as a list ends
  // with the domains that have no value, whichever way it is sorted. That of the expiry carries what
  // is asked together with it, so that no row is read for a count.
  postgres: [
    `alter index domains_pkey set (deduplicate_items = off)`,
    `alter index domains_name_key set (deduplicate_items = off)`,
    // Without the id: of an emptied table Postgres believes that all indexes cost the same, and checked
    // each reference of a restored row by this one, from end to end.
    `create index domains_by_name on domains (name, unicode) ${UNIQUE_ENTRIES}`,
    `create index domains_by_expiry on domains (expires_on, name, unicode, auto_renew, decision,
      renewal_currency, renewal_minor) ${UNIQUE_ENTRIES}`,
    ...SORTED.filter((column) => column !== "expires_on").map(
      (column) => `create index domains_by_${column.replace("_key", "")} on domains
      (${column}, name, unicode) ${UNIQUE_ENTRIES}`,
    ),
    `create index domains_in_conflict on domains (expires_on, name) ${UNIQUE_ENTRIES}
      where expires_conflict = 1`,
    ...SORTED.map(
      (column) => `create index domains_by_${column}_desc on domains
      (${column} desc nulls last, name) ${UNIQUE_ENTRIES}`,
    ),
  ],
};
