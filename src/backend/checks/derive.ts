import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import type { DomainDetail } from "../../shared/domain.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import type { CheckNews } from "../../shared/register.ts";
import { insertRows } from "../database/bulk-rows.ts";
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

/**
 * Derives the effective expiry and the findings of domains from all that is known of them, and writes
 * what is different: the expiry with an entry in the history, by its source. Inside a write.
 */
export async function deriveDomains(sql: SQL, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const today = now.toISOString().slice(0, 10);
  const reports = await readObservations(sql, ids);
  const checks = await readChecks(sql, ids);
  const known = await readFindings(sql, ids);
  for (const domain of await readDomains(sql, ids)) {
    const expires = effectiveExpiry(reports.get(domain.id) ?? [], today);
    const changes = changedFields(domain, { ...domain, expires });
    if (changes.length > 0) {
      const at = now.toISOString();
      await sql`update domains set ${sql({ ...toColumns({ expires }), updated_at: at })},
        version = version + 1 where id = ${domain.id}`;
      const change = { domainId: domain.id, action: "edited" as const, fields: changes };
      await addChanges(sql, [change], { email: expires?.source ?? "checks", at });
    }
    const found = deriveFindings(contextOf(checks.get(domain.id) ?? [], expires, now));
    await writeFindings(sql, domain.id, { found, known: known.get(domain.id) ?? [], now });
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

function contextOf(rows: readonly CheckRow[], expires: EffectiveExpiry | null, now: Date) {
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
  return {
    // Written by `saveResults`, with the shape of their kind.
    checks: Object.fromEntries(entries) as LatestChecks,
    renewal: expires?.renewal ?? null,
    conflict: expires?.conflict === true ? (expires.alternatives[0]?.date ?? null) : null,
    isGone: isGone(rows, now),
    now,
  };
}

/** "Not found" from the same host for a day or more, and the parent zone does not know it either. */
function isGone(rows: readonly CheckRow[], now: Date): boolean {
  const registry = rows.find(({ kind }) => kind === "registry" || kind === "whois");
  const since = registry?.missing_since ?? null;
  if (since === null || Date.parse(since) > now.getTime() - DAY_MS) return false;
  const delegation = rows.find(({ kind }) => kind === "delegation");
  if (delegation?.result === undefined || delegation.result === null) return false;
  const { ns }: { ns?: { outcome?: string } } = JSON.parse(delegation.result);
  return ns?.outcome === "nxdomain" && (delegation.checked_at ?? "") >= since;
}

interface FindingRow {
  domain_id: string;
  code: string;
  since: string;
  evidence: string;
}

async function readFindings(sql: SQL, ids: readonly string[]): Promise<Map<string, FindingRow[]>> {
  const rows = await sql<FindingRow[]>`
    select domain_id, code, since, evidence from findings where domain_id in ${sql([...ids])}`;
  return Map.groupBy([...rows], ({ domain_id }) => domain_id);
}

/** Adds, changes and ends findings; a change that was seen stays for a while. */
async function writeFindings(
  sql: SQL,
  domainId: string,
  {
    found,
    known,
    now,
  }: { found: readonly FoundFinding[]; known: readonly FindingRow[]; now: Date },
): Promise<void> {
  const changeLimit = new Date(now.getTime() - CHANGE_DAYS * DAY_MS).toISOString();
  const ended = known.filter(
    ({ code, since }) =>
      found.every((each) => each.code !== code) &&
      !(code.endsWith("-changed") && since > changeLimit),
  );
  for (const { code } of ended) {
    await sql`delete from findings where domain_id = ${domainId} and code = ${code}`;
  }
  const news = found.filter(({ code, evidence }) =>
    known.every((row) => row.code !== code || row.evidence !== evidence),
  );
  await addFindings(sql, domainId, news, now);
  if (news.some(({ code }) => ASK_REGISTRAR.has(code))) {
    await sql`update checks set due_at = ${now.toISOString()}
      where domain_id = ${domainId} and kind = 'registrar'`;
  }
}

/** Findings that the registrar's own word can settle. */
const ASK_REGISTRAR: ReadonlySet<FindingCode> = new Set([
  "auto-renewed-unpaid",
  "auto-renewed-unsure",
  "expiry-conflict",
]);

/** Adds findings of a domain as of now; of one that is there already only what was seen changes. */
export async function addFindings(
  sql: SQL,
  domainId: string,
  found: readonly FoundFinding[],
  now: Date,
): Promise<void> {
  const rows = found.map(({ code, evidence }) => ({
    domain_id: domainId,
    code,
    severity: FINDINGS[code].severity,
    since: now.toISOString(),
    evidence,
  }));
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
  const findings = known.flatMap(({ code, since, evidence }) => {
    if (!isFindingCode(code)) return [];
    return [{ code, ...FINDINGS[code], since, text: evidence, advice: ADVICE[code] }];
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

/** How many domains have a critical finding, and those of the domains where the newest ones are. */
export async function readCritical(sql: SQL): Promise<Pick<CheckNews, "critical" | "items">> {
  const [count] = await sql<{ critical: number }[]>`
    select cast(count(distinct domain_id) as integer) as critical from findings
    where severity = 'critical'`;
  const newest = await sql<{ id: string }[]>`
    select domain_id as id from findings where severity = 'critical'
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

/** Domains whose day may count differently today: their registry has moved it in the last year. */
export async function listUnsettled(sql: SQL, today: Day): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct domain_id as id from observations
    where detail is not null and observed_at >= ${`${Number(today.slice(0, 4)) - 1}${today.slice(4)}`}`;
  return rows.map(({ id }) => id);
}
