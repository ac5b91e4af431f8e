import type { SQL } from "bun";
import { parseDay, utcToday, type Day } from "../../shared/day.ts";
import type { DomainDetail, SavedDomain } from "../../shared/domain.ts";
import { matchesStrongly, matchesWeakly } from "../../shared/entity-tag.ts";
import type { parseDeleted } from "../../shared/operations.ts";
import { exactObject, list, optional, type Parsed } from "../../shared/parse.ts";
import type { BulkResult, CheckNews, ReminderNews, Summary } from "../../shared/register.ts";
import { parseHandledChange } from "../../shared/reminders.ts";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { decodeSegment, parsePageSize, parseParameters, readJson } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { csvFile, etagOf, json } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { changeMany, isTooManyTags } from "./bulk.ts";
import { exportCsv, exportSelected } from "./csv-export.ts";
import { parseDomainName } from "./domain-name.ts";
import { listChanges, startOperation } from "./history.ts";
import { parseBulk, parseDomainChange, parseId, parseNewDomain } from "./input.ts";
import { listDomains, parseListQuery, readView } from "./list-domains.ts";
import { sumYearlyCost, summarise } from "./overview.ts";
import { listFacets } from "./facets.ts";
import { findDomain, readDomain, readDomainDetail } from "./read-domains.ts";
import { addDomain, deleteDomain, editDomain, handleDomain, type Saved } from "./save-domain.ts";

/** Enough for a bulk change of 20,000 listed ids. */
const MAX_BULK_BYTES = 1024 * 1024;

const DEFAULT_CHANGES = 100;

/** Why nothing is checked now, and what to do. */
export const CHECKS_OFF = "Live checks are off. Turn them on first, under “Live checks”.";

/** What the live checks add to the routes of domains. */
export interface DomainChecks {
  isOn(): Promise<boolean>;
  /** Their latest results and findings. */
  read(sql: SQL, id: string): Promise<Pick<DomainDetail, "checks" | "waiting" | "findings">>;
  summarise(sql: SQL): Promise<CheckNews>;
}

/** What the reminders know: their news for home, and the day that it is in their time zone. */
export interface DomainReminders {
  summarise(sql: SQL): Promise<ReminderNews>;
  readToday(sql: SQL): Promise<Day>;
}

export function createDomainRoutes(
  checks: DomainChecks,
  reminders: DomainReminders,
): readonly Route[] {
  return [
    { path: "/api/domains", methods: { GET: showDomains, POST: createDomain } },
    {
      path: "/api/domains/bulk",
      methods: { POST: (context) => changeDomains(context, checks, reminders) },
    },
    { path: "/api/domains.csv", methods: { GET: exportDomains, POST: exportListed } },
    { path: "/api/domains/cost", methods: { GET: showCost } },
    {
      path: "/api/domains/:id",
      methods: {
        GET: (context, id) => showDomain(context, id, checks),
        PATCH: changeDomain,
        DELETE: removeDomain,
      },
    },
    { path: "/api/domains/:id/history", methods: { GET: showHistory } },
    {
      path: "/api/domains/:id/handled",
      methods: { PUT: (context, id) => putOff(context, id, reminders), DELETE: takeBack },
    },
    {
      path: "/api/domains/:name",
      methods: { GET: (context, name) => showNamed(context, name, checks) },
    },
    {
      path: "/api/summary",
      methods: { GET: (context) => showSummary(context, checks, reminders) },
    },
    { path: "/api/facets", methods: { GET: showFacets } },
  ];
}

async function showDomains({ database, url }: RequestContext): Promise<Response> {
  const query = parseListQuery(url.searchParams);
  return json(await database.read((sql) => listDomains(sql, query)));
}

async function createDomain(context: RequestContext): Promise<Response> {
  const values = await readJson(context, parseNewDomain);
  const { database, user } = context;
  const author = startOperation(user.email);
  const saved = await database
    .write((sql) => addDomain(sql, values, author))
    .catch((error: unknown) => takenMeanwhile(database, values.name.name, error));
  const domain = expectSaved(saved);
  const headers = { ETag: etagOf(domain.version), Location: `/api/domains/${domain.id}` };
  return json(domain, 201, headers);
}

