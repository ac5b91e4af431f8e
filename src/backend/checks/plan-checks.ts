import type { SQL } from "bun";
import type { Day } from "../../shared/day.ts";
import { insertRows } from "../database/bulk-rows.ts";
import type { Database } from "../database/database.ts";
import { fractionOf, registryTiming } from "./schedule.ts";
import { isNetworkKind, planChecks, type PlannedCheck, type Sources } from "./sources.ts";

/** Domains that one look compares with their checks. */
const PLAN_SIZE = 500;

/** Behind every id. */
const AFTER_ALL = "~";

interface Row {
  id: string;
  name: string;
  expires_on: Day | null;
  kind: string | null;
  queue: string | null;
  checked_name: string | null;
}

/**
 * Creates what keeps the checks in step with the register: domains that are new, restored or renamed
 * get checks, and one whose TLD has got another server asks that one. Each call looks at some domains,
 * the newest first and from the start again once there is a newer one, and resolves with how many got
 * checks.
 */
export function createPlanner(database: Database) {
  let newest = "";
  let before = AFTER_ALL;

  return async function planSome(sources: Sources, now: Date): Promise<number> {
    const { rows, top } = await database.read(async (sql) => {
      const [last] = await sql<{ id: string | null }[]>`select max(id) as id from domains`;
      const latest = last?.id ?? "";
      if (latest > newest) before = AFTER_ALL;
      return { rows: await readRows(sql, before), top: latest };
    });
    const domains = [...Map.groupBy(rows, ({ id }) => id).values()];
    newest = top;
    before = domains.length < PLAN_SIZE ? AFTER_ALL : (rows.at(-1)?.id ?? AFTER_ALL);
    const changed = domains.flatMap((known) => {
      const change = comparePlan(known, sources);
      return change === null ? [] : [change];
    });
    if (changed.length > 0) await database.write((sql) => writePlans(sql, changed, now));
    return changed.length;
  };
}

/** A window of domains with the checks by which it shows whether they are planned. */
async function readRows(sql: SQL, before: string): Promise<Row[]> {
  return sql<Row[]>`
    select d.id, d.name, d.expires_on, c.kind, c.queue, c.name as checked_name
    from (select id, name, expires_on from domains where id < ${before}
      order by id desc limit ${PLAN_SIZE}) d
    left join checks c on c.domain_id = d.id and c.kind in ('registry', 'whois', 'dns')
    order by d.id desc`;
}

interface Change {
  domain: Row;
  /** Kinds of checks that go; null: all that there are. */
  gone: readonly string[] | null;
  planned: readonly PlannedCheck[];
}

/** What has to change for a domain, from its rows; null: nothing. */
function comparePlan(known: readonly Row[], sources: Sources): Change | null {
  const [domain] = known;
  if (domain === undefined) return null;
  const planned = planChecks(domain.name, sources);
  const isCurrent = ({ kind, checked_name: name }: Row) => kind !== null && name === domain.name;
  if (!known.every(isCurrent)) return { domain, gone: null, planned };
  const asked = planned.filter(({ kind }) => !isNetworkKind(kind));
  const sourcesNow = known.filter(({ kind }) => kind !== "dns");
  const isSame =
    sourcesNow.length === asked.length &&
    asked.every(({ kind, queue }) =>
      sourcesNow.some((row) => row.kind === kind && row.queue === queue),
    );
  return isSame ? null : { domain, gone: ["registry", "whois"], planned: asked };
}

/** The first network checks are spread over a day, the registry goes by urgency. */
async function writePlans(sql: SQL, changes: readonly Change[], now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  const anew = changes.filter(({ gone }) => gone === null).map(({ domain }) => domain.id);
  const moved = changes.filter(({ gone }) => gone !== null).map(({ domain }) => domain.id);
  if (anew.length > 0) {
    await sql`delete from checks where domain_id in ${sql(anew)}`;
    await sql`delete from findings where domain_id in ${sql(anew)}`;
  }
  if (moved.length > 0) {
    await sql`delete from checks where domain_id in ${sql(moved)} and kind in ('registry', 'whois')`;
  }
  const rows = changes.flatMap(({ domain: { id, name, expires_on }, planned }) =>
    planned.map(({ kind, queue }) => ({
      domain_id: id,
      kind,
      name,
      queue,
      due_at: firstDue(kind, id, now),
      priority: registryTiming(expires_on, [], today).urgency,
      failures: 0,
    })),
  );
  // Another instance may have planned the same meanwhile.
  await insertRows(sql, "checks", rows, "on conflict do nothing");
}

const DAY_MS = 86_400_000;

function firstDue(kind: string, id: string, now: Date): string {
  const delay = isNetworkKind(kind) ? fractionOf(`${id} ${kind}`) * DAY_MS : 0;
  return new Date(now.getTime() + delay).toISOString();
}
