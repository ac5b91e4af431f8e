import {
  parseBinPage,
  parseBinRestored,
  parseUndone,
  type Undone,
} from "../../../shared/operations.ts";
import { exactObject, list, optional } from "../../../shared/parse.ts";
import type { Job } from "../../database/database.ts";
import { queryOf, parsePageSize, parseId } from "../../http/read-input.ts";
import { RequestError } from "../../http/request-error.ts";
import { route, type Route } from "../../http/route.ts";
import { emptyBin, restoreFromBin } from "./bin.ts";
import type { Maker } from "./history.ts";
import { readBin } from "../read-jobs.ts";

const DEFAULT_PAGE_SIZE = 100;

/** Domains that one request restores; more come back by undoing what deleted them. */
const MAX_RESTORED = 200;

const parseBinQuery = queryOf({ limit: optional(parsePageSize), after: optional(parseId) });

const parseRestore = exactObject({ ids: list(parseId, { min: 1, max: MAX_RESTORED }) });

/** Undoes an operation, with what it has done beside changes of domains; null where it is not known. */
export type Undo = Job<{ id: string; by: Maker }, Undone | null>;

export const createOperationRoutes = (undo: Undo): readonly Route[] => [
  // 404 for what an older version or an import wrote.
  route("POST /api/operations/:id/undo", "editor", {
    summary: "Undo a change",
    answer: parseUndone,
    async handle({ database, user, params: { id } }) {
      const undone = await database.writeMany(undo, { id, by: user });
      if (undone !== null) return undone;
      const detail = "This change cannot be undone: it is not known as an operation.";
      throw new RequestError(404, detail);
    },
  }),
  route("GET /api/bin", "viewer", {
    summary: "List the deleted domains",
    query: parseBinQuery,
    answer: parseBinPage,
    handle: ({ database, query: { limit = DEFAULT_PAGE_SIZE, after = null } }) =>
      database.readMany(readBin, { limit, after }),
  }),
  route("DELETE /api/bin", "editor", {
    summary: "Empty the bin for good",
    answer: null,
    handle: ({ database, user, peer: { address } }) =>
      database.writeMany(emptyBin, { by: user, address }),
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
