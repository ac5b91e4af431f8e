import type { SQL } from "bun";
import type { CheckKind } from "../../shared/checks.ts";
import { addDays, type Day, type Instant } from "../../shared/day.ts";
import type { Change, Domain, DomainDetail } from "../../shared/domain.ts";
import { type FindingCode, FINDINGS, SEVERITIES } from "../../shared/findings.ts";
import type { CheckNews } from "../../shared/register.ts";
import { insertRows, type SqlRow, updateRows } from "../database/bulk-rows.ts";
import { toColumns } from "../domains/columns.ts";
import { effectiveExpiry, readObservations, type EffectiveExpiry } from "../domains/expiry.ts";
import { addChanges, changedFields } from "../domains/history.ts";
import { readDomains } from "../domains/read-domains.ts";
import { ADVICE } from "./advice.ts";
import { deriveFindings, type FoundFinding, type LatestChecks } from "./findings.ts";
import { checkKind } from "./sources.ts";

const DAY_MS = 86_400_000;

/** Days for which a change of registrar or name servers stays a finding. */
const CHANGE_DAYS = 14;

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
  const sightings = Map.groupBy(
    await sql<Sighting[]>`
      select domain_id, code, since from sightings where domain_id in ${sql([...ids])}`,
    ({ domain_id }) => domain_id,
  );
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

/** A row of `checks`, with its result parsed. */
interface CheckRow {
  domain_id: string;
  kind: string;
  outcome: string | null;
  source: string | null;
  checked_at: string | null;
  detail: string | null;
  result: string | null;
  missing_since: string | null;
}

