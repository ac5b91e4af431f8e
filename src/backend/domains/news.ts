import type { Job } from "../database/database.ts";
import type { Instant } from "../../shared/day.ts";
import type { News } from "../../shared/news.ts";
import * as p from "../../shared/parse.ts";
import { queryOf } from "../http/read-input.ts";
import type { Sight } from "../http/route.ts";
import { changeInSight } from "./list/filter-condition.ts";
import { shownMaker } from "./list/shown.ts";
import { isMade } from "./write/history.ts";

/** A change is dated when it begins: one that took long comes among those that were quicker. */
export const MAX_TIMES = 100;

/** Domains that one request names: as many as a page of the list has rows around it. */
const MAX_DOMAINS = 1000;

const INSTANTS = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z(,\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z){0,99}$/;

export const parseNewsQuery = queryOf({
  at: p.optional(p.textLike(INSTANTS, "value", `at most ${MAX_TIMES} instants, comma-separated`)),
});

/** What was changed at some instants, and by whom, the newest first. */
export const readChangedAt: Job<{ times: readonly Instant[]; sight: Sight }, News["changes"]> = {
  name: "list what was changed",
  async run(sql, { times, sight }) {
    const groups = await sql<
      (Omit<News["changes"][number], "domains"> & { at: Instant; id: string })[]
    >`
      select g.at, g.id, names, made_by_name as "by", made_by as "byId"
      from (select at, coalesce(operation, import_id) as id, cast(count(*) as integer) as names,
          min(id) as first
        from changes where at in ${sql([...times])} and ${isMade(sql)}
          ${changeInSight(sql, sight)} group by 1, 2) g
      join changes on changes.id = first order by g.at desc, g.id`;
    const changes: News["changes"] = [];
    let left = MAX_DOMAINS;
    for (const { at, id, ...change } of groups) {
      const domains = await sql<News["changes"][number]["domains"]>`
        select domain_id as id, version from changes c left join domains on domains.id = domain_id
        where at = ${at} and coalesce(operation, import_id) = ${id}
          ${changeInSight(sql, sight)} order by c.id limit ${left}`;
      left -= domains.length;
      changes.push({ ...change, by: shownMaker(change.by, sight), domains: [...domains] });
    }
    return changes;
  },
};
