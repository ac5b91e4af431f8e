import {
  parseBinPage,
  parseBinRestored,
  parseUndone,
  type Undone,
} from "../../../shared/operations.ts";
import { UUID } from "../../../shared/filter.ts";
import * as p from "../../../shared/parse.ts";
import type { Job } from "../../database/database.ts";
import { PAGE_SIZE, parsePage, wholeNumber } from "../../http/paging.ts";
import { parseId, queryOf } from "../../http/read-input.ts";
import { RequestError } from "../../http/request-error.ts";
import { route, type Route } from "../../http/route.ts";
import { emptyBin, restoreFromBin } from "./bin.ts";
import type { Maker } from "./history.ts";
import { readBin } from "../read-jobs.ts";

/** Domains that one request restores; more come back by undoing what deleted them. */
const MAX_RESTORED = 200;

const parseRestore = p.exactObject({ ids: p.list(parseId, { min: 1, max: MAX_RESTORED }) });

const parseExpected = queryOf({ expectedCount: p.optional(wholeNumber(0)) });

/** Undoes operations, with what they have done beside changes of domains; null where none is known. */
type Undo = Job<{ ids: readonly string[]; by: Maker }, Undone | null>;

export interface Undos {
  undo: Undo;
  foretell: Undo;
}

/** Operations of one request: as many as one entry of the changes has. */
const MAX_OPERATIONS = 50;

/** @throws {RequestError} 404 for what no operation has as its id. */
function parseOperations(text: string): string[] {
  const ids = text.split(",");
  if (ids.length <= MAX_OPERATIONS && ids.every((id) => UUID.test(id))) return ids;
  throw new RequestError(404, `Expected at most ${MAX_OPERATIONS} comma-separated ids.`);
}

/** @throws {RequestError} 404 for what an older version wrote, and an import that can no longer be undone. */
function known(undone: Undone | null): Undone {
  if (undone !== null) return undone;
  const detail = "This change cannot be undone: it is unknown or too old.";
  throw new RequestError(404, detail);
}

export const createOperationRoutes = ({ undo, foretell }: Undos): readonly Route[] => [
  route("POST /api/operations/:operations/undo", "editor", {
    summary: "Undo a change, or several as one, by comma-separated ids",
    answer: parseUndone,
    handle: async ({ database, user, params: { operations } }) =>
      known(await database.writeMany(undo, { ids: parseOperations(operations), by: user })),
  }),
  route("POST /api/operations/:operations/undo/foretell", "editor", {
    summary: "Say what an undo would do now",
    answer: parseUndone,
    handle: async ({ database, user, params: { operations } }) =>
      known(await database.writeMany(foretell, { ids: parseOperations(operations), by: user })),
  }),
  route("GET /api/bin", "viewer", {
    summary: "List the deleted domains",
    query: parsePage,
    answer: parseBinPage,
    handle: ({ database, query: { limit = PAGE_SIZE, after = null } }) =>
      database.readMany(readBin, { limit, after }),
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
