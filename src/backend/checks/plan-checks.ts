import type { SQL } from "bun";
import { CHECK_KINDS, type CheckKind, SEVERITIES } from "../../shared/check-summary.ts";
import { DAY_MS, type Day, type Instant } from "../../shared/day.ts";
import { FINDINGS } from "../../shared/findings.ts";
import { insertRows, type SqlRow } from "../database/bulk-rows.ts";
import { type Database, readColumn } from "../database/database.ts";
import { readRuns } from "./reach.ts";
import { fractionOf, registryTiming } from "./schedule.ts";
import { isCurrent } from "../domains/list/filter-condition.ts";
import { EVERYTHING } from "../http/route.ts";
import { isNetworkKind } from "../domains/write/check-now.ts";
import { planChecks, type LookupServers } from "./lookup-servers.ts";

const PLAN_SIZE = 250;

/** Behind every id. */
const AFTER_ALL = "~";

const PAUSE_MS = 1_000;

interface Row {
  id: string;
  name: string;
  expires_on: Day | null;
  created_at: Instant;
  kind: CheckKind | null;
  queue: string | null;
  checked_name: string | null;
  answered_at: Instant | null;
  failures: number | null;
  /** The code of the finding `not-checked`, if the domain has it. */
  unchecked: string | null;
}

/** Gives domains the checks that they lack. Each call looks at some, and returns how many got some. */
export function createPlanner(database: Database) {
  let newest = "";
  let before = AFTER_ALL;
  let plannedAt = -Infinity;

  return async function planSome(servers: LookupServers, now: Date): Promise<number> {
    const look = await database.read(async (sql) => {
      const [last] = await readColumn(sql`select max(id) from domains`);
      const latest = last ?? "";
      if (latest > newest) before = AFTER_ALL;
      else if (performance.now() < plannedAt + PAUSE_MS) return null;
      newest = latest;
      return plan(sql, before, servers, now);
    });
    if (look === null) return 0;
    const start = before;
    before = look.next;
    if (look.opened.length + look.closed.length + look.changed.length > 0) {
      await database.write(async (sql) => {
        // Of domains that were deleted since there are no rows to write.
        const { opened, closed, changed } = await plan(sql, start, servers, now);
        await sql`delete from findings
          where code = 'not-checked' and domain_id in ${sql(closed)}`;
        await insertRows(sql, "findings", opened, "on conflict do nothing");
        await writePlans(sql, changed, now);
      });
    }
    if (look.changed.length === 0) plannedAt = performance.now();
    return look.changed.length;
  };
}

/** What has to change for the domains before an id, and the id that the next ones are before. */
async function plan(sql: SQL, before: string, servers: LookupServers, now: Date) {
  const rows = await sql<Row[]>`
    select d.id, d.name, d.expires_on, d.created_at, c.kind, c.queue, c.name as checked_name,
      case when c.kind = 'tls' and c.outcome = 'absent' then null else c.answered_at end
        as answered_at, c.failures, f.code as unchecked
    from (select id, name, expires_on, created_at from domains
      where id < ${before} and ${isCurrent(sql, EVERYTHING)} order by id desc limit ${PLAN_SIZE}) d
    left join findings f on f.domain_id = d.id and f.code = 'not-checked'
    left join checks c on c.domain_id = d.id and c.kind in ${sql(PLANNED_KINDS)}
    order by d.id desc`;
  const { startedAt } = await readRuns(sql, now);
  const limit = new Date(now.getTime() - UNCHECKED_MS).toISOString();
  const domains = [...Map.groupBy(rows, ({ id }) => id).values()];
  const next = domains.length < PLAN_SIZE ? AFTER_ALL : (rows.at(-1)?.id ?? AFTER_ALL);
  const changed: Change[] = [];
  const opened: SqlRow[] = [];
  const closed: string[] = [];
  for (const known of domains) {
    const [domain] = known;
    if (domain === undefined) continue;
    const change = comparePlan(domain, known, servers);
    if (change.gone.length + change.missing.length > 0) changed.push(change);
    const isEarly = startedAt > limit || domain.created_at > limit;
    const evidence = isEarly ? null : findUnchecked(known, limit);
    if (evidence === null && domain.unchecked !== null) closed.push(domain.id);
    if (evidence === null || domain.unchecked !== null) continue;
    opened.push({ domain_id: domain.id, ...NOT_CHECKED, since: now.toISOString(), evidence });
  }
  return { next, changed, opened, closed };
}

