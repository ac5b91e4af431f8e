import type { SQL } from "bun";
import { logPath, type Peer, pathBelow } from "../../shared/api.ts";
import { matchesWeakly } from "../../shared/entity-tag.ts";
import { log } from "../../shared/log.ts";
import * as p from "../../shared/parse.ts";
import { API_HEADERS, problem } from "../../shared/problem.ts";
import { isDiskTrouble, isUnavailable } from "../database/database-error.ts";
import { parseInput, readJson } from "./read-input.ts";
import { isRequestError, proofNeeded } from "./request-error.ts";
import { whole } from "./responses.ts";
import {
  EVERYTHING,
  NOTHING,
  Reply,
  type RequestContext,
  type Route,
  type Sight,
  successStatuses,
} from "./route.ts";
import type { Router } from "./router.ts";

export type Incoming = Omit<RequestContext, "params" | "query" | "body" | "sight"> & {
  /** Reads what a limited viewer sees at the moment. */
  readSight: (sql: SQL, userId: string) => Promise<Sight>;
};

/** Decides who sends a request, and what of it they may: `auth/` does. */
export interface Guard {
  /** @throws {RequestError} 400, 401 or 429. */
  identify(request: Request, peer: Peer): Promise<Pick<Incoming, "session" | "user">>;
  /** Returns what judges the sender again. @throws {RequestError} 403 for a forgery. */
  admit(incoming: Omit<Incoming, "judge">, route: Route): Pick<Incoming, "database" | "judge">;
}

interface RequestServices extends Pick<
  Incoming,
  "database" | "brand" | "publicUrl" | "readNow" | "readSight"
> {
  guard: Guard;
  router: Router;
  secretPaths: readonly string[];
  clock: () => Date;
}

/**
 * Judges session or token (401), route (404, 405), role and forgery (403), then query and body. A
 * `RequestError` becomes its problem document here; any other error is logged here, once.
 */
export async function answerRequest(
  { guard, router, secretPaths, clock, ...services }: RequestServices,
  request: Request,
  peer: Peer,
): Promise<Response> {
  const url = new URL(request.url);
  if (peer.basePath) url.pathname = pathBelow(peer.basePath, url.pathname);
  try {
    const identity = await guard.identify(request, peer);
    const context = { ...services, request, url, peer, now: clock(), ...identity };
    const found = router.find(context);
    const judged = guard.admit(context, found.route);
    return finish(request, await callRoute(found, { ...context, ...judged }));
  } catch (error) {
    return finish(request, toProblem(error, request, logPath(url.pathname, secretPaths)));
  }
}

/** @throws {RequestError} 403 without the proof, what the parsers refuse, and what the handler throws. */
async function callRoute({ route, params }: ReturnType<Router["find"]>, incoming: Incoming) {
  const { query: parseQuery, body: parseBody, headers = {}, maxBytes } = route;
  if (route.access === "proof" && !incoming.session.isProved) throw proofNeeded();
  const query = parseQuery?.(incoming.url.searchParams);
  const { headers: sent } = incoming.request;
  const given = Object.keys(headers).map((name) => [name, sent.get(name) ?? undefined]);
  parseInput(p.object(headers), Object.fromEntries(given));
  const isJson = typeof parseBody === "function";
  const body = isJson ? await readJson(incoming, parseBody, maxBytes) : undefined;
  // A body takes as long as its sender wants.
  if (isJson && route.role !== "public") await incoming.database.read(incoming.judge);
  // The undo of a change of 200,000 domains may take minutes.
  if (route.role !== "public") incoming.peer.refreshIdleTimer?.();
  const sight = route.role === "public" ? NOTHING : await sightOf(incoming);
  const context = { ...incoming, sight, params, query, body };
  const response = toResponse(route, await route.handle(context));
  return notModified(incoming.request, response) ?? response;
}

async function sightOf({ user, database, readSight }: Incoming): Promise<Sight> {
  if (user?.role !== "limited") return user === null ? NOTHING : EVERYTHING;
  return database.read((sql) => readSight(sql, user.id));
}

function toResponse(route: Route, result: unknown): Response {
  if (result instanceof Response) return result;
  const { value, headers, status } = result instanceof Reply ? result : new Reply(result);
  if (route.answer === null) return new Response(null, { status: 204, headers });
  const typed = new Headers([...headers, ["Content-Type", "application/json"]]);
  return whole(JSON.stringify(value), typed, status ?? successStatuses(route)[0]);
}

/** The 304 for a caller who has the content that an ETag names (RFC 9110 §15.4.5), else null. */
function notModified({ method, headers }: Request, response: Response): Response | null {
  const etag = response.headers.get("etag");
  const isRead = method === "GET" || method === "HEAD";
  if (!isRead || etag === null || response.status !== 200) return null;
  if (!matchesWeakly(headers.get("if-none-match"), etag)) return null;
  const kept = new Headers(response.headers);
  for (const name of ["Content-Type", "Content-Length"]) kept.delete(name);
  return new Response(null, { status: 304, headers: kept });
}

/** Drops the body for HEAD, but not a stream: without one Bun would say that the length is 0. */
function finish(request: Request, response: Response): Response {
  for (const [name, value] of Object.entries(API_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (request.method !== "HEAD" || !response.headers.has("content-length")) return response;
  return new Response(null, { status: response.status, headers: response.headers });
}

function toProblem(error: unknown, { method, signal }: Request, path: string): Response {
  if (isRequestError(error)) {
    const { status, message, extra, headers } = error;
    // RFC 9110 §15.5.2: a 401 names a way to sign in that needs no page.
    const challenge = status === 401 && { "WWW-Authenticate": "Bearer" };
    return problem(status, message, extra, { ...challenge, ...headers });
  }
  if (isUnavailable(error)) {
    const detail = isDiskTrouble(error)
      ? "Nothing was saved: the database’s disk is full or failing. The server’s operator has to free some space."
      : "The database is not available right now. Try again in a moment.";
    return problem(503, detail, {}, { "Retry-After": "1" });
  }
  // A client that went away makes its request fail, and reads no answer.
  if (!signal.aborted) log.error(`${method} ${path} failed`, error);
  return problem(500, "Something went wrong on the server. See its log.");
}
