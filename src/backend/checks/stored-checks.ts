import type { SQL } from "bun";
import { CHECK_KINDS, type CheckKind } from "../../shared/check-summary.ts";
import { type CheckResults, RESULT_PARSERS } from "../../shared/checks.ts";
import { type Day, type Instant, utcToday } from "../../shared/day.ts";
import type { DomainDetail } from "../../shared/domain-detail.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import * as p from "../../shared/parse.ts";
import type { SqlRow } from "../database/bulk-rows.ts";
import { parseStored } from "../database/database.ts";
import { findingAdvice } from "../domains/expiry/advice.ts";
import { openFindings } from "../domains/list/filter-condition.ts";

export interface CheckRow {
  domain_id: string;
  kind: CheckKind;
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

/** The latest checks of a domain by kind, and its findings, worst first. */
export async function readDomainChecks(
  sql: SQL,
  id: string,
): Promise<Pick<DomainDetail, "checks" | "waiting" | "findings">> {
  const rows = await sql<(CheckRow & { due_at: string })[]>`
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
    from ${openFindings(sql)} n where domain_id = ${id} and code in ${sql(FINDING_CODES)}`;
  const worstFirst = FINDING_CODES.flatMap((code) => known.filter((row) => row.code === code));
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
export const FINDING_CODES = Object.keys(FINDINGS).map(p.keyOf(FINDINGS));
