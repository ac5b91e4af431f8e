import { addDays, type Day, type Instant, utcToday } from "../../../shared/day.ts";
import { GRACE_DAYS } from "../../../shared/work.ts";
import { addYears } from "../../../shared/renewal.ts";

/**
 * Decides which reported day to act on. A gTLD registry adds a year when a domain expires, before
 * anyone has paid, and for some 45 days the registrar can still give it back. So neither the
 * registry's day alone is believed, nor an export from before the renewal.
 */

/** Reports at most this far apart agree: RDAP gives UTC instants, exports give local days. */
const TOLERANCE_DAYS = 2;

interface SourceDay {
  date: Day;
  source: string;
  observedAt: Instant;
}

interface RegistryReport extends SourceDay {
  /** When it moved to this day: by its own account, else when that was first seen; null: unknown. */
  movedAt: Instant | null;
  /** Its statuses in words, folded: `auto renew period`. */
  statuses: readonly string[];
}

/**
 * Sorts a registrar's reports by credibility: an account, which says the same each day and is
 * written down once, counts as new as the registrar's RDAP. It is written down again once the registry
 * has reported: an account whose word is older than that says no more, as it or the domain is gone.
 */
export function byRank<T extends { kind: string; observedAt: Instant }>(
  reports: readonly T[],
  registryAt: Instant,
): T[] {
  const rdap = reports.find(({ kind }) => kind === "registrar")?.observedAt ?? "";
  const isRaised = ({ kind, observedAt }: T) =>
    kind === "account" && registryAt <= observedAt && observedAt <= rdap;
  const rank = (report: T) => (isRaised(report) ? `${rdap} ` : report.observedAt);
  return reports.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    return Number(b > a) - Number(a > b);
  });
}

/** Everything known of an expiry: what each kind of source reported, if it did. */
interface ExpiryEvidence {
  manual?: SourceDay | undefined;
  registry?: RegistryReport | undefined;
  /** The registrar itself or its exports, newest first. */
  registrar?: readonly SourceDay[];
  whois?: SourceDay | undefined;
}

/** A renewal that only the registry has made: `unpaid` is certain, `unsure` is probable. */
export type UnpaidRenewal = "auto-renewed-unpaid" | "auto-renewed-unsure";

interface DecidedExpiry extends SourceDay {
  /** The other day, where sources disagree and it is not clear which is right. */
  conflict: Day | null;
  /** The row of the table in the README of `checks/` that decided; for tests and for the screen. */
  rule: number;
  finding: UnpaidRenewal | null;
}

const UNSETTLED = /^(?:auto renew period|redemption period|pending delete|(?:client|server) hold)$/;

/**
 * The first rule that fits decides, by its number in the README of `checks/`. Null: no day is
 * known.
 *
 * @param today The UTC day, now by default; boundaries are inclusive.
 */
export function decideExpiry(evidence: ExpiryEvidence, today?: Day): DecidedExpiry | null {
  const { manual, registry, registrar = [], whois } = evidence;
  const [reported] = registrar;
  if (manual) {
    const later = [registry, reported, whois].find(
      (other) => other && other.observedAt > manual.observedAt && !agree(other, manual),
    );
    return result(1, manual, { conflict: later?.date });
  }
  if (registry) return reported ? compare(registry, reported, today) : registryAlone(registry);
  const best = reported ?? whois;
  if (!best) return null;
  const other = [...registrar, whois].find((report) => report && !agree(report, best));
  return result(9, best, { conflict: other?.date });
}

/** Without the registrar's word, a year that the registry added by itself does not count. */
function registryAlone(registry: RegistryReport): DecidedExpiry {
  if (!isAutoRenewed(registry)) return result(3, registry);
  return result(
    2,
    { ...registry, date: addYears(registry.date, -1) },
    { finding: "auto-renewed-unpaid" },
  );
}

function compare(registry: RegistryReport, reported: SourceDay, today = utcToday()) {
  const autoRenewed = isAutoRenewed(registry);
  const day = reported.date;
  // In the auto-renew period the day moved when the domain expired, if nothing better is known.
  const movedAt = registry.movedAt ?? (autoRenewed ? addYears(registry.date, -1) : null);
  const movedOn = movedAt?.slice(0, 10) ?? "";
  const isOlder = movedAt !== null && reported.observedAt <= movedAt;
  const isLater = movedAt !== null && reported.observedAt > movedAt;
  const inGrace = today <= addDays(day, GRACE_DAYS);

  if (autoRenewed && !isLater) return registryAlone(registry);
  if (agree(reported, registry)) return result(3, registry);

  const yearAhead = isNear(day, addYears(registry.date, -1));
  const notRenewed = yearAhead && isLater;
  if (notRenewed && (autoRenewed || inGrace)) {
    return result(4, reported, { finding: "auto-renewed-unpaid" });
  }
  if (isOlder && movedOn <= addDays(day, -2)) return result(5, registry);
  const movedAtExpiry = isOlder && day <= movedOn && movedOn <= addDays(day, 3);
  if (movedAtExpiry && inGrace) return result(6, reported, { finding: "auto-renewed-unsure" });
  if ((notRenewed || movedAtExpiry) && !inGrace && !registry.statuses.some(isUnsettled)) {
    return result(7, registry);
  }
  if (registry.date > today && isYearsBefore(registry.date, day)) return result(8, reported);
  const changedAt = movedAt ?? registry.observedAt;
  return reported.observedAt > changedAt
    ? result(10, reported, { conflict: registry.date })
    : result(10, registry, { conflict: day });
}

function result(
  rule: number,
  { date, source, observedAt }: SourceDay,
  { conflict, finding = null }: { conflict?: Day | undefined; finding?: UnpaidRenewal | null } = {},
): DecidedExpiry {
  return { date, source, observedAt, conflict: conflict ?? null, rule, finding };
}

function isAutoRenewed({ statuses }: RegistryReport): boolean {
  return statuses.includes("auto renew period");
}

/** Whether a status says that a domain is not paid for, or on its way out. */
export function isUnsettled(status: string): boolean {
  return UNSETTLED.test(status);
}

/** Whether two reports name one day: at most two days apart, both included. */
export function agree(one: { date: Day }, other: { date: Day }): boolean {
  return isNear(one.date, other.date);
}

function isNear(one: Day, other: Day): boolean {
  if (one === other) return true;
  return addDays(other, -TOLERANCE_DAYS) <= one && one <= addDays(other, TOLERANCE_DAYS);
}

/** Whether `later` is one or more whole years after `day`. */
function isYearsBefore(day: Day, later: Day): boolean {
  const years = Number(later.slice(0, 4)) - Number(day.slice(0, 4));
  return [years - 1, years, years + 1].some((n) => n >= 1 && isNear(later, addYears(day, n)));
}
