import { DAY_MS } from "../../../shared/day.ts";
import type { SQL } from "bun";
import { parseDomain, type Domain } from "../../../shared/domain.ts";
import {
  type BinItem,
  type BinPage,
  parseBinPage,
  parseBinRestored,
} from "../../../shared/operations.ts";
import * as p from "../../../shared/parse.ts";
import { foldLabel } from "../../../shared/text.ts";
import { type Audited, recordAudit } from "../../audit/audit.ts";
import { insertRows, updateRows } from "../../database/bulk-rows.ts";
import {
  countRows,
  type Database,
  hasRows,
  type Job,
  instantIn,
  readColumn,
} from "../../database/database.ts";
import { PAGE_SIZE, pageOf, parsePage, wholeNumber } from "../../http/paging.ts";
import { parseId, queryOf } from "../../http/read-input.ts";
import { RequestError } from "../../http/request-error.ts";
import { route, type Route } from "../../http/route.ts";
import { toReport, type ObservationRow } from "../expiry/expiry.ts";
import {
  addChanges,
  changedFields,
  changeIdAt,
  historyName,
  startOperation,
  type Author,
  type Maker,
} from "./history.ts";
import { writeDomains, type DomainEdit } from "./write-domains.ts";

const BIN_DAYS = 30;

const BIN_MS = BIN_DAYS * DAY_MS;

/** Domains that one request restores; more come back by undoing what deleted them. */
const MAX_RESTORED = 200;

const parseRestore = p.exactObject({ ids: p.list(parseId, { min: 1, max: MAX_RESTORED }) });
const parseExpected = queryOf({ expectedCount: p.optional(wholeNumber(0)) });

export const binRoutes: readonly Route[] = [
  route("GET /api/bin", "viewer", {
    summary: "List the deleted domains",
    query: parsePage,
    answer: parseBinPage,
    handle: ({ database, query }) => database.readMany(readBin, query),
  }),
  route("DELETE /api/bin", "editor", {
    summary: "Empty the bin for good, if it holds `expectedCount` domains",
    query: parseExpected,
    answer: null,
    problems: [409],
    handle: ({ database, user, peer: { address }, query: { expectedCount } }) =>
      database.writeMany(emptyBin, { by: user, address, expectedCount }),
  }),
  // 404 where none of the domains is in the bin any more.
  route("POST /api/bin/restore", "editor", {
    summary: "Restore deleted domains",
    body: parseRestore,
    answer: parseBinRestored,
    problems: [404],
    handle: ({ database, user, body: { ids } }) =>
      database.writeMany(restoreFromBin, { ids, by: user }),
  }),
];

/** What the bin keeps of a domain: everything but its history, which stays where it is. */
interface BinContent {
  domain: unknown;
  observations: ObservationRow[];
}

type BinRow = Record<"id" | "domain_id" | "name" | "unicode" | "content", string>;

/** Copies domains to the bin, and returns how many. They stay in the register until `removeBinned`. */
export async function putInBin(
  sql: SQL,
  domains: readonly Domain[],
  author: Author,
): Promise<number> {
  if (domains.length === 0) return 0;
  const ids = domains.map(({ id }) => id);
  const observations = await sql<ObservationRow[]>`
    select * from observations where domain_id in ${sql(ids)}`;
  const reports = Map.groupBy(observations, (row) => row.domain_id);
  const rows = domains.map((domain) => {
    const content: BinContent = { domain, observations: reports.get(domain.id) ?? [] };
    return {
      id: changeIdAt(author.at),
      domain_id: domain.id,
      name: domain.name,
      unicode: domain.unicode,
      deleted_at: author.at,
      deleted_by: author.by.id,
      deleted_by_name: historyName(author.by),
      operation: author.operation ?? null,
      content: JSON.stringify(content),
    };
  });
  // Of a row that another transaction has added meanwhile, Postgres makes a conflict, which is tried again.
  await insertRows(sql, "bin", rows, "on conflict (domain_id) do nothing");
  // A deleted domain takes these along, but one at a time, which is slower.
  await sql`delete from domain_tags where domain_id in ${sql(ids)}`;
  await sql`delete from observations where domain_id in ${sql(ids)}`;
  const changes = domains.map((domain) => {
    const fields = changedFields(domain, null);
    return { domainId: domain.id, action: "deleted" as const, fields };
  });
  await addChanges(sql, changes, author);
  return changes.length;
}

/** Removes what is in the bin since `at` by one statement, which SQLite runs in table order. */
export async function removeBinned(sql: SQL, { at }: Author): Promise<void> {
  await sql`delete from domains where id in (select domain_id from bin where deleted_at = ${at})`;
}

/**
 * Restores those of the domains that are in the bin, with ids, tags and reports. `taken` stay there, as
 * their names have been added again.
 *
 * @param operation Restores only what this operation deleted.
 */
