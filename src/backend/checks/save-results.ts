import type { SQL } from "bun";
import type { Day, Instant } from "../../shared/day.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { CHECK_NOW_PRIORITY } from "../domains/check-now.ts";
import { addObservations, readObservations, type ExpiryReport } from "../domains/expiry.ts";
import { isUnsettled } from "../domains/expiry-rules.ts";
import type { CheckResult } from "./check-result.ts";
import { addFindings, deriveDomains, type Derived, type FindingRow } from "./derive.ts";
import type { RdapResult } from "./rdap.ts";
import type { Outcome, Registration } from "./registration.ts";
import {
  fractionOf,
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
import { type LeasedCheck, recordAnswers } from "./store.ts";
import type { Certificate } from "./tls.ts";

/** A leased check with its result. */
export interface FinishedCheck {
  check: LeasedCheck;
  result: CheckResult<unknown> | RdapResult;
}

/** Outcomes that bring no knowledge: the check is tried again sooner. */
const FAILURES: ReadonlySet<Outcome> = new Set(["timeout", "unreachable", "malformed", "refused"]);

/** What was known of a check before its result. */
interface KnownCheck {
  domain_id: string;
  kind: string;
  leased_until: string | null;
  outcome: string | null;
  source: string | null;
  checked_at: string | null;
  detail: string | null;
  result: string | null;
  missing_since: string | null;
}

/** A result whose lease is still ours. */
type SavedCheck = FinishedCheck & { known: KnownCheck };

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
  const ids = [...new Set(ours.map(({ check }) => check.domainId))];
  await reportExpiries(sql, ours, { ids, now });
  await addFindings(
    sql,
    ours.flatMap((saved) => changesOf(saved, now)),
  );
  await writeRows(
    sql,
    ours.map((saved) => ({ ...resultOf(saved, now), due_at: now.toISOString(), priority: 0 })),
  );
  const derived = await deriveDomains(sql, ids, now);
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
  const rows = await sql<KnownCheck[]>`
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

function isRegistration(result: unknown): result is Registration {
  return typeof result === "object" && result !== null && "expiresAt" in result;
}

/**
 * Appends what is reported of the expiry. Of a registry only where its day or the statuses that decide
 * have changed; of a registrar each time, as it counts when it said so last. An answer without a day
 * takes back nothing.
 */
async function reportExpiries(
  sql: SQL,
  saved: readonly SavedCheck[],
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  const reports = await readObservations(sql, ids);
  const observations = saved.flatMap(({ check: { domainId, kind }, result: answer, known }) => {
    const { source, result } = answer;
    if (!isRegistration(result) || result.expiresAt === null) return [];
    const last = reports.get(domainId)?.findLast((report) => report.source === source);
    const isSame = last?.date === result.expiresAt.slice(0, 10);
    const observation = {
      domainId,
      source,
      date: result.expiresAt.slice(0, 10),
      observedAt: now.toISOString(),
    };
    if (kind === "registrar") return [observation];
    if (kind === "whois") return isSame ? [] : [observation];
    const registry = {
      movedAt: isSame ? (last.registry?.movedAt ?? null) : moveOf(result, { last, known, now }),
      statuses: result.statuses.filter(isUnsettled),
    };
    const isNews = !isSame || !Bun.deepEquals(last.registry ?? null, registry);
    return isNews ? [{ ...observation, registry }] : [];
  });
  await addObservations(sql, observations);
}

/**
 * When the registry's day moved: by its own account, where that lies after the look before; else now.
 * Of a day that is seen for the first time, only its own account tells.
 */
function moveOf(
  { changedAt }: Registration,
  { last, known, now }: { last: ExpiryReport | undefined; known: KnownCheck; now: Date },
): Instant | null {
  if (last === undefined) return changedAt;
  const isSince = changedAt !== null && changedAt > (known.checked_at ?? "");
  return isSince ? changedAt : now.toISOString();
}

/** A registrar or name servers other than at the look before are findings, until they are old. */
function changesOf({ check, result: { result }, known }: SavedCheck, now: Date): FindingRow[] {
  const { domainId, kind } = check;
  if (!isRegistration(result) || kind === "registrar") return [];
  const before: unknown = JSON.parse(known.result ?? "null");
  if (!isRegistration(before)) return [];
  const row = { domain_id: domainId, since: now.toISOString() };
  const changes: FindingRow[] = [];
  if (isOther(before.registrar, result.registrar)) {
    changes.push({ ...row, code: "registrar-changed", evidence: `It was ${before.registrar}.` });
  }
  const servers = before.nameServers.join(", ");
  if (isOther(servers, result.nameServers.join(", "))) {
    changes.push({ ...row, code: "name-servers-changed", evidence: `They were ${servers}.` });
  }
  return changes;
}

/** Both are known, and not the same. */
function isOther(before: string | null, now: string | null): boolean {
  return Boolean(before && now) && before?.toLowerCase() !== now?.toLowerCase();
}

/** Milliseconds over which the first questions to registrars are spread. */
const REGISTRAR_SPREAD_MS = 60 * 86_400_000;

/**
 * Adds the registrar's check, or follows it to another registrar. It waits for its turn in 60 days,
 * unless its word matters now or somebody wants it now.
 */
async function planRegistrars(
  sql: SQL,
  saved: readonly SavedCheck[],
  derived: ReadonlyMap<string, Derived>,
  now: Date,
): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const rows = saved.flatMap(({ check, result }) => {
    if (!("related" in result) || result.related === null) return [];
    const { domainId, name } = check;
    const { expires = null, asksRegistrar = false } = derived.get(domainId) ?? {};
    const { urgency } = registrarTiming(expires, asksRegistrar, today);
    const isSoon = urgency > 1 || check.priority === CHECK_NOW_PRIORITY;
    const delay = isSoon ? 0 : fractionOf(`${domainId} registrar`) * REGISTRAR_SPREAD_MS;
    return [
      {
        domain_id: domainId,
        kind: "registrar",
        name,
        queue: result.related.host,
        link: result.related.href,
        due_at: new Date(now.getTime() + delay).toISOString(),
        priority: urgency,
        failures: 0,
      },
    ];
  });
  await insertRows(
    sql,
    "checks",
    rows,
    `on conflict (domain_id, kind) do update set link = excluded.link, queue = excluded.queue,
      due_at = case when checks.queue = excluded.queue then checks.due_at else excluded.due_at end
      where checks.link <> excluded.link`,
  );
}
