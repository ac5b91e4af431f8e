import type { SQL } from "bun";
import type { CheckKind } from "../../shared/checks.ts";
import type { Instant } from "../../shared/day.ts";
import type { FindingCode } from "../../shared/findings.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import type { FoundFinding } from "./findings.ts";
import type { CheckRow } from "./read-checks.ts";
import type { FindingRow } from "./stored-findings.ts";

/** Something that was seen once; `since` is the instant of that check. */
interface Sighting {
  domain_id: string;
  code: string;
  since: Instant;
}

/** What was seen once of some domains, by id. */
export async function readSightings(
  sql: SQL,
  ids: readonly string[],
): Promise<Map<string, Sighting[]>> {
  const rows = await sql<Sighting[]>`
    select domain_id, code, since from sightings where domain_id in ${sql([...ids])}`;
  return Map.groupBy([...rows], ({ domain_id }) => domain_id);
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
export async function confirm(
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
