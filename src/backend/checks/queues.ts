import type { SQL } from "bun";
import { type Database, type Fragment, readColumn } from "../database/database.ts";
import { HOUR_MS, type Instant } from "../../shared/day.ts";
import { leaseDue } from "../jobs/lease.ts";
import { afterAnswer, afterQuestions, type HostPace, mayAskHost, PACES } from "./host-pace.ts";
import type { CheckResult } from "./check-result.ts";
import { CHECK_KINDS, type CheckKind } from "../../shared/check-summary.ts";
import type { CheckResults, ChecksStatus } from "../../shared/checks.ts";
import type { CheckRow } from "./stored-checks.ts";
import { isCurrent } from "../domains/list/filter-condition.ts";
import { EVERYTHING } from "../http/route.ts";
import { isNetworkKind } from "../domains/write/check-now.ts";
import type { LookupServers } from "./lookup-servers.ts";

export interface LeasedCheck extends CheckRow {
  name: string;
  queue: string;
  /** Of a registrar's check: where it answers. */
  link: string | null;
  failures: number;
  priority: number;
  /** Fences the result: then another instance may lease the check. */
  leased_until: string;
  askedAt: Date;
}

export interface FinishedCheck {
  check: LeasedCheck;
  result: CheckResult<CheckResults[CheckKind]>;
}

export interface AskContext {
  servers: LookupServers;
  now: Date;
}

const LEASE_MS = 120_000;

export function eachQueue(sql: SQL): Fragment {
  return sql`with recursive queues (queue) as (
    select min(queue) from checks
    union all
    select (select min(queue) from checks where queue > q.queue) from queues q
    where q.queue is not null)`;
}

/** How far the checks are: what is due, how those made ended, which hosts are asked, the TLDs of names. */
export const readProgress = {
  name: "read progress of checks",
  async run(sql: SQL, at: Instant) {
    const queues = await sql<{ queue: string; due: number; running: number }[]>`
      select queue, cast(count(*) as integer) as due,
        cast(sum(case when leased_until > ${at} then 1 else 0 end) as integer) as running
      from checks where due_at <= ${at} group by queue`;
    const outcomes = await sql<{ outcome: string; checks: number }[]>`
      select outcome, cast(count(*) as integer) as checks from checks
      where outcome is not null group by outcome`;
    const hosts = await sql<(ChecksStatus["hosts"][number] & Pick<HostPace, "kind">)[]>`
      select host, kind, interval_ms as "intervalMs", next_at as "nextAt",
        case when blocked_until > ${at} then blocked_until end as "blockedUntil",
        case when day = ${at.slice(0, 10)} then today else 0 end as today, last_outcome as "lastOutcome"
      from check_hosts where kind <> 'network' order by host`;
    const tlds = await readColumn(sql`
      select distinct tld from domains where ${isCurrent(sql, EVERYTHING)} order by tld`);
    const [nextAt = null] = await readColumn(sql`
      ${eachQueue(sql)} select min((select min(due_at) from checks c
        where c.queue = q.queue and c.due_at > ${at})) from queues q`);
    return { queues, outcomes, hosts: [...hosts], tlds, nextAt };
  },
};

/** Queues with something due that may be asked now, without a look at each check. */
export async function listDueQueues(sql: SQL, now: Date): Promise<string[]> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + LEASE_MS).toISOString();
  const rows = await sql<({ queue: string } & (HostPace | { host: null }))[]>`
    ${eachQueue(sql)} select q.queue, h.* from queues q left join check_hosts h on h.host = q.queue
    where exists (select 1 from checks c where c.queue = q.queue and c.due_at <= ${at}
        and c.kind in ${sql(CHECK_KINDS)}
        and (c.leased_until is null or c.leased_until <= ${at} or c.leased_until > ${until}))`;
  return rows.filter((row) => row.host === null || mayAskHost(row, now)).map(({ queue }) => queue);
}

