import type { SQL } from "bun";
import { utcToday } from "../../../shared/day.ts";
import { type Filter, isNarrowed, withPerson } from "../../../shared/filter.ts";
import { formatTerm } from "../../../shared/filter-term.ts";
import { type Limit, parseLimit } from "../../../shared/people.ts";
import { parseView } from "../../../shared/view.ts";
import { parseStored, readColumn } from "../../database/database.ts";
import { EVERYTHING, NOTHING, type Sight } from "../../http/route.ts";
import { listPeopleNames } from "../people.ts";
import { readSettings } from "../settings.ts";

/** What a person sees at the moment; of what no person asks for, everything. */
export async function readSight(sql: SQL, personId: string | null): Promise<Sight> {
  if (personId === null) return EVERYTHING;
  const [user] = await sql<{ limited_to: string | null }[]>`
    select limited_to from users where id = ${personId}`;
  if (user?.limited_to === null) return EVERYTHING;
  const limit = parseStored(user?.limited_to ?? "", parseLimit);
  const filter = limit && (await filterOf(sql, limit));
  if (!filter) return NOTHING;
  return {
    filter: withPerson(filter, personId),
    time: { today: utcToday(), leadDays: (await readSettings(sql)).leadDays },
    people: filter.q === undefined ? [] : await listPeopleNames(sql),
  };
}

async function filterOf(sql: SQL, limit: Limit): Promise<Filter | null> {
  if ("owners" in limit) {
    const terms = limit.owners.map((text) => ({ not: false, match: "is", text }) as const);
    return { owner: terms.map(formatTerm) };
  }
  const [query] = await readColumn<string>(sql`select query from views where id = ${limit.view}`);
  const { view, problems } = parseView(new URLSearchParams(query));
  return isNarrowed(view.filter) && problems.length === 0 ? view.filter : null;
}
