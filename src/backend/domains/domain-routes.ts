import type { SQL } from "bun";
import { urlFor } from "../../shared/api.ts";
import type { Day } from "../../shared/day.ts";
import {
  type DomainDetail,
  parseChangePage,
  parseDomainDetail,
  parseSavedDomain,
  type SavedDomain,
} from "../../shared/domain.ts";
import { matchesStrongly } from "../../shared/entity-tag.ts";
import { parseDeleted } from "../../shared/operations.ts";
import { optional } from "../../shared/parse.ts";
import { parseHandledChange } from "../../shared/reminders.ts";
import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { parsePageSize, queryOf, parseId } from "../http/read-input.ts";
import { missingIfMatch, RequestError } from "../http/request-error.ts";
import { Reply, route, type RequestContext, type Route } from "../http/route.ts";
import { parseDomainName } from "./domain-name.ts";
import { listChanges, type Operator, startOperation } from "./write/history.ts";
import { parseDomainChange, parseNewDomain } from "./input.ts";
import { findDomain, readDomain, readDomainDetail } from "./list/read-domains.ts";
import {
  addDomain,
  deleteDomain,
  editDomain,
  handleDomain,
  type Saved,
} from "./write/save-domain.ts";
import type { AccountNews, CheckNews, ReminderNews } from "../../shared/register.ts";

/** Why nothing is checked now, and what to do. */
export const CHECKS_OFF = "Live checks are off. Turn them on first, under “Live checks”.";

/** What the live checks add to the routes of domains. */
export interface DomainChecks {
  isOn(): Promise<boolean>;
  /** Their latest results and findings. */
  read(sql: SQL, id: string): Promise<Pick<DomainDetail, "checks" | "waiting" | "findings">>;
  /** Of the domains of a person, as for home. */
  summarise(person: string | null): Promise<CheckNews>;
}

/** What the reminders know: their news for home, and the day that it is in their time zone. */
export interface DomainReminders {
  summarise(sql: SQL): Promise<ReminderNews>;
  readToday(sql: SQL): Promise<Day>;
}

/** What is known of accounts at registrars. */
export interface DomainAccounts {
  /** For home. */
  summarise(): Promise<AccountNews>;
  /** The account that has had a domain and has it no more. */
  findVanished(sql: SQL, domainId: string): Promise<DomainDetail["vanished"]>;
}

const DEFAULT_CHANGES = 100;

const parseHistoryQuery = queryOf({ limit: optional(parsePageSize), after: optional(parseId) });

type Context = Pick<RequestContext<"", "owner">, "database" | "request" | "user">;

