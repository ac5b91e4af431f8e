create table settings (name text primary key, value text not null);

create table users (
  id text primary key,
  email text not null unique,
  password text,
  name text,
  role text not null check (role in ('viewer', 'editor', 'owner')),
  disabled smallint not null default 0 check (disabled in (0, 1)),
  created_at text not null);

create table sessions (
  id_hash text primary key,
  user_id text not null references users (id) on delete cascade,
  created_at text not null,
  expires_at text not null,
  last_seen_at text not null default '',
  address text not null default '',
  user_agent text not null default '',
  -- When the person last proved who they are.
  proved_at text not null default '');
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_user on sessions (user_id);

-- Links that let a person in, by the hash of their code. `user_id` is the person of a link for a new
-- password; null for that of the command on the machine, which any owner may use.
create table invitations (
  id text primary key,
  kind text not null check (kind in ('invitation', 'reset')),
  code_hash text not null unique,
  email text,
  role text,
  user_id text references users (id) on delete cascade,
  made_by text,
  made_by_name text not null,
  created_at text not null,
  expires_at text not null);
create index invitations_by_expiry on invitations (expires_at);

-- Failed sign-ins by address. `account` is a hash of the one that was tried, "" for several; `ends_at` is
-- in milliseconds since 1970.
create table failed_sign_ins (
  address text primary key,
  account text not null,
  attempts integer not null,
  ends_at bigint not null);
create index failed_sign_ins_by_end on failed_sign_ins (ends_at);

-- Tokens that scripts call the API with; `hash` is the SHA-256 of the whole token.
create table api_tokens (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  hash text not null unique,
  created_at text not null,
  expires_at text not null,
  last_used_at text);
create index api_tokens_by_user on api_tokens (user_id);

-- `secret` is encrypted if there is a key; `last_step` is the newest one that was used.
create table totp (
  user_id text primary key references users (id) on delete cascade,
  secret text not null,
  confirmed_at text,
  last_step bigint not null default 0);
create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash));

create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  name text not null,
  created_at text not null,
  last_used_at text);
create index passkeys_by_user on passkeys (user_id);

create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  created_at text not null,
  signed_in_at text,
  primary key (issuer, subject));
create index identities_by_user on identities (user_id);

-- One of each kind in a browser's session. `source`: the subscriber whose request began it.
create table challenges (
  session_hash text not null,
  kind text not null,
  user_id text references users (id) on delete cascade,
  value text not null,
  source text not null,
  expires_at text not null,
  primary key (session_hash, kind));
create index challenges_by_source on challenges (source);
create index challenges_by_expiry on challenges (expires_at);

-- No reference to users: entries outlive accounts, and say the name of their time.
create table audit (
  id text primary key,
  at text not null,
  address text,
  action text not null,
  by_id text,
  by_name text,
  token_id text,
  token_name text,
  subject text,
  detail text);
create index audit_by_action on audit (action, at);
create index audit_by_time on audit (at);

create table views (
  id text primary key,
  name text not null,
  name_key text not null unique,
  query text not null);

create table registrars (label_key text primary key, label text not null, login_url text);
-- What a renewal costs under each TLD: the price of every domain that has none of its own.
create table registrar_prices (
  registrar_key text not null references registrars (label_key),
  tld text not null,
  minor bigint not null check (minor >= 0),
  currency text not null,
  years integer not null,
  primary key (registrar_key, tld));
create table tags (label_key text primary key, label text not null);

-- The expiry is derived from `observations`; `expires_earliest` is the earliest day that a
-- source reports, which is the day to act by, and `done_for` the day for which a to-do was
-- marked done. `nameservers` are separated by blanks, `custom` is a JSON object of texts.
-- Deleting a person writes that into the history of their domains first; the reference only
-- makes sure.
create table domains (
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
  notes text not null,
  person_id text references users (id) on delete set null,
  registered_on text,
  status text,
  status_key text,
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
  custom_key text,
  done_for text,
  expires_earliest text,
  notes_key text);
