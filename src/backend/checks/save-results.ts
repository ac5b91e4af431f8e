import type { SQL } from "bun";
import type { Day, Instant } from "../../shared/day.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { addObservation, listObservations, type ExpiryReport } from "../domains/expiry.ts";
import { isUnsettled } from "../domains/expiry-rules.ts";
import type { CheckResult } from "./check-result.ts";
import { addFindings, deriveDomains } from "./derive.ts";
import type { FoundFinding } from "./findings.ts";
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
 * Writes results and what follows from them, in one transaction: the row of the check, the pace of the
 * host, what a registry, a registrar or WHOIS reports, the domain's expiry and findings, and when the
 * check is due again. Results whose lease has passed to another instance are dropped.
 */
export async function saveResults(
  sql: SQL,
  finished: readonly FinishedCheck[],
  { sources, now }: { sources: Sources; now: Date },
): Promise<void> {
  const ours: FinishedCheck[] = [];
  for (const each of finished) {
    const { check, result } = each;
    if (!isNetworkKind(check.queue)) await recordAnswer(sql, check.queue, result, { sources, now });
    if (await saveResult(sql, each, now)) ours.push(each);
  }
  await deriveDomains(sql, [...new Set(ours.map(({ check }) => check.domainId))], now);
  for (const each of ours) await scheduleNext(sql, each, now);
}

/** Returns whether the lease was still ours. */
async function saveResult(sql: SQL, { check, result }: FinishedCheck, now: Date): Promise<boolean> {
  const { domainId, kind, leasedUntil } = check;
  const at = now.toISOString();
  const [leased] = await sql`
    select 1 from checks
    where domain_id = ${domainId} and kind = ${kind} and leased_until = ${leasedUntil}`;
  if (leased === undefined) return false;
  await reportExpiry(sql, check, result, now);
  await reportChanges(sql, check, result, now);
  if (result.outcome === "not-found") {
    // "Not registered" needs the parent zone's word too, and one from now.
    await sql`update checks set due_at = ${at} where domain_id = ${domainId} and kind = 'delegation'`;
  }
  const row = {
    outcome: result.outcome,
    source: result.source,
    checked_at: at,
    detail: result.detail,
    missing_since: result.outcome === "not-found" ? (check.missingSince ?? at) : null,
    // What was known stays where this check brought nothing.
    ...(result.result !== null && { result: JSON.stringify(result.result) }),
  };
  await sql`update checks set ${sql(row)} where domain_id = ${domainId} and kind = ${kind}`;
  if ("related" in result && result.related !== null) {
    await planRegistrar(sql, check, result.related, now);
  }
  return true;
}

/** Ends the lease and says when the check is due again: sooner after a failure. */
async function scheduleNext(sql: SQL, { check, result }: FinishedCheck, now: Date): Promise<void> {
  const { domainId, kind } = check;
  const { intervalMs, urgency } = await timingOf(sql, check, result, now);
  const failed = FAILURES.has(result.outcome);
  const failures = failed ? check.failures + 1 : 0;
  const wait = failed ? retryAfterFailure(failures, intervalMs) : intervalMs;
  // Of a host that limits us, its pace decides when; the check itself stays due.
  const isLimited = result.outcome === "limited" && result.result === null;
  const due = isLimited ? now : nextCheckAt(now, wait, `${domainId} ${kind}`);
  const row = { due_at: due.toISOString(), priority: urgency, leased_until: null, failures };
  await sql`update checks set ${sql(row)} where domain_id = ${domainId} and kind = ${kind}`;
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
 * Appends what is reported of the expiry. Of a registry only where its day or the statuses that decide
 * have changed; of a registrar each time, as it counts when it said so last. An answer without a day
 * takes back nothing.
 */
async function reportExpiry(
  sql: SQL,
  { domainId, kind }: LeasedCheck,
  { source, result }: CheckResult<unknown>,
  now: Date,
): Promise<void> {
  if (!isRegistration(result) || result.expiresAt === null) return;
  const date = result.expiresAt.slice(0, 10);
  const observedAt = now.toISOString();
  const reports = await listObservations(sql, domainId);
  const last = reports.findLast((report) => report.source === source);
  if (kind !== "registry") {
    const isNews = kind === "registrar" || last?.date !== date;
    if (isNews) await addObservation(sql, domainId, { source, date, observedAt });
    return;
  }
  const registry = {
    movedAt:
      last?.date === date
        ? (last.registry?.movedAt ?? null)
        : await moveOf(sql, domainId, { last, result, now }),
    statuses: result.statuses.filter(isUnsettled),
  };
  if (last?.date === date && Bun.deepEquals(last.registry ?? null, registry)) return;
  await addObservation(sql, domainId, { source, date, observedAt, registry });
}

/**
 * When the registry's day moved: by its own account, where that lies after the look before; else now.
 * Of a day that is seen for the first time, only its own account tells.
 */
async function moveOf(
  sql: SQL,
  domainId: string,
  { last, result, now }: { last: ExpiryReport | undefined; result: Registration; now: Date },
): Promise<Instant | null> {
  const { changedAt } = result;
  if (last === undefined) return changedAt;
  const [before] = await sql<{ checked_at: string | null }[]>`
    select checked_at from checks where domain_id = ${domainId} and kind = 'registry'`;
  const isSince = changedAt !== null && changedAt > (before?.checked_at ?? "");
  return isSince ? changedAt : now.toISOString();
}

/** A registrar or name servers other than at the look before are findings, until they are old. */
async function reportChanges(
  sql: SQL,
  { domainId, kind }: LeasedCheck,
  { result }: CheckResult<unknown>,
  now: Date,
): Promise<void> {
  if (!isRegistration(result) || kind === "registrar") return;
  const [row] = await sql<{ result: string | null }[]>`
    select result from checks where domain_id = ${domainId} and kind = ${kind}`;
  const before: unknown = JSON.parse(row?.result ?? "null");
  if (!isRegistration(before)) return;
  const changes: FoundFinding[] = [];
  if (isOther(before.registrar, result.registrar)) {
    changes.push({ code: "registrar-changed", evidence: `It was ${before.registrar}.` });
  }
  if (isOther(before.nameServers.join(", "), result.nameServers.join(", "))) {
    const evidence = `They were ${before.nameServers.join(", ")}.`;
    changes.push({ code: "name-servers-changed", evidence });
  }
  await addFindings(sql, domainId, changes, now);
}

/** Both are known, and not the same. */
function isOther(before: string | null, now: string | null): boolean {
  return Boolean(before && now) && before?.toLowerCase() !== now?.toLowerCase();
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
