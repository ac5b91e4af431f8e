import type { SQL } from "bun";
import { parseBinPage, parseBinRestored, parseUndone } from "../../shared/operations.ts";
import { exactObject, list, optional } from "../../shared/parse.ts";
import { recordRequest } from "../audit.ts";
import { queryOf, parsePageSize, parseId } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { BIN_DAYS, restoreDomains } from "./bin.ts";
import { startOperation } from "./history.ts";
import { readBin } from "./read-jobs.ts";
import { undoOperation } from "./undo-operation.ts";

const DEFAULT_PAGE_SIZE = 100;

/** Domains that one request restores; more come back by undoing what deleted them. */
const MAX_RESTORED = 200;

const parseBinQuery = queryOf({ limit: optional(parsePageSize), after: optional(parseId) });

const parseRestore = exactObject({ ids: list(parseId, { min: 1, max: MAX_RESTORED }) });

/** What an operation may have done beside changes of domains; undoes it, and returns how much it was. */
export type UndoOther = (sql: SQL, operation: string) => Promise<number>;

export const createOperationRoutes = (undoOther: UndoOther): readonly Route[] => [
  // 404 for what an older version or an import wrote.
  route({
    summary: "Undo a change",
    method: "POST",
    path: "/api/operations/:id/undo",
    role: "editor",
    answer: parseUndone,
    async handle({ database, user, params: { id } }) {
      const undone = await database.writeMany(undoOperation, { id, by: user });
      const restored = await database.write((sql) => undoOther(sql, id));
      if (undone !== null) return undone;
      if (restored > 0) return { restored, kept: [], operation: null };
      const detail = "This change cannot be undone: it is not known as an operation.";
      throw new RequestError(404, detail);
    },
  }),
  route({
    summary: "List the deleted domains",
    method: "GET",
    path: "/api/bin",
    role: "viewer",
    query: parseBinQuery,
    answer: parseBinPage,
    handle: ({ database, query: { limit = DEFAULT_PAGE_SIZE, after = null } }) =>
      database.readMany(readBin, { limit, after }),
  }),
  route({
    summary: "Empty the bin for good",
    method: "DELETE",
    path: "/api/bin",
    role: "editor",
    answer: null,
    handle: (context) =>
      context.database.write(async (sql) => {
        const gone = await sql<unknown[]>`delete from bin returning 1`;
        if (gone.length === 0) return;
        await recordRequest(sql, context, "bin-emptied", {
          detail: `${gone.length} ${gone.length === 1 ? "domain" : "domains"}`,
        });
      }),
  }),
  // 404 where none of the domains is in the bin any more.
  route({
    summary: "Restore deleted domains",
    method: "POST",
    path: "/api/bin/restore",
    role: "editor",
    body: parseRestore,
    answer: parseBinRestored,
    problems: [404],
    async handle({ database, user, body: { ids } }) {
      const author = startOperation(user);
      const { restored, taken } = await database.write((sql) => restoreDomains(sql, ids, author));
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
  }),
];
