import { parseRecentChanges } from "../../shared/changes.ts";
import { parseDay, utcToday, type Day } from "../../shared/day.ts";
import { parseDomainPage } from "../../shared/domain.ts";
import { withPerson } from "../../shared/filter.ts";
import { UUID } from "../../shared/text.ts";
import * as p from "../../shared/parse.ts";
import { parseFacets, parseYearlyCosts } from "../../shared/facets.ts";
import { parseNews } from "../../shared/news.ts";
import { NO_NEWS, parseBulkResult, parseSummary } from "../../shared/register.ts";
import type { View } from "../../shared/view.ts";
import { parseConflicts } from "../../shared/settling.ts";
import { recordRequest } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { queryOf, parseId } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import { csvFile } from "../http/responses.ts";
import {
  EVERYTHING,
  Reply,
  route,
  type RequestContext,
  type Route,
  type User,
} from "../http/route.ts";
import { changeMany, foretellMany, parseBulk } from "./write/bulk.ts";
import { listConflicts } from "./write/conflicts.ts";
import { exportCsv } from "./list/csv-export.ts";
import {
  createSingleDomainRoutes,
  type DomainAccounts,
  type DomainChecks,
  type DomainReminders,
  CHECKS_OFF,
} from "./domain-routes.ts";
import { parseSelection, type ParsedSelection } from "./input.ts";
import { refuseHidden } from "./list/shown.ts";
import { parseListQuery, parseViewQuery, readPage, sweepCounts } from "./list/list-domains.ts";
import { peopleNamesRoute, refuseUnknownPerson } from "./people.ts";
import { readSummary, readYearlyCost } from "./overview.ts";
import { parseChangesQuery } from "./changes-query.ts";
import { MAX_TIMES, parseNewsQuery, readChangedAt } from "./news.ts";
import { readChanges } from "./recent-changes.ts";
import { readFacets } from "./list/facets.ts";
import { listLastTimes } from "./write/history.ts";
import { createUndoRoutes, type Undos } from "./write/undo-operation.ts";
import { sampleRoutes } from "./sample.ts";
import { settingsRoutes } from "./settings.ts";
import { registrarRoutes } from "./registrars.ts";
import { viewRoutes } from "./list/views.ts";
import { binRoutes, sweepBin } from "./write/bin.ts";

/** Enough for 20,000 listed ids. */
const MAX_LIST_BYTES = 1024 * 1024;

/** Listed domains of one export; more of them are a filter. */
const MAX_LISTED = 10_000;

const parseExport = p.exactObject({ ids: p.list(parseId, { min: 1, max: MAX_LISTED }) });
const parseConflictRequest = p.exactObject({ select: parseSelection });

/** Whose domains home is about: `auto` is `me` for those who have any, else `all`. */
const parseWhose = p.textLike(
  new RegExp(`^(?:me|none|all|auto)$|${UUID.source}`),
  "value",
  "me, none, all, auto, or the id of a person",
);

const parseDayQuery = queryOf({ today: p.optional(parseDay) });
const parseSummaryQuery = queryOf({ today: p.optional(parseDay), person: p.optional(parseWhose) });

export const createDomains = (
  checks: DomainChecks,
  reminders: DomainReminders,
  accounts: { ofDomains: DomainAccounts; undos: Undos },
) => ({
  routes: [
    ...createDomainRoutes(checks, reminders, accounts.ofDomains),
    ...createUndoRoutes(accounts.undos),
    ...binRoutes,
    ...sampleRoutes,
    ...settingsRoutes,
    ...registrarRoutes,
    ...viewRoutes,
  ],
  sweeps: [sweepBin, sweepCounts],
});

