import type { SQL } from "bun";
import type { Instant } from "../../shared/day.ts";
import { type FindingCode, FINDINGS, SEVERITIES } from "../../shared/findings.ts";
import { insertRows } from "../database/bulk-rows.ts";
import type { FoundFinding } from "./findings.ts";

/** Days for which a change of registrar or name servers stays a finding. */
const CHANGE_DAYS = 14;

const DAY_MS = 86_400_000;

/** A row of `findings`; `evidence` is what was seen, in words. */
export interface FindingRow {
  domain_id: string;
  code: FindingCode;
  since: Instant;
  evidence: string;
}

/** The findings of some domains, by id. */
export async function readFindings(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, FindingRow[]>> {
  const rows = await sql<(Omit<FindingRow, "code"> & { code: string })[]>`
    select domain_id, code, since, evidence from findings where domain_id in ${sql([...ids])}`;
  // A newer version may have known more.
  const known = rows.flatMap((row) =>
    isFindingCode(row.code) ? [{ ...row, code: row.code }] : [],
  );
  return Map.groupBy(known, ({ domain_id }) => domain_id);
}

/** Ends findings that are over, and returns what is new; a change that was seen stays for a while. */
export async function changeFindings(
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

/** Adds findings; of one that is there already only what was seen changes. */
export async function addFindings(sql: SQL, found: readonly FindingRow[]): Promise<void> {
  const rows = found.map(({ domain_id, code, since, evidence }) => {
    const severity = SEVERITIES.indexOf(FINDINGS[code].severity);
    return { domain_id, code, severity, since, evidence };
  });
  const clause = "on conflict (domain_id, code) do update set evidence = excluded.evidence";
  await insertRows(sql, "findings", rows, clause);
}

function isFindingCode(code: string): code is FindingCode {
  return Object.hasOwn(FINDINGS, code);
}
