import type { Peer } from "../../shared/api.ts";
import type { Database } from "../database/database.ts";
import { RequestError } from "./request-error.ts";

/** Somebody with an account. */
export interface User {
  id: string;
  email: string;
}

/** Everything a handler knows about one request. `user` is null only for routes that are public. */
export interface RequestContext<Caller = User> {
  database: Database;
  request: Request;
  url: URL;
  peer: Peer;
  /** Anonymous, without a row in the database, where there is no user; stale an hour after its renewal. */
  session: { id: string | null; isStale: boolean };
  user: Caller;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Answers one route; `key` is what stands in the place of `:id` or `:name`. */
type Handler<Caller = User> = (
  context: RequestContext<Caller>,
  key: string,
) => Response | Promise<Response>;

type Handlers<Caller> = Readonly<Partial<Record<Method, Handler<Caller>>>>;

/**
 * One path, in which `:id` is a UUID and `:name` any one segment, and what answers each method. Public
 * routes need no session; those with a secret in the path need no XSRF token either, as nobody can
 * forge a request without knowing the secret.
 */
export type Route =
  | { path: string; isPublic?: false; methods: Handlers<User> }
  | { path: string; isPublic: true; hasSecret?: true; methods: Handlers<User | null> };

/** Finds what answers a request. @throws {RequestError} 401, 404 or 405. */
export type Router = (context: RequestContext<User | null>) => {
  handle: () => Response | Promise<Response>;
  hasSecret: boolean;
};

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * Matches exact paths; the first that fits wins. GET answers HEAD too. Without a session every path
 * that is not public is 401, so that a stranger learns nothing about the others; then an unknown path
 * is 404, and another method of a known one 405 with Allow (RFC 9110 §15.5.6).
 */
export function createRouter(routes: readonly Route[]): Router {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.path) }));

  return (context) => {
    const { pathname } = context.url;
    const { user } = context;
    for (const { route, pattern } of compiled) {
      const match = pattern.exec(pathname);
      if (match === null) continue;
      const key = match[1] ?? "";
      if (route.isPublic) {
        const handler = handlerOf(route.methods, context.request.method);
        return { handle: () => handler(context, key), hasSecret: route.hasSecret ?? false };
      }
      if (user === null) throw notSignedIn();
      const handler = handlerOf(route.methods, context.request.method);
      return { handle: () => handler({ ...context, user }, key), hasSecret: false };
    }
    if (user === null) throw notSignedIn();
    throw new RequestError(404, `There is nothing at ${pathname.slice(0, 200)}`);
  };
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(".", "\\.");
  return new RegExp(`^${literal.replace(":id", `(${UUID})`).replace(":name", "([^/]+)")}$`);
}

function handlerOf<Caller>(methods: Handlers<Caller>, method: string): Handler<Caller> {
  const handler = new Map(Object.entries(methods)).get(method === "HEAD" ? "GET" : method);
  if (handler !== undefined) return handler;
  const names = Object.keys(methods).flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : name));
  const allow = names.join(", ");
  throw new RequestError(405, `Expected ${allow}, but got ${method}`, {}, { Allow: allow });
}

function notSignedIn(): RequestError {
  return new RequestError(401, "You are not signed in, or your session has ended.");
}
