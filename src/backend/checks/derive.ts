import type { SQL } from "bun";
import { CHECK_KINDS, type CheckKind, SEVERITIES } from "../../shared/check-summary.ts";
import { DAY_MS, addDays, type Day } from "../../shared/day.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import { insertRows } from "../database/bulk-rows.ts";
import { readColumn } from "../database/database.ts";
import type { ExpiryReport } from "../domains/expiry/expiry.ts";
import { readFields } from "../domains/list/read-domains.ts";
import { writeDomains } from "../domains/write/write-domains.ts";
import { judgeFindings, type Judgement, type KnownResults } from "./findings.ts";
import {
  type CheckRow,
  FINDING_CODES,
  type FindingRow,
  parseResult,
  type Sighting,
} from "./stored-checks.ts";

export interface Derived {
  expires: Day | null;
  asksRegistrar: boolean;
  /** Kinds of checks that have to confirm what they saw for the first time. */
  unsure: ReadonlySet<CheckKind>;
  results: KnownResults;
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
  const stored = await sql<CheckRow[]>`
    select domain_id, kind, outcome, source, checked_at, answered_at, detail, result, missing_since
    from checks where domain_id in ${sql([...ids])} and kind in ${sql(CHECK_KINDS)}
      and outcome is not null`;
  const checks = Map.groupBy([...stored, ...(news?.rows ?? [])], ({ domain_id }) => domain_id);
  const known = {
    findings: await readKnown<FindingRow>(sql, "findings", ids),
    sightings: await readKnown<Sighting>(sql, "sightings", ids),
  };
  const findings: FindingRow[] = [];
  const sightings: Sighting[] = [];
  for (const { id, name } of domains) {
    const expires = expiries.get(id) ?? null;
    // Of each kind the last: what is new stands behind what is stored.
    const rows = new Map(checks.get(id)?.map((row) => [row.kind, row]));
    const resultOf = <K extends CheckKind>(kind: K) =>
      parseResult(kind, rows.get(kind)?.result ?? null);
    const results = {
      registry: resultOf("registry"),
      whois: resultOf("whois"),
      delegation: resultOf("delegation"),
      dns: resultOf("dns"),
      tls: resultOf("tls"),
    };
    const registry = rows.get("registry") ?? rows.get("whois");
    const zone = results.delegation?.ns.outcome;
    const judged = {
      ...judgeFindings({
        name,
        results,
        source: registry?.source ?? "",
        expires,
        isGone: isGone(registry, rows.get("delegation"), zone),
        now,
      }),
      ...news?.changes.get(id),
    };
    const wanted = settleFindings(id, judged, { ...known, rows, now });
    findings.push(...wanted.findings);
    sightings.push(...wanted.sightings);
    derived.set(id, {
      expires: expires?.date ?? null,
      asksRegistrar: wanted.findings.some(({ code }) => ASK_REGISTRAR.has(code)),
      unsure: wanted.unsure,
      results,
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

const keyOfRow = ({ domain_id, code }: Sighting) => `${domain_id} ${code}`;

/** The rows of some domains by id and code, but for codes that only another version knows. */
async function readKnown<Row extends Sighting>(
  sql: SQL,
  table: "findings" | "sightings",
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const rows = await sql<Row[]>`select * from ${sql(table)}
    where domain_id in ${sql([...ids])} and code in ${sql(FINDING_CODES)}`;
  return new Map(rows.map((row) => [keyOfRow(row), row]));
}

/** Findings that a network may show for a moment: this check has to see them twice. */
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

/** Days for which a change of registrar or name servers stays a finding. */
const CHANGE_DAYS = 14;

/** What could not be judged stays; what was seen once waits half an hour for the second look. */
function settleFindings(
  id: string,
  judged: Judgement,
  known: {
    rows: ReadonlyMap<CheckKind, CheckRow>;
    findings: ReadonlyMap<string, FindingRow>;
    sightings: ReadonlyMap<string, Sighting>;
    now: Date;
  },
) {
  const at = known.now.toISOString();
  const changeLimit = new Date(known.now.getTime() - CHANGE_DAYS * DAY_MS).toISOString();
  const findings: FindingRow[] = [];
  const sightings: Sighting[] = [];
  const unsure = new Set<CheckKind>();
  for (const code of FINDING_CODES) {
    const before = known.findings.get(`${id} ${code}`);
    const seen = known.sightings.get(`${id} ${code}`);
    const evidence = judged[code];
    if (evidence === undefined) {
      const isOld =
        code.endsWith("-changed") && before !== undefined && before.since <= changeLimit;
      if (before !== undefined && !isOld) findings.push(before);
      if (before === undefined && seen !== undefined) sightings.push(seen);
      continue;
    }
    if (evidence === null) continue;
    const kind = CONFIRMED_BY[code];
    const lookedAt = (kind && known.rows.get(kind)?.answered_at) ?? "";
    const isConfirmed =
      seen !== undefined && Date.parse(lookedAt) - Date.parse(seen.since) >= CONFIRM_MS;
    if (kind === undefined || before !== undefined || isConfirmed) {
      const severity = SEVERITIES.indexOf(FINDINGS[code].severity);
      findings.push({ domain_id: id, code, severity, since: before?.since ?? at, evidence });
    } else {
      sightings.push(seen ?? { domain_id: id, code, since: lookedAt });
      unsure.add(kind);
    }
  }
  return { findings, sightings, unsure };
}

/** Makes a table hold what is wanted in place of what is known, with one delete and one upsert. */
async function reconcile<Row extends Sighting>(
  sql: SQL,
  table: "findings" | "sightings",
  wanted: readonly Row[],
  known: ReadonlyMap<string, Row>,
): Promise<void> {
  const after = new Set(wanted.map(keyOfRow));
  const gone = [...known.keys()].filter((key) => !after.has(key));
  if (gone.length > 0) {
    const ids = [...known.values()].map((row) => row.domain_id);
    await sql`delete from ${sql(table)}
      where domain_id in ${sql(ids)} and domain_id || ' ' || code in ${sql(gone)}`;
  }
  const news = wanted.filter((row) => !Bun.deepEquals(row, known.get(keyOfRow(row))));
  const sets = Object.keys(wanted[0] ?? {}).map((column) => `${column} = excluded.${column}`);
  const clause = `on conflict (domain_id, code) do update set ${sets.join(", ")}`;
  await insertRows(sql, table, news, clause);
}

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
