import type { SQL } from "bun";
import { urlFor } from "../../shared/api.ts";
import type { Day } from "../../shared/day.ts";
import { parseChangePage } from "../../shared/changes.ts";
import { type Domain, parseSavedDomain, type SavedDomain } from "../../shared/domain.ts";
import { type DomainDetail, parseDomainDetail } from "../../shared/domain-detail.ts";
import { matchesStrongly } from "../../shared/entity-tag.ts";
import { parseDeleted } from "../../shared/operations.ts";
import { parseHandledChange } from "../../shared/reminders.ts";
import { type Database, readColumn } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { PAGE_SIZE, parsePage } from "../http/paging.ts";
import { missingIfMatch, RequestError } from "../http/request-error.ts";
import {
  EVERYTHING,
  Reply,
  route,
  type RequestContext,
  type Route,
  type Sight,
} from "../http/route.ts";
import { parseDomainName } from "./domain-name.ts";
import { listChanges, type Operator, startOperation } from "./write/history.ts";
import { parseDomainChange, parseNewDomain } from "./input.ts";
import { readDomain, readDomainDetail, readFields } from "./list/read-domains.ts";
import { putInBin, removeBinned } from "./write/bin.ts";
import {
  addDomain,
  editDomain,
  handleDomain,
  lockDomain,
  missingDomain,
  nameTaken,
  type Saved,
} from "./write/save-domain.ts";
import type { AccountNews, CheckNews, ReminderNews } from "../../shared/register.ts";

export const CHECKS_OFF = "Live checks are off. Turn them on first, under “Live checks”.";

export interface DomainChecks {
  isOn(sql: SQL): Promise<boolean>;
  read(sql: SQL, id: string): Promise<Pick<DomainDetail, "checks" | "waiting" | "findings">>;
  summarise(): Promise<CheckNews>;
}

export interface DomainReminders {
  summarise(sql: SQL): Promise<ReminderNews>;
  readToday(sql: SQL): Promise<Day>;
}

export interface DomainAccounts {
  summarise(): Promise<AccountNews>;
  findVanished(sql: SQL, domainId: string): Promise<DomainDetail["vanished"]>;
}

type Context = Pick<RequestContext<"", "owner">, "database" | "request" | "user" | "sight">;

