import type { SQL } from "bun";
import type { Day, Expiry, Instant } from "../../shared/contract.ts";

/** One statement of one source about when a name expires; a null date withdraws what it said. */
export interface ExpiryObservation {
  source: string;
  date: Day | null;
  observedAt: Instant;
}

/** What a person typed. */
export const MANUAL = "manual";

/**
 * The expiry to act on, from the newest observation of each source (oldest first in `observations`).
 * The best source is a person who pinned a day; all others are as good as each other, and of those
 * the newest word counts. `conflict` says that a live source names another day, unless it had said
 * so before the day was pinned: that settles it. Null is "unknown": nobody says a day.
 */
export function effectiveExpiry(observations: readonly ExpiryObservation[]): Expiry | null {
  const live: { source: string; date: Day; observedAt: Instant }[] = [];
  for (const { source, date, observedAt } of newestWords(observations)) {
    if (date !== null) live.push({ source, date, observedAt });
  }
  const pin = live.find(({ source }) => source === MANUAL);
  const best = pin ?? newestOf(live);
  if (best === undefined) return null;
  const conflict = live.some(
    (other) => other.date !== best.date && (pin === undefined || isNewer(other, pin)),
  );
  return { ...best, conflict };
}

/** What each source said last. */
export function newestWords(observations: readonly ExpiryObservation[]): ExpiryObservation[] {
  const [one, other, more] = observations;
  if (other === undefined) return [...observations];
  if (more === undefined) return one?.source === other.source ? [other] : [...observations];
  return [...new Map(observations.map((said) => [said.source, said])).values()];
}

/** Appends what a source says now; nothing is ever rewritten. */
export async function addObservation(
  sql: SQL,
  domainId: string,
  { source, date, observedAt }: ExpiryObservation,
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

/** Everything that was ever said about the expiry of a domain, oldest first. */
export async function listObservations(sql: SQL, domainId: string): Promise<ExpiryObservation[]> {
  return [
    ...(await sql<ExpiryObservation[]>`
      select source, value as date, observed_at as "observedAt" from observations
      where domain_id = ${domainId} and kind = 'expires' order by observed_at, id`),
  ];
}

function newestOf<T extends { observedAt: Instant }>(said: readonly T[]): T | undefined {
  return said.toSorted(
    (one, other) => Number(isNewer(other, one)) - Number(isNewer(one, other)),
  )[0];
}

function isNewer(one: { observedAt: Instant }, other: { observedAt: Instant }): boolean {
  return one.observedAt > other.observedAt;
}
