import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import type { Expiry, Observation } from "../../shared/domain.ts";

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

/** Appends what a source reports now; nothing is ever rewritten. */
export async function addObservation(
  sql: SQL,
  domainId: string,
  { source, date, observedAt }: Observation,
): Promise<void> {
  const row = {
    id: Bun.randomUUIDv7(),
    domain_id: domainId,
    kind: "expires",
    source,
    value: date,
    observed_at: observedAt,
  };
  await sql`insert into observations ${sql(row)}`;
}

/** Every report about the expiry of a domain, oldest first. */
export async function listObservations(sql: SQL, domainId: string): Promise<Observation[]> {
  return [
    ...(await sql<Observation[]>`
      select source, value as date, observed_at as "observedAt" from observations
      where domain_id = ${domainId} and kind = 'expires' order by observed_at, id`),
  ];
}

function newestOf<T extends { observedAt: Instant }>(reports: readonly T[]): T | undefined {
  return reports.toSorted(
    (one, other) => Number(isNewer(other, one)) - Number(isNewer(one, other)),
  )[0];
}

function isNewer(one: { observedAt: Instant }, other: { observedAt: Instant }): boolean {
  return one.observedAt > other.observedAt;
}
