import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { addObservation } from "../domains/expiry.ts";
import type { CheckResult } from "./check-result.ts";
import type { RdapResult } from "./rdap.ts";
import type { Outcome, Registration } from "./registration.ts";
import {
  fractionOf,
  networkTiming,
  nextCheckAt,
  registrarTiming,
  registryTiming,
  retryAfterFailure,
  type Timing,
} from "./schedule.ts";
import { isNetworkKind, type Sources } from "./sources.ts";
import { type LeasedCheck, recordAnswer } from "./store.ts";
import type { Certificate } from "./tls.ts";

/** A leased check with its result. */
export interface FinishedCheck {
  check: LeasedCheck;
  result: CheckResult<unknown> | RdapResult;
}

/** Outcomes that bring no knowledge: the check is tried again sooner. */
const FAILURES: ReadonlySet<Outcome> = new Set(["timeout", "unreachable", "malformed", "refused"]);

/**
 * Writes results: the row of the check and when it is due again, the pace of the host, and what a
 * registry, a registrar or WHOIS reports of the expiry. Results whose lease has passed to another
 * instance are dropped. Returns the domains whose expiry and findings have to be derived anew.
 */
export async function saveResults(
  sql: SQL,
  finished: readonly FinishedCheck[],
  { sources, now }: { sources: Sources; now: Date },
): Promise<string[]> {
  const touched: string[] = [];
  for (const { check, result } of finished) {
    if (!isNetworkKind(check.queue)) await recordAnswer(sql, check.queue, result, { sources, now });
    if (await saveResult(sql, check, result, now)) touched.push(check.domainId);
  }
  return [...new Set(touched)];
}

/** Whether the lease was still ours. */
async function saveResult(
  sql: SQL,
  check: LeasedCheck,
  result: CheckResult<unknown> | RdapResult,
  now: Date,
): Promise<boolean> {
  const { domainId, kind, leasedUntil } = check;
  const at = now.toISOString();
  const failed = FAILURES.has(result.outcome);
  const failures = failed ? check.failures + 1 : 0;
  const timing = await timingOf(sql, check, result, now);
  const next = failed
    ? nextCheckAt(now, retryAfterFailure(failures, timing.intervalMs), `${domainId} ${kind}`)
    : nextCheckAt(now, timing.intervalMs, `${domainId} ${kind}`);
  const isLimited = result.outcome === "limited" && result.result === null;
  const row = {
    // The host's pace decides when; the check itself stays due.
    due_at: isLimited ? at : next.toISOString(),
    priority: timing.urgency,
    leased_until: null,
    failures,
    outcome: result.outcome,
    source: result.source,
    checked_at: at,
    detail: result.detail,
    missing_since: result.outcome === "not-found" ? (check.missingSince ?? at) : null,
    // What was known stays where this check brought nothing.
    ...(result.result !== null && { result: JSON.stringify(result.result) }),
  };
  const moved = await reportExpiry(sql, check, result, now);
  const saved = await sql<{ domain_id: string }[]>`
    update checks set ${sql({ ...row, ...moved })}
    where domain_id = ${domainId} and kind = ${kind} and leased_until = ${leasedUntil}
    returning domain_id`;
  if (saved.length === 0) return false;
  if ("related" in result && result.related !== null)
    await planRegistrar(sql, check, result.related, now);
  return true;
}

async function timingOf(
  sql: SQL,
  { domainId, kind }: LeasedCheck,
  { result }: CheckResult<unknown>,
  now: Date,
): Promise<Timing> {
  const today = now.toISOString().slice(0, 10);
  if (isNetworkKind(kind)) {
    const certificateEnds = kind === "tls" ? firstEnd(result) : null;
    return networkTiming(kind, { certificateEnds, today });
  }
  const [domain] = await sql<{ expires_on: Day | null }[]>`
    select expires_on from domains where id = ${domainId}`;
  const expires = domain?.expires_on ?? null;
  if (kind === "registrar") {
    const decides = await sql`select code from findings
      where domain_id = ${domainId} and code in ('auto-renewed-unpaid', 'auto-renewed-unsure', 'expiry-conflict')`;
    return registrarTiming(expires, decides.length > 0, today);
  }
  return registryTiming(expires, isRegistration(result) ? result.statuses : [], today);
}

function firstEnd(result: unknown): Day | null {
  if (!Array.isArray(result)) return null;
  // A TLS check's result is a list of certificates.
  const ends = (result as Certificate[]).map(({ validTo }) => validTo).toSorted();
  return ends[0]?.slice(0, 10) ?? null;
}

function isRegistration(result: unknown): result is Registration {
  return typeof result === "object" && result !== null && "expiresAt" in result;
}

/**
 * Appends the reported day where it is another than the source named last; a missing one takes back
 * nothing. Returns when a registry's day moved: by its own account if that lies after the sighting
 * before, else now.
 */
async function reportExpiry(
  sql: SQL,
  { domainId, kind }: LeasedCheck,
  { source, result }: CheckResult<unknown>,
  now: Date,
): Promise<{ moved_at?: string | null }> {
  if (!isRegistration(result) || result.expiresAt === null) return {};
  const date = result.expiresAt.slice(0, 10);
  const [last] = await sql<{ value: string | null }[]>`
    select value from observations
    where domain_id = ${domainId} and kind = 'expires' and source = ${source}
    order by observed_at desc, id desc limit 1`;
  if (last?.value === date) return {};
  await addObservation(sql, domainId, { source, date, observedAt: now.toISOString() });
  const [before] = await sql<{ checked_at: string | null }[]>`
    select checked_at from checks where domain_id = ${domainId} and kind = ${kind}`;
  const { changedAt } = result;
  if (last === undefined) return { moved_at: changedAt };
  const isSince = changedAt !== null && changedAt > (before?.checked_at ?? "");
  return { moved_at: isSince ? changedAt : now.toISOString() };
}

/** Milliseconds over which the first questions to registrars are spread. */
const REGISTRAR_SPREAD_MS = 60 * 86_400_000;

/** Adds the registrar's check, or follows it to another registrar. */
async function planRegistrar(sql: SQL, check: LeasedCheck, link: URL, now: Date): Promise<void> {
  const { domainId, name } = check;
  const delay = fractionOf(`${domainId} registrar`) * REGISTRAR_SPREAD_MS;
  const row = {
    domain_id: domainId,
    kind: "registrar",
    name,
    queue: link.host,
    link: link.href,
    due_at: new Date(now.getTime() + delay).toISOString(),
    priority: 1,
    failures: 0,
  };
  await insertRows(
    sql,
    "checks",
    [row],
    `on conflict (domain_id, kind) do update set queue = excluded.queue, link = excluded.link,
      due_at = excluded.due_at where checks.queue <> excluded.queue`,
  );
}