/** `GET /api/domains/:name`, in any form in which people write names. */
async function showNamed(
  context: RequestContext,
  segment: string,
  checks: DomainChecks,
): Promise<Response> {
  const name = parseDomainName(decodeSegment(segment));
  if ("code" in name) throw missingDomain();
  const id = await context.database.read((sql) => findDomain(sql, name.name));
  if (id === null) throw missingDomain();
  return showDomain(context, id, checks);
}

/**
 * `GET /api/domains/:id`, 304 where `If-None-Match` has its tag: the version, and a digest of all else
 * that it shows, as checks make no new version.
 */
async function showDomain(
  { database, request }: RequestContext,
  id: string,
  checks: DomainChecks,
): Promise<Response> {
  const checksOn = await checks.isOn();
  const domain: DomainDetail | null = await database.read(async (sql) => {
    const detail = await readDomainDetail(sql, id);
    return detail === null ? null : { ...detail, ...(await checks.read(sql, id)), checksOn };
  });
  if (domain === null) throw missingDomain();
  const etag = `"${domain.version}-${Bun.hash(JSON.stringify(domain)).toString(36)}"`;
  if (matchesWeakly(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag } });
  }
  return json(domain, 200, { ETag: etag });
}

/** `PATCH /api/domains/:id` with `If-Match`; an absent field stays as it is. */
async function changeDomain(context: RequestContext, id: string): Promise<Response> {
  const { database, user } = context;
  const accepts = await readPrecondition(context, id);
  const values = await readJson(context, parseDomainChange);
  const author = startOperation(user.email);
  const saved = await database
    .write((sql) => editDomain(sql, id, values, { accepts, author }))
    .catch((error: unknown) => takenMeanwhile(database, values.name?.name, error));
  const domain = expectSaved(saved);
  return json(domain, 200, { ETag: etagOf(domain.version) });
}

/** `PUT /api/domains/:id/handled`: no reminders until a day, or until the expiry moves. */
async function putOff(
  context: RequestContext,
  id: string,
  reminders: DomainReminders,
): Promise<Response> {
  const change = await readJson(context, parseHandledChange);
  await refusePastDay(context, reminders, { pointer: "/until", until: change.until });
  return saveHandled(context, id, change);
}

/** @throws {RequestError} 400 for a snooze that would end by today. */
async function refusePastDay(
  { database }: RequestContext,
  { readToday }: DomainReminders,
  { pointer, until }: { pointer: string; until: Day | null },
): Promise<void> {
  if (until === null || until > (await database.read(readToday))) return;
  throw badFields([{ pointer, code: "range", detail: "Choose a day after today." }]);
}

/** `DELETE /api/domains/:id/handled`: reminders come again. */
function takeBack(context: RequestContext, id: string): Promise<Response> {
  return saveHandled(context, id, null);
}

async function saveHandled(
  { database, user }: RequestContext,
  id: string,
  change: { until: Day | null } | null,
): Promise<Response> {
  const author = startOperation(user.email);
  const saved = await database.write((sql) => handleDomain(sql, id, change, author));
  const domain = expectSaved(saved);
  return json(domain, 200, { ETag: etagOf(domain.version) });
}

/** `DELETE /api/domains/:id` with `If-Match`: into the bin. */
async function removeDomain(context: RequestContext, id: string): Promise<Response> {
  const accepts = await readPrecondition(context, id);
  const author = startOperation(context.user.email);
  expectSaved(await context.database.write((sql) => deleteDomain(sql, id, { accepts, author })));
  return json({ operation: author.operation } satisfies Parsed<typeof parseDeleted>);
}

/** `POST /api/domains/bulk`: all or nothing; 409 with `count` where another number matches now. */
async function changeDomains(
  context: RequestContext,
  checks: DomainChecks,
  reminders: DomainReminders,
): Promise<Response> {
  const bulk = await readJson(context, parseBulk, MAX_BULK_BYTES);
  if (bulk.change.kind === "check" && !(await checks.isOn())) {
    throw new RequestError(409, CHECKS_OFF);
  }
  if (bulk.change.kind === "handle") {
    await refusePastDay(context, reminders, { pointer: "/op/until", until: bulk.change.until });
  }
  const { database, user } = context;
  const outcome = await database
    .writeMany(changeMany, { ...bulk, email: user.email })
    .catch((error: unknown) => {
      if (!isTooManyTags(error)) throw error;
      throw badFields([{ pointer: "/op/addTags", code: "length", detail: error.message }]);
    });
  if (outcome.kind === "count") {
    const { count } = outcome;
    const detail = `Nothing was changed: ${count} domains match now, not as many as expected.`;
    throw new RequestError(409, detail, { count });
  }
  const { matched, changed, operation } = outcome;
  return json({ matched, changed, operation } satisfies BulkResult);
}

