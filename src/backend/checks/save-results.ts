import type { SQL } from "bun";
import type { Registration } from "../../shared/checks.ts";
import { DAY_MS } from "../../shared/day.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { type ExpiryReport, readObservations } from "../domains/expiry/expiry.ts";
import { isUnsettled } from "../domains/expiry/expiry-rules.ts";
import { nothing } from "./check-result.ts";
import { deriveDomains, type Derived } from "./derive.ts";
import type { Judgement } from "./findings.ts";
import { type CheckRow, parseResult } from "./stored-checks.ts";
import { recordLooks } from "./reach.ts";
import { fractionOf, registrarTiming, scheduleNext } from "./schedule.ts";
import { CHECK_NOW_PRIORITY } from "../domains/write/check-now.ts";
import { sourceOf } from "./lookup-servers.ts";
import { type AskContext, type FinishedCheck, type LeasedCheck, recordAnswers } from "./queues.ts";

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
    const next = scheduleNext(each, derived.get(each.check.domain_id) ?? null, now);
    return { ...rows[index], ...next };
  });
  const sets = RESULT_COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ");
  await insertRows(sql, "checks", written, `on conflict (domain_id, kind) do update set ${sets}`);
  await planRegistrars(sql, ours, derived, now);
  const missing = ours.flatMap(({ check, result }) =>
    result.outcome === "not-found" ? check.domain_id : [],
  );
  if (missing.length > 0) {
    // "Not registered" needs the parent zone's word too, and one from now.
    await sql`update checks set due_at = ${now.toISOString()}
      where domain_id in ${sql(missing)} and kind = 'delegation'`;
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
      ...scheduleNext({ check, result }, null, context.now),
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
  const at = now.toISOString();
  const isMissing = outcome === "not-found";
  const isAnswer = result !== null || isMissing || outcome === "absent";
  // Since when its host has not known the name; a failed question says nothing.
  const missingSince = result === null ? known.missing_since : null;
  return {
    ...known,
    outcome,
    source: sourceOf(check),
    checked_at: at,
    answered_at: isAnswer ? at : known.answered_at,
    detail,
    result: result === null ? known.result : JSON.stringify(result),
    missing_since: isMissing ? (known.missing_since ?? at) : missingSince,
  };
}

function isRegistration(result: FinishedCheck["result"]["result"]): result is Registration {
  return result !== null && "expiresAt" in result;
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
    const date = result.expiresAt.slice(0, 10);
    const observation = { domainId, source, date, observedAt: now.toISOString() };
    if (kind === "registrar") return [observation];
    const last = reports.get(domainId)?.findLast((report) => report.source === source);
    const isSame = last?.date === date;
    if (kind === "whois") return isSame ? [] : [observation];
    // The day moved when the registry says, if that is after the look before, else now.
    const { changedAt, statuses } = result;
    const isOld = last !== undefined && (changedAt ?? "") <= (check.answered_at ?? "");
    const movedAt = isOld ? observation.observedAt : changedAt;
    const registry = {
      movedAt: isSame ? (last.registry?.movedAt ?? null) : movedAt,
      statuses: statuses?.filter(isUnsettled) ?? last?.registry?.statuses ?? [],
    };
    const isNews = !isSame || !Bun.deepEquals(last.registry ?? null, registry);
    return isNews ? [{ ...observation, registry }] : [];
  });
}

/** Another registrar or other name servers than at the look before are findings for a while. */
function changesOf({ check, result: { result } }: FinishedCheck): [string, Judgement][] {
  const { domain_id, kind } = check;
  if (!isRegistration(result) || (kind !== "registry" && kind !== "whois")) return [];
  const before = parseResult(kind, check.result);
  if (before === null) return [];
  const [was, is] = [before, result].map(({ nameServers }) => nameServers.join(", "));
  const changes = {
    "registrar-changed": tellChange("It was", before.registrar, result.registrar),
    "name-servers-changed": tellChange("They were", was, is),
  };
  return [[domain_id, changes]];
}

/** Undefined where nothing is different, or one of both is not known. */
function tellChange(verb: string, before: string | null | undefined, now: typeof before) {
  const isOther = before && now && before.toLowerCase() !== now.toLowerCase();
  return isOther ? `${verb} ${before}.` : undefined;
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
