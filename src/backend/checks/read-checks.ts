import type { SQL } from "bun";
import { type CheckResults, RESULT_PARSERS } from "../../shared/checks.ts";
import { CHECK_KINDS, type CheckKind } from "../../shared/check-summary.ts";
import { type Day, utcToday } from "../../shared/day.ts";
import type { DomainDetail } from "../../shared/domain-detail.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import { parseStored } from "../database/database.ts";
import { findingAdvice } from "../domains/expiry/advice.ts";
import { openFindings } from "../domains/list/filter-condition.ts";
import type { FindingRow } from "./stored-findings.ts";

/** The latest look, of a row of `checks`. */
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
  const waiting = rows.filter(({ outcome }) => outcome === null);
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
  const findings = known.map(({ code, since, evidence, registrar, due }) => {
    const { severity, label: common } = FINDINGS[code];
    const label = common.replace("the registrar", (words) => registrar ?? words);
    const advice = findingAdvice(code, due !== null && due < utcToday());
    return { code, severity, label, since, text: evidence, advice };
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
