import type { SQL } from "bun";
import type { News } from "../../shared/changes.ts";
import type { Instant } from "../../shared/day.ts";
import { optional, textLike } from "../../shared/parse.ts";
import { readColumn } from "../database/database.ts";
import { queryOf } from "../http/read-input.ts";
import { isMade } from "./write/history.ts";

/** A change is dated when it begins: one that took long comes among those that were quicker. */
const MAX_TIMES = 100;

/** Domains that one request names: as many as a page of the list has rows around it. */
const MAX_DOMAINS = 1000;

const INSTANTS = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z(,\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z){0,99}$/;

export const parseNewsQuery = queryOf({
  at: optional(textLike(INSTANTS, "value", `at most ${MAX_TIMES} instants, with commas`)),
});

/** The last instants at which something was changed, the newest first. Each takes one look into an index. */
export function listLastTimes(sql: SQL): Promise<Instant[]> {
  return readColumn(sql`
    with recursive times (at, place) as (
      select max(at), 1 from changes where ${isMade(sql)}
      union all
      select (select max(at) from changes where at < times.at and ${isMade(sql)}), place + 1
      from times where times.at is not null and place < ${MAX_TIMES})
    select at from times where at is not null order by at desc`);
}

/** What was changed at some instants, and by whom, the newest first. */
export async function listChangedAt(
  sql: SQL,
  { times }: { times: readonly Instant[] },
): Promise<News["changes"]> {
  const groups = await sql<{ at: Instant; id: string; names: number; first: string }[]>`
    select at, coalesce(operation, import_id) as id, cast(count(*) as integer) as names,
      min(id) as first
    from changes where at in ${sql([...times])} and ${isMade(sql)} group by 1, 2 order by 1 desc, 2`;
  const changes: News["changes"] = [];
  let left = MAX_DOMAINS;
  for (const { at, id, names, first } of groups) {
    const domains = await sql<News["changes"][number]["domains"]>`
      select domain_id as id, version from changes c left join domains on domains.id = domain_id
      where at = ${at} and coalesce(operation, import_id) = ${id} limit ${left}`;
    const [maker] = await sql<{ by: string; byId: string | null }[]>`
      select made_by_name as "by", made_by as "byId" from changes where id = ${first}`;
    left -= domains.length;
    changes.push({ by: maker?.by ?? "", byId: maker?.byId ?? null, names, domains });
  }
  return changes;
}
