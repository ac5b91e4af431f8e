import type { Migration } from "./migration.ts";

/**
 * Reminders: which thresholds each expiry has crossed, what people know of already, where messages go,
 * and the messages themselves. Rows about domains have no foreign key: a domain that comes back from
 * the bin is neither told nor asked about again.
 */
export const reminders: Migration = {
  version: 21,
  name: "reminders",
  statements: [
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
};