/** The routes of one domain. `refusePastDay` throws for a snooze that would end by today. */
export function createSingleDomainRoutes(
  checks: DomainChecks,
  accounts: DomainAccounts,
  refusePastDay: (database: Database, pointer: string, until: Day | null) => Promise<void>,
): Route[] {
  /** A domain as its screen shows it, with a tag of the version and a digest of all. */
  async function readTagged(sql: SQL, id: string, sight: Sight) {
    const detail = await readDomainDetail(sql, id, sight);
    if (detail === null) throw missingDomain();
    const vanished = sight === EVERYTHING ? await accounts.findVanished(sql, id) : null;
    const checksOn = await checks.isOn(sql);
    const domain: DomainDetail = { ...detail, ...(await checks.read(sql, id)), checksOn, vanished };
    const etag = `"${domain.version}-${Bun.hash(JSON.stringify(domain)).toString(36)}"`;
    return { domain, etag };
  }

  async function show(database: Database, id: string, sight: Sight): Promise<Reply<DomainDetail>> {
    const { domain, etag } = await database.read((sql) => readTagged(sql, id, sight));
    return new Reply(domain, [["ETag", etag]]);
  }

  /**
   * Answers with the tag that GET has now, read in the same transaction, before another person's
   * change.
   *
   * @param name The name that it is to have.
   */
  async function save(
    { database, user, sight }: Context,
    name: string | undefined,
    write: (sql: SQL, author: Operator) => Promise<Saved>,
  ): Promise<Reply<SavedDomain>> {
    const { domain, operation, etag } = await database
      .write(async (sql) => {
        const saved = await write(sql, await startOperation(sql, user));
        return { ...saved, etag: (await readTagged(sql, saved.domain.id, sight)).etag };
      })
      .catch(async (error: unknown) => {
        // Two instances may use the same name at once: then only the constraint sees it.
        if (name === undefined || !isUniqueViolation(error)) throw error;
        const [existing] = await database.read((sql) => readFields(sql, "name", [name]));
        throw nameTaken(existing ?? { id: "", archivedOn: null });
      });
    return new Reply({ ...domain, operation }, [["ETag", etag]]);
  }

  /** Locks the version that `If-Match` names. @throws {RequestError} 404 before 428, and 412. */
  async function lockCopy(
    sql: SQL,
    { request, sight, params: { id } }: Context & { params: { id: string } },
  ): Promise<Domain> {
    const before = await lockDomain(sql, id);
    const tags = request.headers.get("if-match")?.replaceAll(/-[0-9a-z]+"/g, '"');
    if (tags === undefined) throw missingIfMatch();
    if (matchesStrongly(tags, `"${before.version}"`)) return before;
    const current = await readDomain(sql, id, sight);
    const { etag } = await readTagged(sql, id, sight);
    const detail = "This domain has changed since you loaded it.";
    throw new RequestError(412, detail, { current }, { ETag: etag });
  }

  return [
    route("POST /api/domains", "editor", {
      summary: "Add a domain",
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
    route("GET /api/domains/:id", "limited", {
      summary: "Read a domain",
      answer: parseDomainDetail,
      statuses: [200, 304],
      sends: ["ETag"],
      handle: ({ database, sight, params: { id } }) => show(database, id, sight),
    }),
    route("PATCH /api/domains/:id", "editor", {
      summary: "Change a domain; an absent field stays as it is",
      body: parseDomainChange,
      answer: parseSavedDomain,
      sends: ["ETag"],
      problems: [409, 412, 428],
      async handle(context) {
        const { body } = context;
        return save(context, body.name?.name, async (sql, author) =>
          editDomain(sql, await lockCopy(sql, context), body, author),
        );
      },
    }),
    route("DELETE /api/domains/:id", "editor", {
      summary: "Move a domain to the bin",
      answer: parseDeleted,
      problems: [412, 428],
      handle: (context) =>
        context.database.write(async (sql) => {
          const author = await startOperation(sql, context.user);
          await putInBin(sql, [await lockCopy(sql, context)], author);
          await removeBinned(sql, author);
          return { operation: author.operation };
        }),
    }),
    // Newest first; a deleted domain keeps its own.
    route("GET /api/domains/:id/history", "limited", {
      summary: "List the changes of a domain, newest first",
      query: parsePage,
      answer: parseChangePage,
      async handle({ database, params, sight, query: { limit = PAGE_SIZE, after = null } }) {
        const page = { limit, after, sight };
        const changes = await database.read((sql) => listChanges(sql, params.id, page));
        if (changes === null) throw missingDomain();
        return changes;
      },
    }),
    route("PUT /api/domains/:id/handled", "editor", {
      summary: "Send no reminders of a domain until a day, or until its expiry moves",
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
    route("DELETE /api/domains/:id/handled", "editor", {
      summary: "Send reminders of a domain again",
      answer: parseSavedDomain,
      sends: ["ETag"],
      handle: (context) =>
        save(context, undefined, (sql, author) =>
          handleDomain(sql, context.params.id, null, author),
        ),
    }),
    route("GET /api/domains/:name", "limited", {
      summary: "Read a domain by its name, in any form in which people write names",
      answer: parseDomainDetail,
      statuses: [200, 304],
      sends: ["ETag"],
      async handle({ database, params, sight }) {
        const name = parseDomainName(params.name);
        if ("code" in name) throw missingDomain();
        const [id] = await database.read((sql) =>
          readColumn(sql`select id from domains where name = ${name.name}`),
        );
        if (id === undefined) throw missingDomain();
        return show(database, id, sight);
      },
    }),
  ];
}
