import type { SQL } from "bun";
import { utcToday } from "../../../shared/day.ts";
import {
  type Filter,
  formatTerm,
  isNarrowed,
  parseTerm,
  withPerson,
} from "../../../shared/filter.ts";
import * as p from "../../../shared/parse.ts";
import { type Limit, parseLimit } from "../../../shared/people.ts";
import { foldLabel } from "../../../shared/text.ts";
import { parseView } from "../../../shared/view.ts";
import { hasRows, parseStored, readColumn } from "../../database/database.ts";
import { readSetting, saveSetting } from "../../database/setting-store.ts";
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

/** Which limits an operation changed, so that its undo changes them back. */
const RENAMED = "renamed-limits";
const parseRenamed = p.list(
  p.object({ operation: p.text, id: p.text, before: p.list(p.text), after: p.list(p.text) }),
);
type Renamed = p.Parsed<typeof parseRenamed>[number];

/** The oldest are forgotten first. */
const MAX_RENAMED = 1000;

/** Limits to an owner whose last domains a change has given to another go along. */
export async function renameInLimits(
  sql: SQL,
  operation: string,
  { filter, to }: { filter: Filter; to: string },
): Promise<void> {
  const terms = filter.owner?.map(parseTerm) ?? [];
  const isOne = terms.length === 1 && terms[0]?.not === false && terms[0].match === "is";
  const key = foldLabel(terms[0]?.text ?? "");
  if (!isOne || key === foldLabel(to)) return;
  if (await hasRows(sql`select 1 from domains where owner_key = ${key} limit 1`)) return;
  await changeLimits(sql, (owners, id) => {
    const others = owners.filter((owner) => foldLabel(owner) !== key);
    if (others.length === owners.length) return null;
    return { operation, id, before: owners, after: [...new Set([...others, to])] };
  });
}

/** Takes the limits back that an operation renamed, unless they were changed since. */
export async function undoInLimits(sql: SQL, undone: string, operation: string): Promise<void> {
  const renamed = (await readSetting(sql, RENAMED, parseRenamed)) ?? [];
  await changeLimits(sql, (owners, id) => {
    const own = renamed.find((each) => each.operation === undone && each.id === id);
    if (!own || !Bun.deepEquals(own.after, owners)) return null;
    return { operation, id, before: own.after, after: own.before };
  });
}

async function changeLimits(
  sql: SQL,
  changeOf: (owners: string[], id: string) => Renamed | null,
): Promise<void> {
  const changed: Renamed[] = [];
  for (const table of ["users", "invitations"]) {
    const rows = await sql<{ id: string; limited_to: string }[]>`
      select id, limited_to from ${sql(table)} where limited_to is not null`;
    for (const { id, limited_to } of rows) {
      const limit = parseStored(limited_to, parseLimit);
      const change = limit && "owners" in limit ? changeOf([...limit.owners], id) : null;
      if (change === null) continue;
      changed.push(change);
      const owners = JSON.stringify({ owners: change.after });
      await sql`update ${sql(table)} set limited_to = ${owners} where id = ${id}`;
    }
  }
  if (changed.length === 0) return;
  const renamed = (await readSetting(sql, RENAMED, parseRenamed)) ?? [];
  await saveSetting(sql, RENAMED, [...renamed, ...changed].slice(-MAX_RENAMED));
}
