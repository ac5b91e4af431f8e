import type { SQL } from "bun";
import { type CheckResults, RESULT_PARSERS } from "../../shared/checks.ts";
import { CHECK_KINDS, type CheckKind, SEVERITIES } from "../../shared/check-summary.ts";
import { utcToday } from "../../shared/day.ts";
import type { DomainDetail } from "../../shared/domain.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import type { CheckNews } from "../../shared/register.ts";
import { type Job, parseStored } from "../database/database.ts";
import { ADVICE } from "../domains/expiry/advice.ts";
import { lapsedCondition, openFindings } from "../domains/list/filter-condition.ts";
import { whose } from "../domains/overview.ts";
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
  const known = await sql<(FindingRow & { registrar: string | null })[]>`
    select n.*, (select label from registrars where label_key =
      (select registrar_key from domains where id = ${id})) as registrar
    from ${openFindings(sql)} n where domain_id = ${id} and code in ${sql(CODES)}`;
  const findings = known.map(({ code, since, evidence, registrar }) => {
    const { severity, label: common } = FINDINGS[code];
    const label = common.replace("the registrar", (words) => registrar ?? words);
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

/** How many domains have a critical finding, and those of the worst domains, the newest first. */
export const readCritical: Job<string | null, Pick<CheckNews, "critical" | "items">> = {
  name: "read critical findings",
  async run(sql, person) {
    const of = whose(sql, person);
    // What lapsed is gone as it was to be.
    const critical = () => sql`${openFindings(sql)} n where severity = ${CRITICAL}
    and domain_id not in (select id from domains where ${lapsedCondition(sql, utcToday())})
    ${person === null ? sql`` : sql`and domain_id in (select id from domains where ${of()})`}`;
    const [count] = await sql<{ critical: number }[]>`
    select cast(count(distinct domain_id) as integer) as critical from ${critical()}`;
    const rank = CODES.map((code, index) => sql` when ${code} then cast(${index} as integer)`);
    const worst = await sql<{ id: string }[]>`
    select domain_id as id from ${critical()}
    group by domain_id order by min(case code ${rank} end), max(since) desc, domain_id
    limit ${MAX_NEWS}`;
    const items: CheckNews["items"] = [];
    for (const { id } of worst) {
      const [domain] = await sql<{ name: string; unicode: string }[]>`
      select name, unicode from domains where id = ${id}`;
      const { findings } = await readDomainChecks(sql, id);
      const shown = findings.filter(({ severity }) => severity === "critical");
      if (domain !== undefined) items.push({ ...domain, findings: shown });
    }
    return { critical: count?.critical ?? 0, items };
  },
};
