import type { CheckOutcome } from "../../shared/checks.ts";
import type { SQL } from "bun";
import type { Day, Instant } from "../../shared/day.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { deriveDomains, type Derived } from "./derive.ts";
import type { CheckRow } from "./read-checks.ts";
import {
  changesOf,
  type FinishedCheck,
  isRegistration,
  planRegistrars,
  reportExpiries,
  type SavedCheck,
} from "./registration-news.ts";
import {
  networkTiming,
  nextCheckAt,
  NOT_FOUND,
  registrarTiming,
  registryTiming,
  retryAfterFailure,
  SECOND_LOOK,
  type Timing,
} from "./schedule.ts";
import { isNetworkKind, type Sources } from "./sources.ts";
import { recordAnswers } from "./store.ts";
import { addFindings } from "./stored-findings.ts";
import type { Certificate } from "./tls.ts";

/** Outcomes that bring no knowledge: the check is tried again sooner. */
const FAILURES: ReadonlySet<CheckOutcome> = new Set([
  "timeout",
  "unreachable",
  "malformed",
  "refused",
]);

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
  const answers = finished
    .filter(({ check }) => !isNetworkKind(check.queue))
    .map(({ check, result }) => ({ host: check.queue, askedAt: check.askedAt, answer: result }));
  await recordAnswers(sql, answers, { sources, now });
  const ours = await listOurs(sql, finished);
  const ids = new Set(ours.map(({ check }) => check.domainId));
  const changes = ours.flatMap((saved) => changesOf(saved, now));
  const known = { due_at: now.toISOString(), priority: 0 };
  await reportExpiries(sql, ours, now);
  await addFindings(sql, changes);
  await writeRows(
    sql,
    ours.map((saved) => Object.assign(resultOf(saved, now), known)),
  );
  const derived = await deriveDomains(sql, [...ids], now);
  const next = ours.map((saved) => {
    const { domainId } = saved.check;
    return { ...resultOf(saved, now), ...nextOf(saved, derived.get(domainId), now) };
  });
  await writeRows(sql, next);
  await planRegistrars(sql, ours, derived, now);
  const missing = ours.filter(({ result }) => result.outcome === "not-found");
  if (missing.length > 0) {
    // "Not registered" needs the parent zone's word too, and one from now.
    const missingIds = missing.map(({ check }) => check.domainId);
    await sql`update checks set due_at = ${now.toISOString()}
      where domain_id in ${sql(missingIds)} and kind = 'delegation'`;
  }
}

async function listOurs(sql: SQL, finished: readonly FinishedCheck[]): Promise<SavedCheck[]> {
  const ids = finished.map(({ check }) => check.domainId);
  const rows = await sql<(CheckRow & { leased_until: string })[]>`
    select domain_id, kind, leased_until, outcome, source, checked_at, detail, result, missing_since
    from checks where domain_id in ${sql(ids)} and leased_until is not null`;
  const byKey = new Map(rows.map((row) => [`${row.domain_id} ${row.kind}`, row]));
  return finished.flatMap((each) => {
    const { domainId, kind, leasedUntil } = each.check;
    const known = byKey.get(`${domainId} ${kind}`);
    return known?.leased_until === leasedUntil ? [{ ...each, known }] : [];
  });
}

/** The columns of a check that its result decides. What was known stays where it brought nothing. */
function resultOf({ check, result, known }: SavedCheck, now: Date) {
  const { domainId, kind, name, queue, link, leasedUntil } = check;
  return {
    domain_id: domainId,
    kind,
    name,
    queue,
    link,
    leased_until: leasedUntil,
    failures: check.failures,
    outcome: result.outcome,
    source: result.source,
    checked_at: now.toISOString(),
    detail: result.detail,
    result: result.result === null ? known.result : JSON.stringify(result.result),
    missing_since: missingSince({ result, known }, now),
  };
}

/** Since when the same host has not known the name; a question that failed says nothing. */
function missingSince(
  { result, known }: Pick<SavedCheck, "result" | "known">,
  now: Date,
): Instant | null {
  if (result.outcome === "not-found") {
    const isSameHost = known.source === result.source;
    return (isSameHost ? known.missing_since : null) ?? now.toISOString();
  }
  return result.result === null ? known.missing_since : null;
}

const COLUMNS =
  `queue link due_at priority leased_until failures outcome source checked_at detail result
  missing_since`.split(/\s+/);

async function writeRows(sql: SQL, rows: readonly SqlRow[]): Promise<void> {
  const sets = COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ");
  await insertRows(sql, "checks", rows, `on conflict (domain_id, kind) do update set ${sets}`);
}

/** When the check is due again, which ends its lease: sooner after a failure. */
function nextOf({ check, result }: SavedCheck, derived: Derived | undefined, now: Date) {
  const { domainId, kind } = check;
  const { intervalMs, urgency } = timingOf({ check, result }, derived, now);
  const failed = FAILURES.has(result.outcome);
  const failures = failed ? check.failures + 1 : 0;
  const wait = failed ? retryAfterFailure(failures, intervalMs) : intervalMs;
  // Of a host that limits us, its pace decides when; the check itself stays due.
  const isLimited = result.outcome === "limited" && result.result === null;
  const due = isLimited ? now : nextCheckAt(now, wait, `${domainId} ${kind}`);
  return { due_at: due.toISOString(), priority: urgency, leased_until: null, failures };
}

function timingOf(
  { check: { kind }, result: { outcome, result } }: FinishedCheck,
  derived: Derived | undefined,
  now: Date,
): Timing {
  const today = now.toISOString().slice(0, 10);
  if (derived?.unsure.has(kind) === true) return SECOND_LOOK;
  if (isNetworkKind(kind)) {
    const certificateEnds = kind === "tls" ? firstEnd(result) : null;
    return networkTiming(kind, { certificateEnds, today });
  }
  const expires = derived?.expires ?? null;
  if (kind === "registrar") {
    return registrarTiming(expires, derived?.asksRegistrar ?? false, today);
  }
  if (outcome === "not-found") return NOT_FOUND;
  return registryTiming(expires, isRegistration(result) ? result.statuses : [], today);
}

function firstEnd(result: unknown): Day | null {
  if (!Array.isArray(result)) return null;
  // A TLS check's result is a list of certificates.
  const ends = (result as Certificate[]).map(({ validTo }) => validTo).toSorted();
  return ends[0]?.slice(0, 10) ?? null;
}