/** The routes of one domain. `refusePastDay` throws for a snooze that would end by today. */
export function createSingleDomainRoutes(
  checks: DomainChecks,
  accounts: DomainAccounts,
  refusePastDay: (database: Database, pointer: string, until: Day | null) => Promise<void>,
): Route[] {
  /**
   * A domain with all that its screen shows, and the tag of that: the version, and a digest of the
   * rest, as checks make no new version.
   */
  async function readTagged(sql: SQL, id: string, checksOn: boolean) {
    const detail = await readDomainDetail(sql, id);
    if (detail === null) throw missingDomain();
    const vanished = await accounts.findVanished(sql, id);
    const domain: DomainDetail = {
      ...detail,
      ...(await checks.read(sql, id)),
      checksOn,
      vanished,
    };
    const etag = `"${domain.version}-${Bun.hash(JSON.stringify(domain)).toString(36)}"`;
    return { domain, etag };
  }

  async function show(database: Database, id: string): Promise<Reply<DomainDetail>> {
    const checksOn = await checks.isOn();
    const { domain, etag } = await database.read((sql) => readTagged(sql, id, checksOn));
    return new Reply(domain, [["ETag", etag]]);
  }

  /**
   * Saves a domain and answers it with the tag that GET has now: read in the same transaction, as
   * later it could be that of another person's change.
   */
  async function save(
    { database, user }: Context,
    name: string | undefined,
    write: (sql: SQL, author: Operator) => Promise<Saved>,
  ): Promise<Reply<SavedDomain>> {
    const checksOn = await checks.isOn();
    const { saved, etag } = await database
      .write(async (sql) => {
        const result = await write(sql, await startOperation(sql, user));
        if (result.kind !== "saved" && result.kind !== "stale") return { saved: result, etag: "" };
        const { id } = result.kind === "saved" ? result.domain : result.current;
        return { saved: result, etag: (await readTagged(sql, id, checksOn)).etag };
      })
      .catch(async (error: unknown) => ({
        saved: await takenMeanwhile(database, name, error),
        etag: "",
      }));
    const { domain, operation } = expectSaved(saved, etag);
    return new Reply({ ...domain, operation }, [["ETag", etag]]);
  }

  return [
    route({
      summary: "Add a domain",
      method: "POST",
      path: "/api/domains",
      role: "editor",
      body: parseNewDomain,
      answer: parseSavedDomain,
      statuses: [201],
      sends: ["ETag", "Location"],
      problems: [409],
      async handle(context) {
        const { body } = context;
        const added = await save(context, body.name.name, (sql, author) =>
          addDomain(sql, body, author),
        );
        added.headers.push(["Location", urlFor(context.peer, `/api/domains/${added.value.id}`)]);
        return added;
      },
    }),
    route({
      summary: "Read a domain",
      method: "GET",
      path: "/api/domains/:id",
      role: "viewer",
      answer: parseDomainDetail,
      statuses: [200, 304],
      sends: ["ETag"],
      handle: ({ database, params: { id } }) => show(database, id),
    }),
    route({
      summary: "Change a domain; an absent field stays as it is",
      method: "PATCH",
      path: "/api/domains/:id",
      role: "editor",
      body: parseDomainChange,
      answer: parseSavedDomain,
      sends: ["ETag"],
      problems: [409, 412, 428],
      async handle(context) {
        const { body, params } = context;
        const accepts = await readPrecondition(context, params.id);
        return save(context, body.name?.name, (sql, author) =>
          editDomain(sql, params.id, body, { accepts, author }),
        );
      },
    }),
    route({
      summary: "Move a domain to the bin",
      method: "DELETE",
      path: "/api/domains/:id",
      role: "editor",
      answer: parseDeleted,
      problems: [412, 428],
      async handle(context) {
        const { database, user, params } = context;
        const accepts = await readPrecondition(context, params.id);
        const checksOn = await checks.isOn();
        return database.write(async (sql) => {
          const author = await startOperation(sql, user);
          const deleted = await deleteDomain(sql, params.id, { accepts, author });
          const isStale = deleted.kind === "stale";
          expectSaved(deleted, isStale ? (await readTagged(sql, params.id, checksOn)).etag : "");
          return { operation: author.operation };
        });
      },
    }),
    // Newest first; a deleted domain keeps its own.
    route({
      summary: "List the changes of a domain, newest first",
      method: "GET",
      path: "/api/domains/:id/history",
      role: "viewer",
      query: parseHistoryQuery,
      answer: parseChangePage,
      async handle({ database, params, query: { limit = DEFAULT_CHANGES, after = null } }) {
        const page = { limit, after };
        const changes = await database.read((sql) => listChanges(sql, params.id, page));
        if (changes === null) throw missingDomain();
        return changes;
      },
    }),
    route({
      summary: "Send no reminders of a domain until a day, or until its expiry moves",
      method: "PUT",
      path: "/api/domains/:id/handled",
      role: "editor",
      body: parseHandledChange,
      answer: parseSavedDomain,
      sends: ["ETag"],
      async handle(context) {
        const { database, body, params } = context;
        await refusePastDay(database, "/until", body.until);
        return save(context, undefined, (sql, author) =>
          handleDomain(sql, params.id, body, author),
        );
      },
    }),
    route({
      summary: "Send reminders of a domain again",
      method: "DELETE",
      path: "/api/domains/:id/handled",
      role: "editor",
      answer: parseSavedDomain,
      sends: ["ETag"],
      handle: (context) =>
        save(context, undefined, (sql, author) =>
          handleDomain(sql, context.params.id, null, author),
        ),
    }),
    route({
      summary: "Read a domain by its name, in any form in which people write names",
      method: "GET",
      path: "/api/domains/:name",
      role: "viewer",
      answer: parseDomainDetail,
      statuses: [200, 304],
      sends: ["ETag"],
      async handle({ database, params }) {
        const name = parseDomainName(params.name);
        if ("code" in name) throw missingDomain();
        const id = await database.read((sql) => findDomain(sql, name.name));
        if (id === null) throw missingDomain();
        return show(database, id);
      },
    }),
  ];
}

/**
 * `If-Match` as a test of versions, without what a tag has besides. 404 comes before 428: the address
 * is wrong, not the request.
 */
async function readPrecondition({ database, request }: Context, id: string) {
  const header = request.headers.get("if-match");
  const versions = header?.replaceAll(/-[0-9a-z]+"/g, '"');
  if (versions !== undefined) {
    return (version: number) => matchesStrongly(versions, `"${version}"`);
  }
  const domain = await database.read((sql) => readDomain(sql, id));
  if (domain === null) throw missingDomain();
  throw missingIfMatch();
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

/** @param etag Of the copy that is there. @throws {RequestError} 404, 409 or 412 */
function expectSaved(saved: Saved, etag: string): Extract<Saved, { kind: "saved" }> {
  if (saved.kind === "saved") return saved;
  if (saved.kind === "missing") throw missingDomain();
  if (saved.kind === "stale") {
    const { current } = saved;
    const detail = "This domain has changed since you loaded it.";
    throw new RequestError(412, detail, { current }, { ETag: etag });
  }
  const detail = "You already have this domain.";
  const errors = [{ pointer: "/name", code: "taken", detail }];
  throw new RequestError(409, detail, { errors, existing: saved.existing });
}

function missingDomain(): RequestError {
  return new RequestError(404, "This domain does not exist.");
}
