import type { SQL } from "bun";
import type { CheckOutcome, Registration } from "../../shared/checks.ts";
import type { CheckKind } from "../../shared/check-summary.ts";
import { DAY_MS, type Instant } from "../../shared/day.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { type ExpiryReport, readObservations } from "../domains/expiry/expiry.ts";
import { isUnsettled } from "../domains/expiry/expiry-rules.ts";
import { nothing } from "./check-result.ts";
import { deriveDomains, type Derived } from "./derive.ts";
import type { Judgement } from "./findings.ts";
import { type CheckRow, parseResult } from "./stored-checks.ts";
import { recordLooks } from "./reach.ts";
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
  UNASKED_RETRY_MS,
} from "./schedule.ts";
import { CHECK_NOW_PRIORITY, isNetworkKind } from "../domains/write/check-now.ts";
import { sourceOf } from "./lookup-servers.ts";
import { type AskContext, type FinishedCheck, type LeasedCheck, recordAnswers } from "./store.ts";

/** Outcomes after which the check is tried again sooner. */
const FAILURES: ReadonlySet<string> = new Set(
  "timeout unreachable malformed refused servfail formerr notimp other".split(" "),
);

const MAX_FAILURES = 1_000;

/** Saves results and what follows from them. Drops those whose lease is lost. */
export async function saveResults(
  sql: SQL,
  finished: readonly FinishedCheck[],
  context: AskContext,
): Promise<void> {
  const { now } = context;
  await recordAnswers(sql, finished, context);
  await recordLooks(sql, finished, now);
  const ours = await listOurs(sql, finished);
  const ids = [...new Set(ours.map(({ check }) => check.domain_id))];
  const rows = ours.map((each) => rowOf(each, now));
  const reports = await readObservations(sql, ids);
  const news = Map.groupBy(reportExpiries(ours, reports, now), ({ domainId }) => domainId);
  const changes = new Map(ours.flatMap(changesOf));
  const derived = await deriveDomains(sql, ids, now, { rows, reports: news, changes });
  const written = ours.map((each, index) => {
    const row = rows[index];
    const ofDomain = derived.get(each.check.domain_id);
    return { ...row, ...nextOf(each, row?.result ?? null, ofDomain, now) };
  });
  const sets = RESULT_COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ");
  await insertRows(sql, "checks", written, `on conflict (domain_id, kind) do update set ${sets}`);
  await planRegistrars(sql, ours, derived, now);
  const missing = ours.filter(({ result }) => result.outcome === "not-found");
  if (missing.length > 0) {
    // "Not registered" needs the parent zone's word too, and one from now.
    const missingIds = missing.map(({ check }) => check.domain_id);
    await sql`update checks set due_at = ${now.toISOString()}
      where domain_id in ${sql(missingIds)} and kind = 'delegation'`;
  }
}

const RESULT_COLUMNS =
  `due_at priority leased_until failures outcome source checked_at answered_at detail result
  missing_since`.split(/\s+/);

/** Records results that cannot be saved as `malformed`. Reads nothing of the domain, which may be at fault. */
export async function saveUnreadable(
  sql: SQL,
  finished: readonly FinishedCheck[],
  context: AskContext,
): Promise<void> {
  const unreadable = finished.map(({ check }) => ({ check, result: nothing("malformed") }));
  await recordAnswers(sql, unreadable, context);
  for (const { check, result } of unreadable) {
    const row = {
      outcome: result.outcome,
      source: sourceOf(check),
      checked_at: context.now.toISOString(),
      detail: null,
      ...nextOf({ check, result }, null, undefined, context.now),
    };
    await sql`update checks set ${sql(row)} where domain_id = ${check.domain_id}
      and kind = ${check.kind} and leased_until = ${check.leased_until}`;
  }
}

async function listOurs(sql: SQL, finished: readonly FinishedCheck[]): Promise<FinishedCheck[]> {
  type Lease = Pick<LeasedCheck, "domain_id" | "kind" | "leased_until">;
  const keyOf = ({ domain_id, kind, leased_until }: Lease) =>
    `${domain_id} ${kind} ${leased_until}`;
  const leases = await sql<Lease[]>`select domain_id, kind, leased_until from checks
    where domain_id in ${sql(finished.map(({ check }) => check.domain_id))}`;
  const ours = new Set(leases.map(keyOf));
  return finished.filter(({ check }) => ours.has(keyOf(check)));
}

/** The new row of a check; what was known stays if the result brought nothing. */
function rowOf({ check, result: answer }: FinishedCheck, now: Date): CheckRow & SqlRow {
  const { askedAt: _, ...known } = check;
  const { outcome, detail, result } = answer;
  const isAnswer = result !== null || outcome === "not-found" || outcome === "absent";
  return {
    ...known,
    outcome,
    source: sourceOf(check),
    checked_at: now.toISOString(),
    answered_at: isAnswer ? now.toISOString() : known.answered_at,
    detail,
    result: result === null ? known.result : JSON.stringify(result),
    missing_since: missingSince(answer, known, now),
  };
}

/** Since when its host has not known the name; a failed question says nothing. */
function missingSince(
  { outcome, result }: FinishedCheck["result"],
  { missing_since }: CheckRow,
  now: Date,
): Instant | null {
  if (outcome === "not-found") return missing_since ?? now.toISOString();
  return result === null ? missing_since : null;
}

