import type { SQL } from "bun";
import type { CheckKind } from "../../shared/check-summary.ts";
import { DAY_MS, addDays, type Day } from "../../shared/day.ts";
import type { FindingCode } from "../../shared/findings.ts";
import { readColumn } from "../database/database.ts";
import type { EffectiveExpiry, ExpiryReport } from "../domains/expiry/expiry.ts";
import { readFields } from "../domains/list/read-domains.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { type FindingContext, judgeFindings, type Judgement } from "./findings.ts";
import {
  type CheckRow,
  type FindingRow,
  parseResult,
  readChecks,
  readKnown,
  reconcile,
  settleFindings,
  type Sighting,
} from "./stored-checks.ts";

export interface Derived {
  expires: Day | null;
  asksRegistrar: boolean;
  /** Kinds of checks that have to confirm what they saw for the first time. */
  unsure: ReadonlySet<CheckKind>;
}

interface News {
  /** They replace the rows that are stored. */
  rows: readonly CheckRow[];
  reports: ReadonlyMap<string, readonly ExpiryReport[]>;
  /** By domain, findings that a comparison with the look before has made. */
  changes: ReadonlyMap<string, Judgement>;
}

/** Derives the expiry and the findings of domains from all that is known, and writes what is different. */
export async function deriveDomains(
  sql: SQL,
  ids: readonly string[],
  now: Date,
  news?: News,
): Promise<Map<string, Derived>> {
  const derived = new Map<string, Derived>();
  if (ids.length === 0) return derived;
  const at = now.toISOString();
  const read = await readFields(sql, "id", ids);
  const domains = read.filter(({ archivedOn }) => archivedOn === null);
  const edits = domains.map((domain) => {
    const come = news?.reports.get(domain.id) ?? [];
    return { before: domain, after: domain, reports: { come } };
  });
  const { expiries } = await writeDomains(sql, edits, { by: null, at });
  const checks = Map.groupBy(
    [...(news?.rows ?? []), ...(await readChecks(sql, ids))],
    ({ domain_id }) => domain_id,
  );
  const known = {
    findings: await readKnown<FindingRow>(sql, "findings", ids),
    sightings: await readKnown<Sighting>(sql, "sightings", ids),
  };
  const findings: FindingRow[] = [];
  const sightings: Sighting[] = [];
  for (const { id, name } of domains) {
    const expires = expiries.get(id) ?? null;
    // Of each kind the first: what is new stands before what is stored.
    const rows = checks.get(id) ?? [];
    const judged = {
      ...judgeFindings(contextOf(name, rows, expires, now)),
      ...news?.changes.get(id),
    };
    const wanted = settleFindings(id, judged, { ...known, checks: rows, now });
    findings.push(...wanted.findings);
    sightings.push(...wanted.sightings);
    derived.set(id, {
      expires: expires?.date ?? null,
      asksRegistrar: wanted.findings.some(({ code }) => ASK_REGISTRAR.has(code)),
      unsure: wanted.unsure,
    });
  }
  await reconcile(sql, "findings", findings, known.findings);
  await reconcile(sql, "sightings", sightings, known.sightings);
  const asked = findings.filter(({ code, since }) => ASK_REGISTRAR.has(code) && since === at);
  if (asked.length > 0) {
    await sql`update checks set due_at = ${at}
      where domain_id in ${sql(asked.map((row) => row.domain_id))} and kind = 'registrar'`;
  }
  return derived;
}

function contextOf(
  name: string,
  rows: readonly CheckRow[],
  expires: EffectiveExpiry | null,
  now: Date,
): FindingContext {
  const rowOf = (kind: CheckKind) => rows.find((row) => row.kind === kind);
  const resultOf = <K extends CheckKind>(kind: K) => parseResult(kind, rowOf(kind)?.result ?? null);
  const registry = rowOf("registry") ?? rowOf("whois");
  const delegation = resultOf("delegation");
  return {
    name,
    results: {
      registry: resultOf("registry"),
      whois: resultOf("whois"),
      delegation,
      dns: resultOf("dns"),
      tls: resultOf("tls"),
    },
    source: registry?.source ?? "",
    renewal: expires?.renewal ?? null,
    conflict: expires?.conflict === true ? (expires.alternatives[0]?.date ?? null) : null,
    isGone: isGone(registry, rowOf("delegation"), delegation?.ns.outcome),
    now,
  };
}

/** Two "not found" of one host a day apart, then NXDOMAIN of the parent zone; null: not known. */
function isGone(
  registry: CheckRow | undefined,
  delegation: CheckRow | undefined,
  zone: string | undefined,
): boolean | null {
  if (registry === undefined) return null;
  const since = Date.parse(registry.missing_since ?? "");
  if (Number.isNaN(since)) return registry.answered_at === null ? null : false;
  if (zone !== "nxdomain") return zone === undefined ? null : false;
  const isDayLater = (row: CheckRow | undefined) =>
    Date.parse(row?.answered_at ?? "") >= since + DAY_MS;
  return isDayLater(registry) && isDayLater(delegation) ? true : null;
}

/** Findings that the registrar's own word can settle. */
const ASK_REGISTRAR: ReadonlySet<FindingCode> = new Set([
  "auto-renewed-unpaid",
  "auto-renewed-unsure",
  "expiry-conflict",
]);

/** Days after an expiry in which time alone changes what counts. */
const UNSETTLED_DAYS = 60;

/**
 * Domains whose day may count differently today than yesterday without a new report: one that counts is
 * over, or one at which the registry should have followed the registrar.
 */
export function listUnsettled(sql: SQL, today: Day): Promise<string[]> {
  const first = addDays(today, -UNSETTLED_DAYS);
  return readColumn(sql`
    select id from domains where expires_earliest between ${first} and ${today}
    union
    select domain_id from observations o
    where detail is not null and value between ${first} and ${today} and not exists (
      select 1 from observations n where n.domain_id = o.domain_id and n.kind = o.kind
        and n.source = o.source and n.observed_at > o.observed_at)`);
}