create table domain_tags (
  domain_id text not null references domains (id) on delete cascade,
  tag_key text not null references tags (label_key),
  primary key (domain_id, tag_key));
create index domain_tags_by_tag on domain_tags (tag_key, domain_id);

-- Who reported what, and when. `detail` is of a registry's report: when its day moved, and the
-- domain's statuses, as JSON.
create table observations (
  id text primary key,
  domain_id text not null references domains (id) on delete cascade,
  kind text not null,
  source text not null,
  value text,
  observed_at text not null,
  detail text);
create index observations_by_domain on observations (domain_id, kind, source, observed_at, id);
create index observations_by_time on observations (observed_at);

-- No reference to domains, imports and users: the history of a name outlives them, and says who by
-- the name of that time. Every write is an operation that can be undone, whose id stands with all
-- changes that it made.
create table changes (
  id text primary key,
  domain_id text not null,
  at text not null,
  made_by text,
  made_by_name text not null,
  action text not null check (action in ('added', 'edited', 'deleted')),
  fields text not null,
  import_id text,
  operation text);
create index changes_by_domain on changes (domain_id, id);
create index changes_by_operation on changes (operation, id) where operation is not null;
-- By it, changes that were made at once are found and counted.
create index changes_by_time on changes (at, import_id, operation, id);
-- When people and imports changed something last.
create index changes_made on changes (at) where (operation is not null or import_id is not null);

-- What was deleted, so that no query of the register has to leave it out. `content` is JSON with
-- the domain and all reports of its expiry.
create table bin (
  id text primary key,
  domain_id text not null unique,
  name text not null,
  unicode text not null,
  deleted_at text not null,
  deleted_by text,
  deleted_by_name text not null,
  operation text,
  content text not null);
create index bin_by_time on bin (deleted_at);

-- What a person uploaded and imported outlives the account: undo needs it.
create table uploads (
  id text primary key,
  user_id text references users (id) on delete set null,
  name text not null,
  bytes bigint not null,
  sha256 text not null,
  created_at text not null,
  expires_at text not null);
create index uploads_by_expiry on uploads (expires_at);

create table imports (
  id text primary key,
  user_id text references users (id) on delete set null,
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
  undo text);
create index imports_by_state on imports (state, previewed_at);
-- A staging that no import points to is left over from a preview that was replaced or never finished.
create table import_stagings (id text primary key, created_at text not null);
-- What each row of a file would do. `row_key` is the number of the row in twelve digits; `id` has
-- the staging before it, and `lookup` the staging and the name of a row that is the first with it.
-- They are keys of one column, so that Postgres cannot choose a bad index while it knows nothing of
-- fresh rows. The ids of what a commit writes are the import's `stamp` with a row key behind it.
-- The columns from `name` on are what the domain becomes, ready to be copied.
-- A null `expires_observed_at` means the time of the commit.
create table import_rows (
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
  notes text,
  person_id text,
  registered_on text,
  status text,
  status_key text,
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
  custom_key text,
  done_for text,
  expires_earliest text,
  notes_key text,
  -- What a preview says first: domains that another registrar has now, and second expiry dates.
  moves_from text,
  moves_to text,
  second_date smallint,
  partly smallint);
create index import_rows_by_class on import_rows (staging, class, row_key);
create index import_rows_partly on import_rows (staging, row_key) where partly = 1;
create index import_rows_moving on import_rows (lookup)
  where moves_from is not null or second_date = 1;
-- The last decisions about files with the same headers; `key` is a hash of these.
create table import_layouts (
  key text primary key,
  mapping text not null,
  date_order text,
  defaults text not null,
  used_at text not null);