/** `GET /api/domains.csv`: every domain of the view. */
async function exportDomains({ database, url }: RequestContext): Promise<Response> {
  return csvFile(csvName(), exportCsv(database, readView(url.searchParams)));
}

/** Listed domains of one export; more of them are a filter. */
const MAX_LISTED = 10_000;
const MAX_EXPORT_BYTES = 1024 * 1024;

const parseExport = exactObject({ ids: list(parseId, { min: 1, max: MAX_LISTED }) });

/** `POST /api/domains.csv { ids }`: these domains, in this order. */
async function exportListed(context: RequestContext): Promise<Response> {
  const { ids } = await readJson(context, parseExport, MAX_EXPORT_BYTES);
  return csvFile(csvName(), exportSelected(context.database, ids));
}

function csvName(): string {
  return `domains-${utcToday()}.csv`;
}

/** `GET /api/domains/cost`: what the domains of a view cost per year. */
async function showCost({ database, url }: RequestContext): Promise<Response> {
  const view = readView(url.searchParams);
  return json(await database.read((sql) => sumYearlyCost(sql, view)));
}

const parseHistoryPage = exactObject({
  limit: optional(parsePageSize),
  after: optional(parseId),
});

/** `GET /api/domains/:id/history`: newest first; a deleted domain keeps its own. */
async function showHistory({ database, url }: RequestContext, id: string): Promise<Response> {
  const page = parseParameters(url.searchParams, parseHistoryPage);
  const { limit = DEFAULT_CHANGES, after = null } = page;
  const changes = await database.read((sql) => listChanges(sql, id, { limit, after }));
  if (changes === null) throw missingDomain();
  return json(changes);
}

const parseSummaryQuery = exactObject({ today: optional(parseDay) });

/** `GET /api/summary?today=`; UTC's day unless the client names its own. */
async function showSummary(
  { database, url }: RequestContext,
  checks: DomainChecks,
  reminders: DomainReminders,
): Promise<Response> {
  const { today = utcToday() } = parseParameters(url.searchParams, parseSummaryQuery);
  const summary: Summary = await database.read(async (sql) => ({
    ...(await summarise(sql, today)),
    checks: await checks.summarise(sql),
    reminders: await reminders.summarise(sql),
  }));
  return json(summary);
}

async function showFacets({ database, url }: RequestContext): Promise<Response> {
  parseParameters(url.searchParams, exactObject({}));
  return json(await listFacets(database));
}

/** `If-Match` as a test of versions, without what a tag has besides. 404 comes before 428: the address is wrong, not the request. */
async function readPrecondition({ database, request }: RequestContext, id: string) {
  const header = request.headers.get("if-match");
  const versions = header?.replaceAll(/-[0-9a-z]+"/g, '"');
  if (versions !== undefined) {
    return (version: number) => matchesStrongly(versions, etagOf(version));
  }
  const domain = await database.read((sql) => readDomain(sql, id));
  if (domain === null) throw missingDomain();
  throw new RequestError(428, "Expected If-Match with the ETag of the copy to be changed.");
}

/** Two instances may use the same name at once: then only the constraint sees it. */
async function takenMeanwhile(
  database: Database,
  name: string | undefined,
  error: unknown,
): Promise<Saved> {
  if (name === undefined || !isUniqueViolation(error)) throw error;
  const id = await database.read((sql) => findDomain(sql, name));
  return { kind: "taken", existing: id ?? "" };
}

/** @throws {RequestError} 404, 409 or 412 */
function expectSaved(saved: Saved): SavedDomain {
  if (saved.kind === "saved") return { ...saved.domain, operation: saved.operation };
  if (saved.kind === "missing") throw missingDomain();
  if (saved.kind === "stale") {
    const { current } = saved;
    const detail = "This domain has changed since you loaded it.";
    throw new RequestError(412, detail, { current }, { ETag: etagOf(current.version) });
  }
  const detail = "You already have this domain.";
  const errors = [{ pointer: "/name", code: "taken", detail }];
  throw new RequestError(409, detail, { errors, existing: saved.existing });
}

function missingDomain(): RequestError {
  return new RequestError(404, "This domain does not exist.");
}
