import type { SQL } from "bun";
import type { CheckKind } from "../../shared/checks.ts";
import { addDays, type Day, type Instant } from "../../shared/day.ts";
import type { Change, Domain } from "../../shared/domain.ts";
import type { FindingCode } from "../../shared/findings.ts";
import { updateRows } from "../database/bulk-rows.ts";
import { toColumns } from "../domains/columns.ts";
import { effectiveExpiry, readObservations, type EffectiveExpiry } from "../domains/expiry.ts";
import { addChanges, changedFields } from "../domains/history.ts";
import { readDomains } from "../domains/read-domains.ts";
import { deriveFindings, type LatestChecks } from "./findings.ts";
import { type CheckRow, readChecks } from "./read-checks.ts";
import { confirm, readSightings } from "./sightings.ts";
import { checkKind } from "./sources.ts";
import { addFindings, changeFindings, type FindingRow, readFindings } from "./stored-findings.ts";

const DAY_MS = 86_400_000;

/** What follows from a domain's state for when it is checked next. */
export interface Derived {
  expires: Day | null;
  /** The registrar's own word can settle what is found. */
  asksRegistrar: boolean;
  /** Kinds of checks that saw something for the first time: a second look has to confirm it. */
  unsure: ReadonlySet<CheckKind>;
}

/**
 * Derives the effective expiry and the findings of domains from all that is known of them, and writes
 * what is different: the expiry with an entry in the history, by its source. Inside a write.
 */
export async function deriveDomains(
  sql: SQL,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Derived>> {
  const derived = new Map<string, Derived>();
  if (ids.length === 0) return derived;
  const at = now.toISOString();
  const reports = await readObservations(sql, ids);
  const checks = await readChecks(sql, ids);
  const known = await readFindings(sql, ids);
  const sightings = await readSightings(sql, ids);
  const edits: Edit[] = [];
  const news: FindingRow[] = [];
  for (const domain of await readDomains(sql, ids)) {
    const { id } = domain;
    const expires = effectiveExpiry(reports.get(id) ?? [], at.slice(0, 10));
    const fields = changedFields(domain, { ...domain, expires });
    if (fields.length > 0) edits.push({ domain, expires, fields });
    const rows = checks.get(id) ?? [];
    const before = known.get(id) ?? [];
    const found = deriveFindings(contextOf(rows, { expires, known: before, now }));
    const seen = await confirm(sql, { id, found, rows, known: before, seen: sightings.get(id) });
    news.push(...(await changeFindings(sql, id, { found: seen.findings, known: before, now })));
    derived.set(id, {
      expires: expires?.date ?? null,
      asksRegistrar: found.some(({ code }) => ASK_REGISTRAR.has(code)),
      unsure: seen.unsure,
    });
  }
  await writeExpiries(sql, edits, at);
  await addFindings(sql, news);
  const asked = news.filter(({ code }) => ASK_REGISTRAR.has(code)).map((row) => row.domain_id);
  if (asked.length > 0) {
    await sql`update checks set due_at = ${at}
      where domain_id in ${sql(asked)} and kind = 'registrar'`;
  }
  return derived;
}

interface Edit {
  domain: Domain;
  expires: EffectiveExpiry | null;
  fields: Change["fields"];
}

async function writeExpiries(sql: SQL, edits: readonly Edit[], at: Instant): Promise<void> {
  const rows = edits.map(({ domain: { id, version }, expires }) => {
    return { id, version: version + 1, updated_at: at, ...toColumns({ expires }) };
  });
  await updateRows(sql, "domains", rows);
  const bySource = Map.groupBy(edits, ({ expires }) => expires?.source ?? "checks");
  for (const [email, ofSource] of bySource) {
    const changes = ofSource.map(({ domain, fields }) => {
      return { domainId: domain.id, action: "edited" as const, fields };
    });
    await addChanges(sql, changes, { email, at });
  }
}

function contextOf(
  rows: readonly CheckRow[],
  {
    expires,
    known,
    now,
  }: { expires: EffectiveExpiry | null; known: readonly FindingRow[]; now: Date },
) {
  const entries = rows.map(({ kind, outcome, source, detail, result }) => [
    checkKind(kind),
    {
      outcome,
      source,
      detail,
      retryAfterMs: null,
      result: result === null ? null : JSON.parse(result),
    },
  ]);
  // Written by `saveResults`, with the shape of their kind.
  const checks = Object.fromEntries(entries) as LatestChecks;
  return {
    checks,
    renewal: expires?.renewal ?? null,
    conflict: expires?.conflict === true ? (expires.alternatives[0]?.date ?? null) : null,
    isGone: isGone(rows, checks, known),
    now,
  };
}

/**
 * "Not found" twice from the same host, a day or more apart, and the parent zone, asked after the
 * second time, does not know the name either. A failed question after that changes nothing.
 */
function isGone(
  rows: readonly CheckRow[],
  { delegation }: LatestChecks,
  known: readonly FindingRow[],
): boolean {
  const registry = rows.find(({ kind }) => kind === "registry" || kind === "whois");
  const asked = rows.find(({ kind }) => kind === "delegation");
  const since = Date.parse(registry?.missing_since ?? "");
  const isDayLater = (row: CheckRow | undefined) => {
    return Date.parse(row?.checked_at ?? "") >= since + DAY_MS;
  };
  const wasGone = known.some(({ code }) => code === "not-registered");
  return (
    (registry?.outcome === "not-found" || wasGone) &&
    isDayLater(registry) &&
    isDayLater(asked) &&
    delegation?.result?.ns.outcome === "nxdomain"
  );
}

/** Findings that the registrar's own word can settle. */
const ASK_REGISTRAR: ReadonlySet<FindingCode> = new Set([
  "auto-renewed-unpaid",
  "auto-renewed-unsure",
  "expiry-conflict",
]);

/** Days after an expiry in which time alone changes what counts. */
const UNSETTLED_DAYS = 60;

/** Domains whose day may count differently today than yesterday, though nobody said anything. */
export async function listUnsettled(sql: SQL, today: Day): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains
    where expires_on between ${addDays(today, -UNSETTLED_DAYS)} and ${today}`;
  return rows.map(({ id }) => id);
}
