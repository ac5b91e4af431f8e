import type { SQL } from "bun";
import * as p from "../../shared/parse.ts";
import { rightsOf, whoMay } from "../../shared/session.ts";
import { notSignedIn, proofNeeded, RequestError } from "./request-error.ts";
import { decodeSegment, parseInput, readJson } from "./read-input.ts";
import {
  EVERYTHING,
  NOTHING,
  Reply,
  type RequestContext,
  type Route,
  type Sight,
  successStatuses,
  type User,
} from "./route.ts";
import { json, notModified } from "./responses.ts";

export type Incoming = Omit<RequestContext, "params" | "query" | "body" | "sight"> & {
  /** Reads what a limited viewer sees at the moment. */
  readSight: (sql: SQL, userId: string) => Promise<Sight>;
};

export interface Router {
  /** Finds the route of a request. @throws {RequestError} 401, 403, 404 or 405. */
  find(incoming: Pick<Incoming, "request" | "url" | "user">): FoundRoute;
  routeOf(pathname: string): string | null;
}

interface FoundRoute {
  route: Route;
  params: Readonly<Record<string, string>>;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * The first path that fits wins. GET answers HEAD, too. For a stranger every path that is not
 * public is 401, known or not; then an unknown path is 404, another method 405 with Allow (RFC 9110
 * §15.5.6), and what the role or token does not reach 403.
 */
export function createRouter(routes: readonly Route[]): Router {
  const paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
    path,
    pattern: patternOf(path),
    ofPath,
  }));

  function find({ request: { method }, url: { pathname }, user }: Parameters<Router["find"]>[0]) {
    for (const { pattern, ofPath } of paths) {
      const match = pattern.exec(pathname);
      if (match === null) continue;
      if (user === null && ofPath.every(({ role }) => role !== "public")) throw notSignedIn();
      const found = ofPath.find((each) => each.method === (method === "HEAD" ? "GET" : method));
      if (found === undefined) throw wrongMethod(method, ofPath);
      if (user === null && found.role !== "public") throw notSignedIn();
      if (!rightsOf(user?.role ?? null).includes(found.role)) {
        throw new RequestError(403, `Only ${whoMay(found.role)} may do this.`);
      }
      if (user?.token) refuseToken(user.token, method, found);
      const segments = Object.entries(match.groups ?? {});
      const params = segments.map(([name, segment]) => [name, decodeSegment(segment)]);
      return { route: found, params: Object.fromEntries(params) };
    }
    if (user === null) throw notSignedIn();
    throw new RequestError(404, `There is nothing at ${pathname.slice(0, 200)}`);
  }

  return {
    find,
    routeOf: (pathname) => paths.find(({ pattern }) => pattern.test(pathname))?.path ?? null,
  };
}

/**
 * Reads what the route takes, runs its handler and makes the response: 304 if the caller has what
 * an ETag names (RFC 9110 §13.1.2).
 *
 * @throws {RequestError} 403 without the proof, what the parsers refuse, and what the handler
 *   throws.
 */
export async function callRoute(
  { route, params }: FoundRoute,
  incoming: Incoming,
): Promise<Response> {
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
  return json(value, status ?? successStatuses(route)[0], headers);
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(".", "\\.");
  const group = (_: string, name: string) => `(?<${name}>${name === "id" ? UUID : "[^/]+"})`;
  return new RegExp(`^${literal.replaceAll(/:(\w+)/g, group)}$`);
}

function wrongMethod(method: string, routes: readonly Route[]): RequestError {
  const names = routes.flatMap((each) => (each.method === "GET" ? ["GET", "HEAD"] : each.method));
  const allow = names.join(", ");
  return new RequestError(405, `Expected ${allow}, but got ${method}`, {}, { Allow: allow });
}

/** @throws {RequestError} 403 where a token may not do what the role of its person may. */
function refuseToken(token: NonNullable<User["token"]>, method: string, { access }: Route): void {
  if (access !== undefined) throw new RequestError(403, "An API token may not do this: sign in.");
  if (token.scope === "write" || method === "GET" || method === "HEAD") return;
  throw new RequestError(403, "This API token may only read: use one that may write.");
}
