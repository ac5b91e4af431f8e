import type { SQL } from "bun";
import { addDays, utcToday } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import { foldLabel } from "../../shared/text.ts";
import { hasRows } from "../database/database.ts";
import { RequestError } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { readSetting, removeSetting, saveSetting } from "../database/setting-store.ts";
import { startOperation, type Maker, type Operator } from "./write/history.ts";
import { parseNewDomain } from "./input.ts";
import sampleDomains from "./sample-domains.json" with { type: "json" };
import { addDomain } from "./write/save-domain.ts";

const NAME = "sample domains";
const parseIds = p.list(p.text);

/** What reports the day of a domain without a registrar, and the other day where two differ. */
const OTHER_SOURCE = "portfolio.csv";

export const sampleRoutes: readonly Route[] = [
  route("POST /api/sample", "editor", {
    summary: "Add sample domains to an empty register",
    answer: p.object({ names: p.number }),
    statuses: [201],
    problems: [409],
    handle: ({ database, user }) => database.write((sql) => addSample(sql, user)),
  }),
  route("DELETE /api/sample", "editor", {
    summary: "Remove the sample domains",
    answer: null,
    handle: ({ database }) => database.write(removeSample),
  }),
];

export async function hasSample(sql: SQL): Promise<boolean> {
  return (await readSetting(sql, NAME, parseIds)) !== null;
}

export async function addSample(sql: SQL, by: Maker): Promise<{ names: number }> {
  if (await hasRows(sql`select 1 from domains limit 1`)) {
    throw new RequestError(409, "Sample data can only be added while there are no domains.");
  }
  const author = await startOperation(sql, by);
  const added: string[] = [];
  for (const sample of sampleDomains) added.push(await addOne(sql, sample, author));
  await saveSetting(sql, NAME, added);
  return { names: added.length };
}

async function addOne(
  sql: SQL,
  { values, expiresIn, otherSourceIn }: (typeof sampleDomains)[number],
  author: Operator,
): Promise<string> {
  const report = (source: string, days: number | undefined, reportedIn: number) => {
    if (days === undefined) return [];
    const observedAt = addDays(utcToday(), reportedIn) + author.at.slice(10);
    return [{ source, date: addDays(utcToday(), days), observedAt }];
  };
  const reports = [
    ...report(OTHER_SOURCE, otherSourceIn, -90),
    ...report(values.registrar ?? OTHER_SOURCE, expiresIn, 0),
  ];
  const { domain } = await addDomain(sql, parseNewDomain(values), author, reports);
  return domain.id;
}

async function removeSample(sql: SQL): Promise<void> {
  const ids = (await readSetting(sql, NAME, parseIds)) ?? [];
  await removeSetting(sql, NAME);
  if (ids.length === 0) return;
  // The tags and reports of a domain go with it.
  await sql`delete from domains where id in ${sql(ids)}`;
  await sql`delete from bin where domain_id in ${sql(ids)}`;
  await sql`delete from changes where domain_id in ${sql(ids)}`;
  await sql`delete from tags where label_key in ${sql(keysOf(({ tags = [] }) => tags))}
      and not exists (select 1 from domain_tags where tag_key = label_key)`;
  await sql`delete from registrars
      where label_key in ${sql(keysOf(({ registrar }) => registrar ?? []))} and login_url is null
      and not exists (select 1 from domains where registrar_key = label_key)
      and not exists (select 1 from registrar_prices where registrar_key = label_key)`;
}

function keysOf(
  read: (values: (typeof sampleDomains)[number]["values"]) => string | string[],
): string[] {
  return [...new Set(sampleDomains.flatMap(({ values }) => read(values)).map(foldLabel))];
}