/** A registrar's check follows from a registry's answer. */
const PLANNED_KINDS = CHECK_KINDS.filter((kind) => kind !== "registrar");

const NOT_CHECKED = {
  code: "not-checked",
  severity: SEVERITIES.indexOf(FINDINGS["not-checked"].severity),
};

type Change = ReturnType<typeof comparePlan>;

/** The checks that a domain should not have, and those that it lacks, from its rows. */
function comparePlan(domain: Row, known: readonly Row[], servers: LookupServers) {
  const planned = planChecks(domain.name, servers);
  const isRenamed = known.some(({ name, checked_name }) => (checked_name ?? name) !== name);
  const isPlanned = (row: Row) =>
    planned.some(({ kind, queue }) => row.kind === kind && row.queue === queue);
  const kept = isRenamed ? [] : known.filter(isPlanned);
  const gone = known.flatMap((row) => (row.kind === null || kept.includes(row) ? [] : [row.kind]));
  const missing = planned.filter(({ kind }) => kept.every((row) => row.kind !== kind));
  return { domain, isRenamed, gone, missing };
}

/** The first network checks are spread over a day, the registry goes by urgency. */
async function writePlans(sql: SQL, changes: readonly Change[], now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const renamed = changes.flatMap(({ domain, isRenamed }) => (isRenamed ? domain.id : []));
  if (renamed.length > 0) {
    for (const table of ["checks", "findings", "sightings"]) {
      await sql`delete from ${sql(table)} where domain_id in ${sql(renamed)}`;
    }
  }
  const ids = changes.map(({ domain }) => domain.id);
  const gone = changes.flatMap((of) => of.gone.map((kind) => `${of.domain.id} ${kind}`));
  await sql`delete from checks where domain_id in ${sql(ids)}
    and domain_id || ' ' || kind in ${sql(gone)}`;
  const rows = changes.flatMap(({ domain: { id, name, expires_on }, missing }) =>
    missing.map(({ kind, queue }) => ({
      domain_id: id,
      kind,
      name,
      queue,
      due_at: new Date(
        now.getTime() + (isNetworkKind(kind) ? fractionOf(`${id} ${kind}`) * DAY_MS : 0),
      ).toISOString(),
      priority: registryTiming(expires_on, [], today).urgency,
      failures: 0,
    })),
  );
  // Another instance may have planned the same meanwhile.
  await insertRows(sql, "checks", rows, "on conflict do nothing");
}

/** A domain without an answer for this long counts as not checked: its DNS is asked every day. */
const UNCHECKED_MS = 7 * DAY_MS;

/** Failures in a row of a registry. One says nothing: the answer before may be a month old. */
const MIN_REGISTRY_FAILURES = 5;

/** When the last answer came, if no source, or not the registry, has answered since `limit`. */
function findUnchecked(rows: readonly Row[], limit: Instant): string | null {
  const old = rows.filter(({ answered_at }) => (answered_at ?? "") <= limit);
  const failing = old.filter(({ failures }) => (failures ?? 0) > 0);
  const registry = failing.find(
    ({ kind, failures }) =>
      (kind === "registry" || kind === "whois") && (failures ?? 0) >= MIN_REGISTRY_FAILURES,
  );
  if (!registry && (old.length < rows.length || failing.length === 0)) return null;
  const answers = (registry ? [registry] : old).map(({ answered_at }) => answered_at ?? "");
  const last = answers.toSorted().at(-1)?.slice(0, 10);
  return `${registry ? "The registry has not" : "No source has"} answered ${last ? `since ${last}` : "yet"}.`;
}
