import type { SQL } from "bun";
import type { Registration } from "../../shared/checks.ts";
import type { Instant } from "../../shared/day.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { CHECK_NOW_PRIORITY } from "../domains/write/check-now.ts";
import type { ExpiryReport } from "../domains/expiry/expiry.ts";
import { isUnsettled } from "../domains/expiry/expiry-rules.ts";
import type { CheckResult } from "./check-result.ts";
import type { RdapResult } from "./ask-registry.ts";
import { type CheckRow, parseResult } from "./stored-checks.ts";
import { fractionOf, registrarTiming } from "./schedule.ts";
import type { LeasedCheck } from "./store.ts";
import type { Derived, FoundFinding } from "./derive.ts";

export interface FinishedCheck {
  check: LeasedCheck;
  result: CheckResult<unknown> | RdapResult;
}

/** Only the results of registries, registrars and WHOIS have this member. */
function isRegistration(result: unknown): result is Registration {
  return typeof result === "object" && result !== null && "expiresAt" in result;
}

/** A registry reports a new day or deciding status, a registrar each time, as its last word counts. */
export function reportExpiries(
  saved: readonly FinishedCheck[],
  reports: ReadonlyMap<string, readonly ExpiryReport[]>,
  now: Date,
): (ExpiryReport & { domainId: string })[] {
  return saved.flatMap(({ check, result: { source, result } }) => {
    const { domain_id: domainId, kind } = check;
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
      movedAt: isSame
        ? (last.registry?.movedAt ?? null)
        : moveOf(result, { last, known: check, now }),
      statuses: result.statuses.filter(isUnsettled),
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
export function changesOf({ check, result: { result } }: FinishedCheck): FoundFinding[] {
  const { domain_id: domainId, kind } = check;
  if (!isRegistration(result) || (kind !== "registry" && kind !== "whois")) return [];
  const before = parseResult(kind, check.result);
  if (before === null) return [];
  const changes: FoundFinding[] = [];
  if (isOther(before.registrar, result.registrar)) {
    changes.push({ domainId, code: "registrar-changed", evidence: `It was ${before.registrar}.` });
  }
  const servers = before.nameServers.join(", ");
  if (isOther(servers, result.nameServers.join(", "))) {
    changes.push({ domainId, code: "name-servers-changed", evidence: `They were ${servers}.` });
  }
  return changes;
}

/** Both are known, and not the same. */
function isOther(before: string | null, now: string | null): boolean {
  return Boolean(before && now) && before?.toLowerCase() !== now?.toLowerCase();
}

/** The first questions to registrars are spread over it. */
const REGISTRAR_SPREAD_MS = 60 * 86_400_000;

/** Adds or moves the registrar's check: within 60 days unless its word matters or is wanted. */
export async function planRegistrars(
  sql: SQL,
  saved: readonly FinishedCheck[],
  derived: ReadonlyMap<string, Derived>,
  now: Date,
): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const rows = saved.flatMap(({ check, result }) => {
    if (!("related" in result) || result.related === null) return [];
    const { domain_id, name } = check;
    const { expires = null, asksRegistrar = false } = derived.get(domain_id) ?? {};
    const { urgency } = registrarTiming(expires, asksRegistrar, today);
    const isSoon = urgency > 1 || check.priority === CHECK_NOW_PRIORITY;
    const delay = isSoon ? 0 : fractionOf(`${domain_id} registrar`) * REGISTRAR_SPREAD_MS;
    return [
      {
        domain_id,
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