export async function restoreDomains(
  sql: SQL,
  ids: readonly string[],
  author: Author,
  operation?: string,
): Promise<{ restored: Domain[]; taken: BinRow[] }> {
  if (ids.length === 0) return { restored: [], taken: [] };
  // Another restore of the same name waits for this one: neither could see the other's domain.
  await sql`update bin set name = name
    where name in (select name from bin where domain_id in ${sql(ids)})`;
  const only = operation === undefined ? sql`` : sql`and operation = ${operation}`;
  const rows = await sql<BinRow[]>`
    select * from bin where domain_id in ${sql(ids)} ${only} order by id desc`;
  const wanted = rows.map(({ name }) => name);
  const names = new Set(
    await readColumn(sql`select name from domains where name in ${sql(wanted)}`),
  );
  const { free = [], taken = [] } = Object.groupBy(rows, ({ name }) => {
    if (names.has(name)) return "taken";
    names.add(name);
    return "free";
  });
  const edits = free.map(({ content }): DomainEdit => {
    const { domain, observations }: BinContent = JSON.parse(content);
    const after = parseDomain(domain);
    // A copy from before the deletion must not be taken for this one.
    after.version += 1;
    return { before: null, after, reports: { come: observations.map(toReport) } };
  });
  await writeDomains(sql, edits, author);
  const gone = free.map(({ id }) => id);
  if (gone.length > 0) await sql`delete from bin where id in ${sql(gone)}`;
  return { restored: edits.map(({ after }) => after), taken };
}

/** Gives those of some rows of the bin that have an account's label its new one. Inside a transaction. */
export async function renameInBin(
  sql: SQL,
  ids: readonly string[],
  labels: { from: string; to: string },
): Promise<void> {
  const rows = await sql<{ id: string; content: string }[]>`
    select id, content from bin where id in ${sql([...ids])}`;
  const renamed = rows.flatMap(({ id, content }) => {
    const { domain: stored, observations }: BinContent = JSON.parse(content);
    const domain = parseDomain(stored);
    if (foldLabel(domain.account ?? "") !== foldLabel(labels.from)) return [];
    const kept: BinContent = { domain: { ...domain, account: labels.to }, observations };
    return { id, content: JSON.stringify(kept) };
  });
  await updateRows(sql, "bin", renamed);
}

export const restoreFromBin: Job<
  { ids: string[]; by: Maker },
  p.Parsed<typeof parseBinRestored>
> = {
  name: "restore from the bin",
  async run(sql, { ids, by }) {
    const author = await startOperation(sql, by);
    const { restored, taken } = await restoreDomains(sql, ids, author);
    if (restored.length + taken.length === 0) {
      const detail = `This is not in the bin: it keeps domains for ${BIN_DAYS} days.`;
      throw new RequestError(404, detail);
    }
    return {
      restored: restored.length,
      taken: taken.map(({ unicode }) => unicode),
      operation: restored.length > 0 ? author.operation : null,
    };
  },
};

/** @throws {RequestError} 409 if the bin holds another number than expected. */
export const emptyBin: Job<
  Pick<Audited, "by" | "address"> & { expectedCount?: number | undefined },
  void
> = {
  name: "empty the bin",
  async run(sql, { expectedCount, ...from }) {
    const { length } = await sql<unknown[]>`delete from bin returning 1`;
    if (length !== (expectedCount ?? length)) {
      const detail = `Nothing was deleted: the number of domains in the bin is ${length} now, not ${expectedCount}.`;
      throw new RequestError(409, detail, { count: length });
    }
    if (length === 0) return;
    const detail = `${length} ${length === 1 ? "domain" : "domains"}`;
    await recordAudit(sql, { ...from, action: "bin-emptied", detail });
  },
};

/** One page of the bin, what was deleted last first; `after` is the `next` of the page before. */
export const readBin: Job<ReturnType<typeof parsePage>, BinPage> = {
  name: "list the bin",
  async run(sql, { limit = PAGE_SIZE, after }) {
    // Nothing is later than the deletion; by `=`, SQLite goes through all that was deleted with each row.
    const rows = await sql<(Omit<BinItem, "until"> & { place: string })[]>`
      select id as place, domain_id as id, name, unicode, deleted_at as "deletedAt",
        deleted_by_name as "deletedBy", deleted_by as "deletedById",
        (select file_name from changes join imports on imports.id = import_id
          where changes.domain_id = bin.domain_id and at >= deleted_at limit 1) as "fileName", operation
      from bin
      ${after === undefined ? sql`` : sql`where id < ${after}`} order by bin.id desc limit ${limit + 1}`;
    const binned = rows.map(({ place, operation, ...row }) => {
      const until = new Date(Date.parse(row.deletedAt) + BIN_MS).toISOString();
      return { place, item: Object.assign(row, { until, operation }) };
    });
    const { page, next } = pageOf(binned, limit, ({ place }) => place);
    return { items: page.map(({ item }) => item), next, total: await countRows(sql, sql`bin`) };
  },
};

const isOver = (sql: SQL) => sql`deleted_at <= ${instantIn(sql, -BIN_MS / 1000)}`;

/** A job, as it may delete all that is known of a whole register. */
export const deleteOld: Job<null, void> = {
  name: "delete what has been in the bin for too long",
  async run(sql) {
    await sql`delete from bin where ${isOver(sql)}`;
  },
};

export async function sweepBin(database: Database): Promise<void> {
  const isDue = await database.read((sql) =>
    hasRows(sql`select id from bin where ${isOver(sql)} limit 1`),
  );
  if (isDue) await database.writeMany(deleteOld, null);
}
