import type { SQL } from "bun";
import type { Day, Instant } from "../../shared/day.ts";
import type { Expiry, Observation } from "../../shared/domain.ts";
import { insertRows } from "../database/bulk-rows.ts";

/** The source of a day that a person set. */
export const MANUAL = "manual";

/**
 * Derives the expiry to act on from what all sources reported, oldest first. A day set by hand
 * outranks every source; all others are equal, and the newest report of them is used. `conflict`
 * says that another source names another day, unless it had done so before the day was set by hand:
 * that settles it. `alternatives` are those other days. Null where no source names a day.
 */
export function effectiveExpiry(observations: readonly Observation[]): Expiry | null {
  const live = latestObservations(observations).flatMap(({ source, date, observedAt }) =>
    date === null ? [] : [{ source, date, observedAt }],
  );
  const manual = live.find(({ source }) => source === MANUAL);
  const best = manual ?? newestOf(live);
  if (best === undefined) return null;
  const alternatives = live
    .filter((other) => other.date !== best.date && (manual === undefined || isNewer(other, manual)))
    .toSorted((one, other) => Number(isNewer(other, one)) - Number(isNewer(one, other)))
    .map(({ date, source }) => ({ date, source }));
  return { ...best, conflict: alternatives.length > 0, alternatives };
}

/** The latest report of each source, from reports in order of time. */
export function latestObservations(observations: readonly Observation[]): Observation[] {
  // Most domains have one source or two, and an import asks this of each: no map for those.
  const [one, other, more] = observations;
  if (other === undefined) return [...observations];
  if (more === undefined) return one?.source === other.source ? [other] : [...observations];
  return [...new Map(observations.map((report) => [report.source, report])).values()];
}

/**
 * The report that sets a day by hand, or withdraws it with null; null where that is so already and
 * settles everything. It is later than every report before it, whatever the clock of another instance
 * had said.
 */
export function reportByHand(
  before: readonly Observation[],
  date: Day | null,
  at: Instant,
): Observation | null {
  const manual = before.findLast(({ source }) => source === MANUAL);
  const isSettled = date === null || !effectiveExpiry(before)?.conflict;
  if ((manual?.date ?? null) === date && isSettled) return null;
  const last = Date.parse(before.at(-1)?.observedAt ?? "");
  const observedAt = last >= Date.parse(at) ? new Date(last + 1).toISOString() : at;
  return { source: MANUAL, date, observedAt };
}

/** Appends what a source reports now; nothing is ever rewritten. */
export async function addObservation(
  sql: SQL,
  domainId: string,
  observation: Observation,
): Promise<void> {
  await addObservations(sql, [{ domainId, ...observation }]);
}

export async function addObservations(
  sql: SQL,
  observations: readonly (Observation & { domainId: string })[],
): Promise<void> {
  const rows = observations.map(({ domainId, source, date, observedAt }) => ({
    id: Bun.randomUUIDv7(),
    domain_id: domainId,
    kind: "expires",
    source,
    value: date,
    observed_at: observedAt,
  }));
  await insertRows(sql, "observations", rows);
}

/** Every report about the expiry of a domain, oldest first. */
export async function listObservations(sql: SQL, domainId: string): Promise<Observation[]> {
  return [
    ...(await sql<Observation[]>`
      select source, value as date, observed_at as "observedAt" from observations
      where domain_id = ${domainId} and kind = 'expires' order by observed_at, id`),
  ];
}

/** The reports about the expiry of some domains, by id, oldest first. */
export async function readObservations(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Observation[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<(Observation & { domainId: string })[]>`
    select domain_id as "domainId", source, value as date, observed_at as "observedAt"
    from observations where domain_id in ${sql(ids)} and kind = 'expires'
    order by domain_id, observed_at, id`;
  return Map.groupBy(rows, ({ domainId }) => domainId);
}

function newestOf<T extends { observedAt: Instant }>(reports: readonly T[]): T | undefined {
  return reports.toSorted(
    (one, other) => Number(isNewer(other, one)) - Number(isNewer(one, other)),
  )[0];
}

function isNewer(one: { observedAt: Instant }, other: { observedAt: Instant }): boolean {
  return one.observedAt > other.observedAt;
}
