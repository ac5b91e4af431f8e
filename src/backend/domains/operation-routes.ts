import type { BinRestored } from "../../shared/operations.ts";
import { exactObject, list, optional } from "../../shared/parse.ts";
import { parsePageSize, parseParameters, readJson } from "../http/read-input.ts";
import { RequestError } from "../http/request-error.ts";
import { json, noContent } from "../http/responses.ts";
import type { RequestContext, Route } from "../http/router.ts";
import { BIN_DAYS, listBin, restoreDomains } from "./bin.ts";
import { startOperation } from "./history.ts";
import { parseId } from "./input.ts";
import { undoOperation } from "./undo-operation.ts";

const DEFAULT_PAGE_SIZE = 100;

/** Domains that one request restores; more come back by undoing what deleted them. */
const MAX_RESTORED = 200;

export const operationRoutes: readonly Route[] = [
  { path: "/api/operations/:id/undo", methods: { POST: undo } },
  { path: "/api/bin", methods: { GET: showBin, DELETE: emptyBin } },
  { path: "/api/bin/restore", methods: { POST: restore } },
];

/** `POST /api/operations/:id/undo`; 404 for what an older version or an import wrote. */
async function undo({ database, user }: RequestContext, id: string): Promise<Response> {
  const undone = await database.writeMany(undoOperation, { id, email: user.email });
  if (undone !== null) return json(undone);
  throw new RequestError(404, "This change cannot be undone: it is not known as an operation.");
}

const parseBinQuery = exactObject({ limit: optional(parsePageSize), after: optional(parseId) });

/** `GET /api/bin?limit=&after=` */
async function showBin({ database, url }: RequestContext): Promise<Response> {
  const query = parseParameters(url.searchParams, parseBinQuery);
  const { limit = DEFAULT_PAGE_SIZE, after = null } = query;
  return json(await database.read((sql) => listBin(sql, { limit, after })));
}

/** `DELETE /api/bin`: what is in it is gone for good. */
async function emptyBin({ database }: RequestContext): Promise<Response> {
  await database.write((sql) => sql`delete from bin`);
  return noContent();
}

const parseRestore = exactObject({ ids: list(parseId, { min: 1, max: MAX_RESTORED }) });

/** `POST /api/bin/restore`; 404 where none of the domains is in the bin any more. */
async function restore(context: RequestContext): Promise<Response> {
  const { database, user } = context;
  const { ids } = await readJson(context, parseRestore);
  const author = startOperation(user.email);
  const { restored, taken } = await database.write((sql) => restoreDomains(sql, ids, author));
  if (restored.length + taken.length === 0) {
    throw new RequestError(404, `This is not in the bin: it keeps domains for ${BIN_DAYS} days.`);
  }
  return json({
    restored: restored.length,
    taken: taken.map(({ unicode }) => unicode),
    operation: restored.length > 0 ? author.operation : null,
  } satisfies BinRestored);
}
