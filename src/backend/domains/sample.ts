import type { SQL } from "bun";
import { addDays, utcToday } from "../../shared/day.ts";
import { list, text } from "../../shared/parse.ts";
import { foldLabel } from "../../shared/text.ts";
import { RequestError } from "../http/request-error.ts";
import { json, noContent } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { readSetting, removeSetting, saveSetting } from "../setting-store.ts";
import { addObservations, refreshExpiry } from "./expiry.ts";
import { startOperation, type Operator } from "./history.ts";
import { parseNewDomain } from "./input.ts";
import sampleDomains from "./sample-domains.json" with { type: "json" };
import { addDomain } from "./save-domain.ts";

/** The setting with the ids of the sample domains. */
const NAME = "sample domains";
const parseIds = list(text);

/** What reports the day of a domain without a registrar, and the other day where two differ. */
const OTHER_SOURCE = "portfolio.csv";

export const sampleRoute: Route = {
  path: "/api/sample",
  methods: { POST: addSample, DELETE: removeSample },
};

/** Whether the register holds sample data that has not been removed. */
export async function hasSample(sql: SQL): Promise<boolean> {
  return (await readSetting(sql, NAME, parseIds)) !== null;
}

/** `POST /api/sample`: 409 where the register is not empty. Days are relative to today. */
async function addSample({ database, user }: RequestContext): Promise<Response> {
  const author = startOperation(user.email);
  const ids = await database.write(async (sql) => {
    if ((await sql<unknown[]>`select 1 from domains limit 1`).length > 0) throw notEmpty();
    const added: string[] = [];
    for (const sample of sampleDomains) added.push(await addOne(sql, sample, author));
    await saveSetting(sql, NAME, added);
    return added;
  });
  return json({ names: ids.length }, 201);
}

async function addOne(
  sql: SQL,
  { values, expiresIn, otherSourceIn }: (typeof sampleDomains)[number],
  author: Operator,
): Promise<string> {
  const saved = await addDomain(sql, parseNewDomain(values), author);
  if (saved.kind !== "saved") throw notEmpty();
  const { id, registrar } = saved.domain;
  const reports = [
    { source: OTHER_SOURCE, days: otherSourceIn, reportedIn: -90 },
    { source: registrar ?? OTHER_SOURCE, days: expiresIn, reportedIn: 0 },
  ];
  const observations = reports.flatMap(({ source, days, reportedIn }) => {
    if (days === null) return [];
    const date = addDays(utcToday(), days);
    const observedAt = `${addDays(utcToday(), reportedIn)}${author.at.slice(10)}`;
    return [{ domainId: id, source, date, observedAt }];
  });
  await addObservations(sql, observations);
  await refreshExpiry(sql, id);
  return id;
}

/**
 * `DELETE /api/sample`: removes the domains of the sample, edited or not, with all trace of them, and
 * the registrars and tags that nothing else uses.
 */
async function removeSample({ database }: RequestContext): Promise<Response> {
  await database.write(async (sql) => {
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
  });
  return noContent();
}

/** The folded labels that the sample brought. */
function keysOf(
  read: (values: (typeof sampleDomains)[number]["values"]) => string | string[],
): string[] {
  return [...new Set(sampleDomains.flatMap(({ values }) => read(values)).map(foldLabel))];
}

function notEmpty(): RequestError {
  return new RequestError(409, "Sample data can only be added while there are no domains.");
}
