import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { leaseDue } from "../jobs/lease.ts";
import { afterAnswer, afterQuestion, type HostPace, mayAsk, PACES } from "./host-pace.ts";
import type { CheckResult } from "./check-result.ts";
import type { CheckKind } from "../../shared/checks.ts";
import { fractionOf, registryTiming } from "./schedule.ts";
import { checkKind, isNetworkKind, planChecks, type Sources } from "./sources.ts";

/** A check that this instance has leased. */
export interface LeasedCheck {
  domainId: string;
  kind: CheckKind;
  name: string;
  queue: string;
  /** Of a registrar's check: where it answers. */
  link: string | null;
  failures: number;
  /** The registry did not know the name at this instant, and has not known it since. */
  missingSince: string | null;
  /** Fences the result: another instance leases the check anew once this has passed. */
  leasedUntil: string;
}

/** How long a check may take before another instance does it. */
const LEASE_MS = 120_000;

/** Domains that one round plans the checks of. */
const PLAN_SIZE = 500;

/** Network checks of one kind that run at a time, and questions to a host without an interval. */
const BATCH_SIZE = 20;

/**
 * Adds the checks of domains that have none: new ones, restored ones, renamed ones. The first network
 * checks are spread over a day, the registry goes by urgency. Returns how many domains there were.
 */
export async function planMissing(sql: SQL, sources: Sources, now: Date): Promise<number> {
  const domains = await sql<{ id: string; name: string; expires_on: Day | null }[]>`
    select id, name, expires_on from domains d where not exists (
      select 1 from checks c where c.domain_id = d.id and c.name = d.name)
    limit ${PLAN_SIZE}`;
  if (domains.length === 0) return 0;
  const ids = domains.map(({ id }) => id);
  await sql`delete from checks where domain_id in ${sql(ids)}`;
  await sql`delete from findings where domain_id in ${sql(ids)}`;
  const today = now.toISOString().slice(0, 10);
  const rows = domains.flatMap(({ id, name, expires_on }) =>
    planChecks(name, sources).map(({ kind, queue }) => ({
      domain_id: id,
      kind,
      name,
      queue,
      due_at: firstDue(kind, id, now),
      priority: registryTiming(expires_on, [], today).urgency,
      failures: 0,
    })),
  );
  await insertRows(sql, "checks", rows);
  return domains.length;
}

const DAY_MS = 86_400_000;

function firstDue(kind: CheckKind, id: string, now: Date): string {
  const delay = isNetworkKind(kind) ? fractionOf(`${id} ${kind}`) * DAY_MS : 0;
  return new Date(now.getTime() + delay).toISOString();
}

/** Queues with something due, with the pace of those that are hosts. */
export async function listDueQueues(sql: SQL, now: Date): Promise<string[]> {
  const at = now.toISOString();
  const rows = await sql<{ queue: string }[]>`
    select queue from checks where due_at <= ${at} and (leased_until is null or leased_until <= ${at})
    group by queue`;
  return rows.map(({ queue }) => queue);
}

/**
 * Leases the next checks of a queue, as many as its pace allows: one of a host, whose interval begins
 * with it for every instance. Inside a write.
 */
export async function leaseChecks(
  sql: SQL,
  queue: string,
  { sources, now }: { sources: Sources; now: Date },
): Promise<LeasedCheck[]> {
  if (isNetworkKind(queue)) return lease(sql, queue, now, BATCH_SIZE);
  const pace = await takeTurn(sql, queue, { sources, now });
  return pace === null ? [] : lease(sql, queue, now, pace.intervalMs === 0 ? BATCH_SIZE : 1);
}

/**
 * Takes a host's next question, whose interval begins with it; null where it may not be asked now.
 * Inside a write.
 */
export async function takeTurn(
  sql: SQL,
  host: string,
  { sources, now }: { sources: Sources; now: Date },
): Promise<HostPace | null> {
  const kind = await hostKind(sql, host);
  const pace = await lockPace(sql, host, { kind, sources, now });
  if (!mayAsk(pace, PACES[kind].perDay, now)) return null;
  await writePace(sql, afterQuestion(pace, now));
  return pace;
}

async function lease(sql: SQL, queue: string, now: Date, limit: number): Promise<LeasedCheck[]> {
  const rows = await leaseDue<CheckRow>(
    sql,
    { table: "checks", key: ["domain_id", "kind"] },
    { now, leaseMs: LEASE_MS, limit, where: sql`queue = ${queue}` },
  );
  return rows.map((row) => ({
    domainId: row.domain_id,
    kind: checkKind(row.kind),
    name: row.name,
    queue: row.queue,
    link: row.link,
    failures: row.failures,
    missingSince: row.missing_since,
    leasedUntil: row.leased_until,
  }));
}

interface CheckRow {
  domain_id: string;
  kind: string;
  name: string;
  queue: string;
  link: string | null;
  failures: number;
  missing_since: string | null;
  leased_until: string;
}

type HostKind = keyof typeof PACES;

async function hostKind(sql: SQL, host: string): Promise<HostKind> {
  const [row] = await sql<
    { kind: string }[]
  >`select kind from checks where queue = ${host} limit 1`;
  return row?.kind === "whois" ? "whois" : "rdap";
}

/** Reads a host's pace and keeps other transactions from it; a new host starts at its kind's. */
async function lockPace(
  sql: SQL,
  host: string,
  { kind, sources, now }: { kind: HostKind; sources: Sources; now: Date },
): Promise<HostPace> {
  const intervalMs = sources.intervals[host] ?? PACES[kind].intervalMs;
  const fresh: HostPaceRow = {
    host,
    interval_ms: intervalMs,
    floor_ms: intervalMs,
    next_at: now.toISOString(),
    blocked_until: null,
    good: 0,
    limited: 0,
    day: "",
    today: 0,
  };
  const [row = fresh] = await sql<HostPaceRow[]>`
    insert into check_hosts ${sql({ ...fresh, kind })}
    on conflict (host) do update set host = excluded.host returning *`;
  return {
    host,
    intervalMs: row.interval_ms,
    floorMs: row.floor_ms,
    nextAt: row.next_at,
    blockedUntil: row.blocked_until,
    good: row.good,
    limited: row.limited,
    day: row.day,
    today: row.today,
  };
}

interface HostPaceRow {
  host: string;
  interval_ms: number;
  floor_ms: number;
  next_at: string;
  blocked_until: string | null;
  good: number;
  limited: number;
  day: string;
  today: number;
}

async function writePace(sql: SQL, pace: HostPace, lastOutcome?: string): Promise<void> {
  const row = {
    interval_ms: pace.intervalMs,
    floor_ms: pace.floorMs,
    next_at: pace.nextAt,
    blocked_until: pace.blockedUntil,
    good: pace.good,
    limited: pace.limited,
    day: pace.day,
    today: pace.today,
    ...(lastOutcome !== undefined && { last_outcome: lastOutcome }),
  };
  await sql`update check_hosts set ${sql(row)} where host = ${pace.host}`;
}

/** Writes what a host's answer says about its pace. Inside a write. */
export async function recordAnswer(
  sql: SQL,
  host: string,
  answer: CheckResult<unknown>,
  { sources, now }: { sources: Sources; now: Date },
): Promise<void> {
  const kind = await hostKind(sql, host);
  const pace = await lockPace(sql, host, { kind, sources, now });
  await writePace(sql, afterAnswer(pace, answer, now), answer.outcome);
}