/** When the check is due again, and the end of its lease. `stored` is its latest result. */
function nextOf(
  { check, result: { outcome, result } }: FinishedCheck,
  stored: string | null,
  derived: Derived | undefined,
  now: Date,
) {
  const { domain_id, kind } = check;
  const { intervalMs, urgency } = timingOf(kind, { outcome, stored }, derived, now);
  const unasked = kind === "delegation" ? parseResult(kind, stored)?.unaskedHosts : undefined;
  const isUnasked = !FAILURES.has(outcome) && unasked !== undefined && unasked.length > 0;
  // The pace of a host that limits us decides when; for the check that is one failure a day.
  const isLimited = outcome === "limited" && result === null;
  const isAgain = isLimited && check.checked_at?.slice(0, 10) === now.toISOString().slice(0, 10);
  const hasFailed = FAILURES.has(outcome) || isUnasked || isLimited;
  const failures = hasFailed ? Math.min(check.failures, MAX_FAILURES) + (isAgain ? 0 : 1) : 0;
  const retryMs = retryAfterFailure(failures, intervalMs, isUnasked ? UNASKED_RETRY_MS : undefined);
  const wait = hasFailed ? retryMs : intervalMs;
  const due = isLimited ? now : nextCheckAt(now, wait, `${domain_id} ${kind}`);
  return { due_at: due.toISOString(), priority: urgency, leased_until: null, failures };
}

function timingOf(
  kind: CheckKind,
  { outcome, stored }: { outcome: CheckOutcome; stored: string | null },
  derived: Derived | undefined,
  now: Date,
): Timing {
  const today = now.toISOString().slice(0, 10);
  if (derived?.unsure.has(kind) === true) return SECOND_LOOK;
  if (isNetworkKind(kind)) {
    const certificates = kind === "tls" ? (parseResult(kind, stored) ?? []) : [];
    const [first] = certificates.map(({ validTo }) => validTo).toSorted();
    return networkTiming(kind, { certificateEnds: first?.slice(0, 10) ?? null, today });
  }
  const expires = derived?.expires ?? null;
  if (kind === "registrar") {
    return registrarTiming(expires, derived?.asksRegistrar ?? false, today);
  }
  if (outcome === "not-found") return NOT_FOUND;
  return registryTiming(expires, parseResult(kind, stored)?.statuses ?? [], today);
}

/** Only the results of registries, registrars and WHOIS have this member. */
function isRegistration(result: unknown): result is Registration {
  return typeof result === "object" && result !== null && "expiresAt" in result;
}

/** A registry reports a new day or deciding status, a registrar each time, as its last word counts. */
function reportExpiries(
  saved: readonly FinishedCheck[],
  reports: ReadonlyMap<string, readonly ExpiryReport[]>,
  now: Date,
): (ExpiryReport & { domainId: string })[] {
  return saved.flatMap(({ check, result: { result } }) => {
    const { domain_id: domainId, kind } = check;
    if (!isRegistration(result) || result.expiresAt === null) return [];
    const source = sourceOf(check);
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
      movedAt: isSame
        ? (last.registry?.movedAt ?? null)
        : moveOf(result, { last, known: check, now }),
      statuses: result.statuses?.filter(isUnsettled) ?? last?.registry?.statuses ?? [],
    };
    const isNews = !isSame || !Bun.deepEquals(last.registry ?? null, registry);
    return isNews ? [{ ...observation, registry }] : [];
  });
}

/** When the registry's day moved: when it says, if that is after the look before, else now. */
function moveOf(
  { changedAt }: Registration,
  { last, known, now }: { last: ExpiryReport | undefined; known: CheckRow; now: Date },
): Instant | null {
  if (last === undefined) return changedAt;
  const isSince = changedAt !== null && changedAt > (known.answered_at ?? "");
  return isSince ? changedAt : now.toISOString();
}

/** Another registrar or other name servers than at the look before are findings for a while. */
function changesOf({ check, result: { result } }: FinishedCheck): [string, Judgement][] {
  const { domain_id, kind } = check;
  if (!isRegistration(result) || (kind !== "registry" && kind !== "whois")) return [];
  const before = parseResult(kind, check.result);
  if (before === null) return [];
  const changes: Judgement = {};
  if (isOther(before.registrar, result.registrar)) {
    changes["registrar-changed"] = `It was ${before.registrar}.`;
  }
  const servers = before.nameServers.join(", ");
  if (isOther(servers, result.nameServers.join(", "))) {
    changes["name-servers-changed"] = `They were ${servers}.`;
  }
  return [[domain_id, changes]];
}

function isOther(before: string | null, now: string | null): boolean {
  return Boolean(before && now) && before?.toLowerCase() !== now?.toLowerCase();
}

/** The first questions to registrars are spread over it. */
const REGISTRAR_SPREAD_MS = 60 * DAY_MS;

/** Adds or moves the registrar's check: within 60 days unless its word matters or is wanted. */
async function planRegistrars(
  sql: SQL,
  saved: readonly FinishedCheck[],
  derived: ReadonlyMap<string, Derived>,
  now: Date,
): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const rows = saved.flatMap(({ check, result }) => {
    if (result.related === null) return [];
    const { domain_id, name } = check;
    const { expires = null, asksRegistrar = false } = derived.get(domain_id) ?? {};
    const { urgency } = registrarTiming(expires, asksRegistrar, today);
    const isSoon = urgency > 1 || check.priority === CHECK_NOW_PRIORITY;
    const delay = isSoon ? 0 : fractionOf(`${domain_id} registrar`) * REGISTRAR_SPREAD_MS;
    return {
      domain_id,
      kind: "registrar",
      name,
      queue: result.related.host,
      link: result.related.href,
      due_at: new Date(now.getTime() + delay).toISOString(),
      priority: urgency,
      failures: 0,
    };
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
