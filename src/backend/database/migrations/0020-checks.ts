import type { Migration } from "./migration.ts";

/**
 * Live checks: one row per domain and kind with its latest result and when it is due again, how fast
 * each host may be asked, and what was found. `queue` is the host that a check asks, or the kind where
 * that is no single host. `name` is the domain's when the row was made: a rename starts anew.
 */
export const checks: Migration = {
  version: 20,
  name: "checks",
  statements: [
    // Of a registry's report: when its day moved, and the domain's statuses, as JSON.
    `alter table observations add column detail text`,
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
  ],
};