/** Leases the next checks of a queue if its pace allows one, but no kinds of newer versions. */
export async function leaseChecks(
  sql: SQL,
  queue: string,
  { limit, ...context }: AskContext & { limit: number },
): Promise<LeasedCheck[]> {
  const { now } = context;
  const { pace } = await lockPace(sql, queue, context);
  if (!mayAskHost(pace, now)) return [];
  const rows: Omit<LeasedCheck, "askedAt">[] = [];
  // One priority after the other, each from the index: together, SQLite would sort all that is due.
  for (let above = Number.MAX_SAFE_INTEGER; rows.length < limit;) {
    const [priority = null] = await readColumn<number | null>(sql`select max(priority) from checks
      where queue = ${queue} and priority < ${above}`);
    if (priority === null) break;
    const due = await leaseDue<(typeof rows)[number]>(sql, {
      table: "checks",
      key: ["domain_id", "kind"],
      where: sql`queue = ${queue} and priority = ${priority} and kind in ${sql(CHECK_KINDS)}`,
      now,
      leaseMs: LEASE_MS,
      limit: limit - rows.length,
    });
    rows.push(...due);
    above = priority;
  }
  if (rows.length > 0) await writePace(sql, afterQuestions(pace, rows.length, now));
  return rows.map((row) => Object.assign(row, { askedAt: now }));
}

/** Takes a host's next question; false: it may not be asked now. The answer has to be recorded. */
export async function takeTurn(sql: SQL, host: string, context: AskContext): Promise<boolean> {
  const { pace } = await lockPace(sql, host, context);
  if (!mayAskHost(pace, context.now)) return false;
  await writePace(sql, afterQuestions(pace, 1, context.now));
  return true;
}

/** Reads a queue's pace and locks it; a new one starts at its kind's. */
async function lockPace(sql: SQL, host: string, { servers, now }: AskContext) {
  const kind = hostKind(host, servers);
  const usualMs = servers.intervals[host] ?? PACES[kind].intervalMs;
  const unused = { floor_ms: 0, good: 0, limited: 0, day: "", today: 0 };
  const fresh = { host, kind, interval_ms: usualMs, next_at: now.toISOString(), ...unused };
  // The update changes nothing, but locks the row.
  const [pace] = await sql<[HostPace]>`
    insert into check_hosts ${sql(fresh)}
    on conflict (host) do update set kind = excluded.kind returning *`;
  const interval_ms = pace.floor_ms > 0 ? Math.max(pace.interval_ms, usualMs) : usualMs;
  return { pace: { ...pace, interval_ms }, usualMs };
}

function hostKind(host: string, { whois }: LookupServers): HostPace["kind"] {
  if (isNetworkKind(host)) return "network";
  return [...whois.values()].some((server) => server.host === host) ? "whois" : "rdap";
}

async function writePace(sql: SQL, pace: HostPace): Promise<void> {
  await sql`update check_hosts set ${sql(pace)} where host = ${pace.host}`;
}

/** Adapts the pace of each host to its answers; the network has no single host. */
export async function recordAnswers(
  sql: SQL,
  answers: readonly {
    check: Pick<LeasedCheck, "queue" | "askedAt">;
    result: FinishedCheck["result"];
  }[],
  context: AskContext,
): Promise<void> {
  const { now } = context;
  for (const [host, ofHost] of Map.groupBy(answers, ({ check }) => check.queue)) {
    if (isNetworkKind(host)) continue;
    let { pace, usualMs } = await lockPace(sql, host, context);
    for (const { check, result } of ofHost) {
      pace = afterAnswer(pace, result, { usualMs, askedAt: check.askedAt, now });
    }
    await writePace(sql, pace);
  }
}

export async function releaseLeases(sql: SQL, leased: readonly LeasedCheck[]): Promise<void> {
  for (const { domain_id, kind, leased_until, queue, askedAt } of leased) {
    await sql`update checks set leased_until = null
      where domain_id = ${domain_id} and kind = ${kind} and leased_until = ${leased_until}`;
    const [pace] = await sql<HostPace[]>`select * from check_hosts where host = ${queue}`;
    if (pace === undefined) continue;
    const next = new Date(askedAt.getTime() + pace.interval_ms).toISOString();
    await sql`update check_hosts set next_at = ${next} where host = ${queue}`;
  }
}

const CLOCK_SKEW_MS = HOUR_MS;

/** Makes due what a clock that was ahead has checked in the future. */
export async function repairClock(database: Database, now: Date): Promise<void> {
  const limit = new Date(now.getTime() + CLOCK_SKEW_MS).toISOString();
  const at = now.toISOString();
  await database.write(
    (sql) => sql`update checks set due_at = ${at}, checked_at = ${at} where checked_at > ${limit}`,
  );
}
