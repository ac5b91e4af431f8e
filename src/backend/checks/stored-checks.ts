import type { SQL } from "bun";
import { CHECK_KINDS, type CheckKind, SEVERITIES } from "../../shared/check-summary.ts";
import { type CheckResults, RESULT_PARSERS } from "../../shared/checks.ts";
import { type Day, DAY_MS, type Instant, utcToday } from "../../shared/day.ts";
import type { DomainDetail } from "../../shared/domain-detail.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import * as p from "../../shared/parse.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { parseStored } from "../database/database.ts";
import { findingAdvice } from "../domains/expiry/advice.ts";
import { openFindings } from "../domains/list/filter-condition.ts";
import type { Judgement } from "./findings.ts";

export interface CheckRow {
  domain_id: string;
  kind: string;
  outcome: string | null;
  source: string | null;
  checked_at: string | null;
  answered_at: string | null;
  detail: string | null;
  result: string | null;
  missing_since: string | null;
}

/** Null for a result that is missing or that this version cannot read: as if not asked. */
export function parseResult<K extends CheckKind>(
  kind: K,
  stored: string | null,
): CheckResults[K] | null {
  return parseStored<CheckResults[K]>(stored, RESULT_PARSERS[kind]);
}

export async function readChecks(sql: SQL, ids: readonly string[]): Promise<CheckRow[]> {
  return sql<CheckRow[]>`
    select domain_id, kind, outcome, source, checked_at, answered_at, detail, result, missing_since
    from checks where domain_id in ${sql([...ids])} and outcome is not null`;
}

/** The latest checks of a domain by kind, and its findings, worst first. */
export async function readDomainChecks(
  sql: SQL,
  id: string,
): Promise<Pick<DomainDetail, "checks" | "waiting" | "findings">> {
  const rows = await sql<(CheckRow & { kind: CheckKind; due_at: string })[]>`
    select * from checks where domain_id = ${id} and kind in ${sql(CHECK_KINDS)}`;
  const made = rows.filter(({ outcome }) => outcome !== null);
  const checks = made.map(({ kind, outcome, source, due_at, detail, result, ...row }) => [
    kind,
    {
      outcome,
      source,
      checkedAt: row.checked_at,
      answeredAt: row.answered_at,
      nextAt: due_at,
      detail,
      result: parseResult(kind, result),
    },
  ]);
  const known = await sql<(FindingRow & { registrar: string | null; due: Day | null })[]>`
    select n.*, (select label from registrars where label_key =
      (select registrar_key from domains where id = ${id})) as registrar,
      (select expires_earliest from domains where id = ${id}) as due
    from ${openFindings(sql)} n where domain_id = ${id} and code in ${sql(CODES)}`;
  const rank = ({ code }: FindingRow) => CODES.indexOf(code);
  const worstFirst = known.toSorted((one, other) => rank(one) - rank(other));
  const findings = worstFirst.map(({ code, since, evidence, registrar, due }) => {
    const { severity, label: common } = FINDINGS[code];
    const label = common.replace("the registrar", (words) => registrar ?? words);
    const advice = findingAdvice(code, due !== null && due < utcToday());
    return { code, severity, label, since, text: evidence, advice };
  });
  const waiting = rows.filter(({ outcome }) => outcome === null).map(({ kind }) => kind);
  return { checks: Object.fromEntries(checks), waiting, findings };
}

/** In the order of the table, which has the worst first. */
const CODES = Object.keys(FINDINGS).map(p.keyOf(FINDINGS));

export interface Sighting extends SqlRow {
  domain_id: string;
  code: FindingCode;
  since: Instant;
}

export interface FindingRow extends Sighting {
  /** 0 is the worst, as in `SEVERITIES`. */
  severity: number;
  evidence: string;
}

const keyOfRow = ({ domain_id, code }: Sighting) => `${domain_id} ${code}`;

/** The rows of some domains by id and code, but for codes that only another version knows. */
export async function readKnown<Row extends Sighting>(
  sql: SQL,
  table: "findings" | "sightings",
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const rows = await sql<Row[]>`select * from ${sql(table)}
    where domain_id in ${sql([...ids])} and code in ${sql(CODES)}`;
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
export function settleFindings(
  id: string,
  judged: Judgement,
  known: {
    checks: readonly { kind: string; answered_at: Instant | null }[];
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
  for (const code of CODES) {
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
    const lookedAt = known.checks.find((row) => row.kind === kind)?.answered_at ?? "";
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
export async function reconcile<Row extends Sighting>(
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