function createDomainRoutes(
  checks: DomainChecks,
  reminders: DomainReminders,
  accounts: DomainAccounts,
): Route[] {
  /** @throws {RequestError} 400 for a snooze that would end by today. */
  async function refusePastDay(database: Database, pointer: string, until: Day | null) {
    if (until === null || until > (await database.read(reminders.readToday))) return;
    throw badFields([{ pointer, code: "range", detail: "Choose a day after today." }]);
  }

  // All or nothing; 409 with `count` where another number matches now.
  const bulk = (
    address: `POST /api/domains/bulk${string}`,
    summary: string,
    job: typeof changeMany,
  ) =>
    route(address, "editor", {
      summary,
      body: parseBulk,
      maxBytes: MAX_LIST_BYTES,
      answer: parseBulkResult,
      problems: [409],
      async handle({ database, user, body: { select, op } }) {
        if (op.kind === "check" && !(await database.read(checks.isOn))) {
          throw new RequestError(409, CHECKS_OFF);
        }
        if (op.kind === "edit") {
          const { person } = op.given;
          await database.read((sql) => refuseUnknownPerson(sql, person?.id, "/op/person"));
        }
        if (op.kind === "handle") await refusePastDay(database, "/op/until", op.given.until);
        return database.writeMany(job, { select: ofSelector(select, user), op, by: user });
      },
    });

  return [
    route("GET /api/domains", "limited", {
      summary: "List domains",
      query: parseListQuery,
      answer: parseDomainPage,
      handle: (context) => context.database.readMany(readPage, viewOf(context)),
    }),
    bulk("POST /api/domains/bulk", "Change many domains at once, all or none", changeMany),
    bulk("POST /api/domains/bulk/foretell", "Say what a bulk change would do now", foretellMany),
    route("POST /api/domains/conflicts", "editor", {
      summary: "List the expiry dates of domains whose sources disagree",
      body: parseConflictRequest,
      maxBytes: MAX_LIST_BYTES,
      answer: parseConflicts,
      handle: ({ database, user, body: { select } }) =>
        listConflicts(database, ofSelector(select, user)),
    }),
    route("GET /api/domains.csv", "limited", {
      summary: "Export every domain of a view",
      query: parseViewQuery,
      answer: "text/csv",
      handle(context) {
        const lines = exportCsv(context.database, viewOf(context));
        return exportFile(context, { subject: "Domains" }, csvName(), lines);
      },
    }),
    route("POST /api/domains.csv", "limited", {
      summary: "Export these domains, in this order",
      body: parseExport,
      maxBytes: MAX_LIST_BYTES,
      answer: "text/csv",
      handle(context) {
        const { database, body, sight } = context;
        const { ids } = body;
        const about = { subject: "Domains", detail: `${ids.length} chosen` };
        return exportFile(context, about, csvName(), exportCsv(database, { ids, sight }));
      },
    }),
    route("GET /api/domains/cost", "limited", {
      summary: "Add up what the domains of a view cost per year",
      query: parseViewQuery,
      answer: parseYearlyCosts,
      handle: (context) => context.database.readMany(readYearlyCost, viewOf(context)),
    }),
    peopleNamesRoute,
    ...createSingleDomainRoutes(checks, accounts, refusePastDay),
    // UTC's day unless the client names its own.
    route("GET /api/summary", "limited", {
      summary: "Summarise the register and what is to be done",
      query: parseSummaryQuery,
      answer: parseSummary,
      async handle({ database, user, sight, query: { today = utcToday(), person = "all" } }) {
        const summary = await database.readMany(readSummary, { today, person, me: user.id, sight });
        if (sight !== EVERYTHING) return { ...summary, ...NO_NEWS };
        return {
          ...summary,
          checks: await checks.summarise(),
          reminders: await database.read((sql) => reminders.summarise(sql)),
          accounts: await accounts.summarise(),
        };
      },
    }),
    route("GET /api/changes", "limited", {
      summary: "List what was done, newest first",
      query: parseChangesQuery,
      answer: parseRecentChanges,
      handle: ({ database, query, sight }) => database.readMany(readChanges, { ...query, sight }),
    }),
    // Asked often, mostly for nothing: reads no domain unless times are named.
    route("GET /api/news", "limited", {
      summary: "Say when something was changed last, and by whom",
      query: parseNewsQuery,
      answer: parseNews,
      statuses: [200, 304],
      sends: ["ETag"],
      async handle({ database, sight, query: { at } }) {
        const times = await database.read((sql) => listLastTimes(sql, MAX_TIMES, sight));
        if (at === undefined) {
          return new Reply({ times, changes: [] }, [["ETag", `"${Bun.hash(times.join())}"`]]);
        }
        const changes = await database.readMany(readChangedAt, { times: at.split(","), sight });
        return new Reply({ times, changes });
      },
    }),
    route("GET /api/facets", "limited", {
      summary: "List the values to filter by",
      query: parseDayQuery,
      answer: parseFacets,
      handle: ({ database, sight, query: { today = utcToday() } }) =>
        database.readMany(readFacets, { today, sight }),
    }),
  ];
}

/** A view as its user reads it: `me` is them. @throws {RequestError} 403 by what they do not see. */
export function viewOf<V extends Pick<View, "filter" | "sort">>(
  context: Pick<RequestContext<"", "limited">, "user" | "sight"> & { query: V },
) {
  const { query, user, sight } = context;
  const sorted = query.sort.map(({ field }) => field);
  refuseHidden([...Object.keys(query), ...Object.keys(query.filter), ...sorted], sight);
  return { ...query, filter: withPerson(query.filter, user.id), sight };
}

function ofSelector(selection: ParsedSelection, { id }: User): ParsedSelection {
  if (selection.kind === "ids") return selection;
  return { ...selection, filter: withPerson(selection.filter, id) };
}

/** An export that cannot be recorded is not given; nothing is given to HEAD. */
export async function exportFile(
  context: Pick<RequestContext<"", "limited">, "database" | "request" | "user" | "peer">,
  about: { subject: string; detail?: string },
  fileName: string,
  lines: AsyncGenerator<string>,
): Promise<Response> {
  if (context.request.method !== "HEAD") {
    await context.database.write((sql) => recordRequest(sql, context, "exported", about));
  }
  return csvFile(fileName, lines);
}

function csvName(): string {
  return `domains-${utcToday()}.csv`;
}