-- One row per domain and kind with its latest result and when it is due again. `queue` is the host
-- that a check asks, or the kind where that is no single host. `name` is the domain's when the row
-- was made: a rename starts again. `answered_at` is when the last answer came: an attempt that fails
-- changes nothing about what was known.
create table checks (
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
  answered_at text,
  detail text,
  result text,
  missing_since text,
  primary key (domain_id, kind));
-- Holds all that the next check of a queue is chosen by.
create index checks_by_queue on checks (queue, due_at, priority, leased_until);
-- Rows are wide: counting the outcomes of 20,000 domains would read all of them.
create index checks_by_outcome on checks (outcome);
-- How fast each host may be asked.
create table check_hosts (
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
  last_outcome text);
create table findings (
  domain_id text not null references domains (id) on delete cascade,
  code text not null,
  -- 0 is the worst, as in SEVERITIES.
  severity integer not null,
  since text not null,
  evidence text not null,
  primary key (domain_id, code));
create index findings_by_code on findings (code, domain_id);
create index findings_by_severity on findings (severity, domain_id);
-- What was seen once, and becomes a finding when a second look confirms it.
create table sightings (
  domain_id text not null references domains (id) on delete cascade,
  code text not null,
  since text not null,
  primary key (domain_id, code));

-- Which thresholds each expiry has crossed, what people know of already, where messages go, and
-- the messages themselves. Rows about domains have no foreign key: a domain that comes back from
-- the bin is neither told nor asked about again.
create table reminders (
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
  primary key (domain_id, expires_on, threshold));
create index reminders_waiting on reminders (state, expires_on)
  where told_at is null or told_weekly_at is null;
-- Acknowledged for this expiry, or snoozed until a day.
create table handled (
  domain_id text not null,
  expires_on text not null,
  until text,
  made_by text,
  made_by_name text not null,
  made_at text not null,
  primary key (domain_id, expires_on));
create index handled_until on handled (until) where until is not null;
-- Critical findings whose beginning was told and whose end has not been.
create table told_findings (
  domain_id text not null,
  code text not null,
  primary key (domain_id, code));
create table channels (
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
  last_sent_at text,
  last_error text,
  created_at text not null,
  -- JSON of what only some kinds of channels have.
  config text not null default '{}',
  -- Null: told about the domains of all people.
  person_id text references users (id) on delete set null);
create table deliveries (
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
  sent_at text);
create index deliveries_due on deliveries (due_at, priority, leased_until)
  where due_at is not null;
create index deliveries_by_channel on deliveries (channel_id, id);
create table calendars (
  id text primary key,
  name text not null,
  filter text not null,
  alarm_days integer,
  secret_hash text not null unique,
  user_id text references users (id) on delete cascade,
  created_at text not null,
  last_fetched_at text,
  last_fetched_by text);

-- Accounts at registrars, which are leased while they are read (`run` is the reading that has the
-- lease), and what their complete lists said of each name.
create table registrar_accounts (
  id text primary key,
  version integer not null,
  registrar text not null,
  label text not null,
  label_key text not null,
  credentials text not null,
  state text not null,
  outcome text,
  detail text,
  complete_at text,
  failures integer not null,
  refusals text not null,
  told_at text,
  notice text,
  asked_at text,
  shrunk_was integer,
  shrunk_now integer,
  shrunk_since text,
  shrunk_wait integer,
  due_at text not null,
  priority integer not null,
  leased_until text,
  run text,
  created_at text not null,
  unique (registrar, label_key));
create table account_names (
  id text primary key,
  account_id text not null references registrar_accounts (id) on delete cascade,
  name text not null,
  place text not null check (place in ('listed', 'left', 'skipped', 'absent')),
  place_since text not null,
  told text not null,
  reason text,
  detail_at text,
  lists integer not null,
  holds integer not null,
  missing_since text,
  vanished_at text,
  refused_at text,
  operation text,
  unique (account_id, name));
create index account_names_name on account_names (name);
create index account_names_operation on account_names (operation) where operation is not null;
