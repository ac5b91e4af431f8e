import type { SQL } from "bun";
import { type CheckKind, SEVERITIES } from "../../shared/check-summary.ts";
import { DAY_MS, type Instant } from "../../shared/day.ts";
import { type FindingCode, FINDINGS } from "../../shared/findings.ts";
import { keyOf } from "../../shared/parse.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import type { Judgement } from "./findings.ts";

/** A row of `sightings`: what one check saw. */
export interface Sighting extends SqlRow {
  domain_id: string;
  code: FindingCode;
  since: Instant;
}

export interface FindingRow extends Sighting {
  /** 0 is the worst, as in `SEVERITIES`. */
  severity: number;
  /** What was seen, in words. */
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
    where domain_id in ${sql([...ids])} and code in ${sql(Object.keys(FINDINGS))}`;
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

const readCode = keyOf(FINDINGS);

interface Known {
  checks: readonly { kind: string; answered_at: Instant | null }[];
  findings: ReadonlyMap<string, FindingRow>;
  sightings: ReadonlyMap<string, Sighting>;
  now: Date;
}

interface Wanted {
  findings: FindingRow[];
  sightings: Sighting[];
  unsure: Set<CheckKind>;
}

/** What could not be judged stays; what was seen once waits half an hour for a second look. */
export function settleFindings(
  id: string,
  judged: Judgement,
  { checks, findings, sightings, now }: Known,
): Wanted {
  const changeLimit = new Date(now.getTime() - CHANGE_DAYS * DAY_MS).toISOString();
  const wanted: Wanted = { findings: [], sightings: [], unsure: new Set() };
  for (const code of Object.keys(FINDINGS).map(readCode)) {
    const known = findings.get(`${id} ${code}`);
    const seen = sightings.get(`${id} ${code}`);
    const evidence = judged[code];
    if (evidence === undefined) {
      const isOld = code.endsWith("-changed") && known !== undefined && known.since <= changeLimit;
      if (known !== undefined && !isOld) wanted.findings.push(known);
      if (known === undefined && seen !== undefined) wanted.sightings.push(seen);
      continue;
    }
    if (evidence === null) continue;
    const kind = CONFIRMED_BY[code];
    const lookedAt = checks.find((row) => row.kind === kind)?.answered_at ?? "";
    const isConfirmed =
      seen !== undefined && Date.parse(lookedAt) - Date.parse(seen.since) >= CONFIRM_MS;
    if (kind === undefined || known !== undefined || isConfirmed) {
      const severity = SEVERITIES.indexOf(FINDINGS[code].severity);
      const since = known?.since ?? now.toISOString();
      wanted.findings.push({ domain_id: id, code, severity, since, evidence });
    } else {
      wanted.sightings.push(seen ?? { domain_id: id, code, since: lookedAt });
      wanted.unsure.add(kind);
    }
  }
  return wanted;
}

/** Makes a table hold what is wanted in place of what is known, with one delete and one upsert. */
export async function reconcile<Row extends Sighting>(
  sql: SQL,
  table: "findings" | "sightings",
  wanted: readonly Row[],
  known: ReadonlyMap<string, Row>,
): Promise<void> {
  const after = new Map(wanted.map((row) => [keyOfRow(row), row]));
  const gone = [...known.keys()].filter((key) => !after.has(key));
  if (gone.length > 0) {
    const ids = [...known.values()].map((row) => row.domain_id);
    await sql`delete from ${sql(table)}
      where domain_id in ${sql(ids)} and domain_id || ' ' || code in ${sql(gone)}`;
  }
  const news = [...after].filter(([key, row]) => !Bun.deepEquals(row, known.get(key)));
  const sets = Object.keys(wanted[0] ?? {}).map((column) => `${column} = excluded.${column}`);
  const clause = `on conflict (domain_id, code) do update set ${sets.join(", ")}`;
  await insertRows(
    sql,
    table,
    news.map(([, row]) => row),
    clause,
  );
}