async function readChecks(sql: SQL, ids: readonly string[]): Promise<Map<string, CheckRow[]>> {
  const rows = await sql<CheckRow[]>`
    select domain_id, kind, outcome, source, checked_at, detail, result, missing_since from checks
    where domain_id in ${sql([...ids])} and outcome is not null`;
  return Map.groupBy([...rows], ({ domain_id }) => domain_id);
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

/** Something that was seen once; `since` is the instant of that check. */
interface Sighting {
  domain_id: string;
  code: string;
  since: Instant;
}

/** Findings that a network may show for a moment, by the check that has to show them twice. */
const CONFIRMED_BY: Partial<Readonly<Record<FindingCode, CheckKind>>> = {
  "no-server-answers": "delegation",
  "lame-server": "delegation",
  "dnssec-broken": "dns",
  "dangling-record": "dns",
  "mail-open": "dns",
  "private-address": "dns",
};

/** Time between two looks that see the same. */
const CONFIRM_MS = 30 * 60_000;

/** Holds back what has been seen once only; it counts from the second look, half an hour later, on. */
async function confirm(
  sql: SQL,
  {
    id,
    found,
    rows,
    known,
    seen = [],
  }: {
    id: string;
    found: readonly FoundFinding[];
    rows: readonly CheckRow[];
    known: readonly FindingRow[];
    seen: readonly Sighting[] | undefined;
  },
): Promise<{ findings: FoundFinding[]; unsure: Set<CheckKind> }> {
  const unsure = new Set<CheckKind>();
  const first: SqlRow[] = [];
  const findings = found.filter(({ code }) => {
    const kind = CONFIRMED_BY[code];
    if (kind === undefined || known.some((row) => row.code === code)) return true;
    const lookedAt = rows.find((row) => row.kind === kind)?.checked_at ?? "";
    const since = seen.find((sighting) => sighting.code === code)?.since ?? null;
    if (since !== null && Date.parse(lookedAt) - Date.parse(since) >= CONFIRM_MS) return true;
    if (since === null) first.push({ domain_id: id, code, since: lookedAt });
    unsure.add(kind);
    return false;
  });
  await insertRows(sql, "sightings", first);
  const over = seen.filter(
    ({ code }) =>
      !found.some((each) => each.code === code) || known.some((row) => row.code === code),
  );
  for (const { code } of over) {
    await sql`delete from sightings where domain_id = ${id} and code = ${code}`;
  }
  return { findings, unsure };
}

export interface FindingRow {
  domain_id: string;
  code: FindingCode;
  since: Instant;
  evidence: string;
}

async function readFindings(sql: SQL, ids: readonly string[]): Promise<Map<string, FindingRow[]>> {
  const rows = await sql<(Omit<FindingRow, "code"> & { code: string })[]>`
    select domain_id, code, since, evidence from findings where domain_id in ${sql([...ids])}`;
  // A newer version may have known more.
  const known = rows.flatMap((row) =>
    isFindingCode(row.code) ? [{ ...row, code: row.code }] : [],
  );
  return Map.groupBy(known, ({ domain_id }) => domain_id);
}

/** Ends findings that are over, and returns what is new; a change that was seen stays for a while. */
async function changeFindings(
  sql: SQL,
  domainId: string,
  {
    found,
    known,
    now,
  }: { found: readonly FoundFinding[]; known: readonly FindingRow[]; now: Date },
): Promise<FindingRow[]> {
  const changeLimit = new Date(now.getTime() - CHANGE_DAYS * DAY_MS).toISOString();
  const ended = known.filter(
    ({ code, since }) =>
      found.every((each) => each.code !== code) &&
      !(code.endsWith("-changed") && since > changeLimit),
  );
  for (const { code } of ended) {
    await sql`delete from findings where domain_id = ${domainId} and code = ${code}`;
  }
  return found
    .filter(({ code, evidence }) =>
      known.every((row) => row.code !== code || row.evidence !== evidence),
    )
    .map(({ code, evidence }) => ({
      domain_id: domainId,
      code,
      since: now.toISOString(),
      evidence,
    }));
}

/** Findings that the registrar's own word can settle. */
const ASK_REGISTRAR: ReadonlySet<FindingCode> = new Set([
  "auto-renewed-unpaid",
  "auto-renewed-unsure",
  "expiry-conflict",
]);

/** Adds findings; of one that is there already only what was seen changes. */
export async function addFindings(sql: SQL, found: readonly FindingRow[]): Promise<void> {
  const rows = found.map(({ domain_id, code, since, evidence }) => {
    const severity = SEVERITIES.indexOf(FINDINGS[code].severity);
    return { domain_id, code, severity, since, evidence };
  });
  const clause = "on conflict (domain_id, code) do update set evidence = excluded.evidence";
  await insertRows(sql, "findings", rows, clause);
}

/** The latest checks of a domain by kind, and its findings, worst first. */
export async function readDomainChecks(
  sql: SQL,
  id: string,
): Promise<Pick<DomainDetail, "checks" | "waiting" | "findings">> {
  const rows = await sql<(CheckRow & { due_at: string })[]>`
    select * from checks where domain_id = ${id}`;
  const waiting = rows.filter(({ outcome }) => outcome === null);
  const made = rows.filter(({ outcome }) => outcome !== null);
  const checks = made.map(({ kind, outcome, source, checked_at, due_at, detail, result }) => [
    kind,
    {
      outcome,
      source,
      checkedAt: checked_at,
      nextAt: due_at,
      detail,
      result: result === null ? null : JSON.parse(result),
    },
  ]);
  const known = (await readFindings(sql, [id])).get(id) ?? [];
  const findings = known.map(({ code, since, evidence }) => {
    const { severity, label } = FINDINGS[code];
    return { code, severity, label, since, text: evidence, advice: ADVICE[code] };
  });
  const rank = ({ code }: { code: FindingCode }) => CODES.indexOf(code);
  return {
    checks: Object.fromEntries(checks),
    waiting: waiting.map(({ kind }) => kind),
    findings: findings.toSorted((one, other) => rank(one) - rank(other)),
  };
}

/** In the order of the table, which has the worst first. */
const CODES = Object.keys(FINDINGS);

const MAX_NEWS = 5;

const CRITICAL = SEVERITIES.indexOf("critical");

/** How many domains have a critical finding, and those of the domains where the newest ones are. */
export async function readCritical(sql: SQL): Promise<Pick<CheckNews, "critical" | "items">> {
  const [count] = await sql<{ critical: number }[]>`
    select cast(count(distinct domain_id) as integer) as critical from findings
    where severity = ${CRITICAL}`;
  const newest = await sql<{ id: string }[]>`
    select domain_id as id from findings where severity = ${CRITICAL}
    group by domain_id order by max(since) desc, domain_id limit ${MAX_NEWS}`;
  const items: CheckNews["items"] = [];
  for (const { id } of newest) {
    const [domain] = await sql<{ name: string; unicode: string }[]>`
      select name, unicode from domains where id = ${id}`;
    const { findings } = await readDomainChecks(sql, id);
    const critical = findings.filter(({ severity }) => severity === "critical");
    if (domain !== undefined) items.push({ ...domain, findings: critical });
  }
  return { critical: count?.critical ?? 0, items };
}

function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(FINDINGS, code);
}

/** Days after an expiry in which time alone changes what counts. */
const UNSETTLED_DAYS = 60;

/** Domains whose day may count differently today than yesterday, though nobody said anything. */
export async function listUnsettled(sql: SQL, today: Day): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains
    where expires_on between ${addDays(today, -UNSETTLED_DAYS)} and ${today}`;
  return rows.map(({ id }) => id);
}
