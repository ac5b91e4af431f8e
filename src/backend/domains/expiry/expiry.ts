import type { SQL } from "bun";
import { isDay, type Day, type Instant } from "../../../shared/day.ts";
import type { Expiry } from "../../../shared/domain.ts";
import type { Observation } from "../../../shared/domain-detail.ts";
import * as p from "../../../shared/parse.ts";
import { MANUAL, parseSource } from "../../../shared/source.ts";
import { insertRows } from "../../database/bulk-rows.ts";
import { parseStored } from "../../database/database.ts";
import { agree, byRank, decideExpiry, type UnpaidRenewal } from "./expiry-rules.ts";

/** A report, and of a registry's what else decides whether its day is believed. */
export interface ExpiryReport extends Observation {
  registry?: { movedAt: Instant | null; statuses: readonly string[] } | null;
}

/** A report with the id of its row: that of the change that it came with, where it came alone. */
export type StoredReport = ExpiryReport & { id: string };

/** The effective expiry, whether its renewal was made by the registry only, and the rule that decided. */
export type EffectiveExpiry = Expiry & { renewal: UnpaidRenewal | null; rule: number };

/**
 * Derives the expiry from all reports, oldest first, by `decideExpiry`. `alternatives` are the
 * other days of a conflict, newest first. Null: no source names a day.
 */
export function effectiveExpiry(
  observations: readonly ExpiryReport[],
  today?: Day,
): EffectiveExpiry | null {
  const live = latestObservations(observations)
    .flatMap(({ source, date, observedAt, registry }) => {
      const { kind } = parseSource(source);
      return date === null ? [] : [{ source, date, observedAt, registry, kind }];
    })
    .toSorted((one, other) => Number(isNewer(other, one)) - Number(isNewer(one, other)));
  const newestOf = (wanted: string) => live.find(({ kind }) => kind === wanted);
  const [manual, registry, whois] = ["manual", "registry", "whois"].map(newestOf);
  const reports = live.filter(({ kind }) => REGISTRAR_KINDS.has(kind));
  const registrar = byRank(reports, registry?.observedAt ?? "");
  const reported = registry && { ...registry, ...(registry.registry ?? UNDETAILED) };
  const decided = decideExpiry({ manual, registry: reported, registrar, whois }, today);
  if (decided === null) return null;
  const { conflict, finding: renewal, rule, ...day } = decided;
  const alternatives = (conflict === null ? [] : live)
    .filter((other) => !agree(other, decided) && (!manual || isNewer(other, manual)))
    .map(({ date, source, observedAt }) => ({ date, source, observedAt }));
  return { ...day, conflict: alternatives.length > 0, alternatives, renewal, rule };
}

/** The registrar's word: its own answers, its account of ours, its exports. */
const REGISTRAR_KINDS: ReadonlySet<string> = new Set(["registrar", "account", "named"]);

const UNDETAILED = { movedAt: null, statuses: [] };

export function latestObservations<T extends Observation>(observations: readonly T[]): T[] {
  // Most domains have one source or two, and an import asks this of each: no map for those.
  const [one, other, more] = observations;
  if (other === undefined) return [...observations];
  if (more === undefined) return one?.source === other.source ? [other] : [...observations];
  return [...new Map(observations.map((report) => [report.source, report])).values()];
}

/** Sets or withdraws a day by hand; null if it is so already and settles everything. */
export function reportByHand(
  before: readonly ExpiryReport[],
  date: Day | null,
): Pick<ExpiryReport, "source" | "date"> | null {
  const manual = before.findLast(({ source }) => source === MANUAL);
  const isSettled = date === null || !effectiveExpiry(before)?.conflict;
  return (manual?.date ?? null) === date && isSettled ? null : { source: MANUAL, date };
}

/** Appends what sources report; nothing is ever rewritten. */
export async function addObservations(
  sql: SQL,
  observations: readonly (StoredReport & { domainId: string })[],
): Promise<void> {
  const rows = observations.map(({ id, domainId, source, date, observedAt, registry }) => ({
    id,
    domain_id: domainId,
    kind: "expires",
    source,
    value: date,
    observed_at: observedAt,
    detail: registry ? JSON.stringify(registry) : null,
  }));
  await insertRows(sql, "observations", rows);
}

export async function readObservations(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, StoredReport[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<ObservationRow[]>`
    select * from observations where domain_id in ${sql(ids)} and kind = 'expires'
    order by domain_id, observed_at, id`;
  const byDomain = Map.groupBy(rows, ({ domain_id }) => domain_id);
  return new Map([...byDomain].map(([id, reports]) => [id, reports.map(toReport)]));
}

/** Reports in the order in which they are read. */
export function sortReports(reports: readonly StoredReport[]): StoredReport[] {
  const place = ({ observedAt, id }: StoredReport) => `${observedAt} ${id}`;
  return reports.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

export interface ObservationRow {
  id: string;
  domain_id: string;
  source: string;
  value: string | null;
  observed_at: Instant;
  detail: string | null;
}

export function toReport({ id, source, value, observed_at, detail }: ObservationRow): StoredReport {
  const date = isDay(value ?? "") ? value : null;
  const registry = parseStored(detail, parseRegistry);
  return { id, source, date, observedAt: observed_at, registry };
}

const parseRegistry = p.object({ movedAt: p.nullable(p.text), statuses: p.list(p.text) });

function isNewer(one: { observedAt: Instant }, other: { observedAt: Instant }): boolean {
  return one.observedAt > other.observedAt;
}
