import { rightsOf, whoMay } from "../../shared/session.ts";
import { notSignedIn, RequestError } from "./request-error.ts";
import { decodeSegment } from "./read-input.ts";
import type { RequestContext, Route, User } from "./route.ts";

export type Router = ReturnType<typeof createRouter>;

/** In capitals, too (RFC 9562 §4): `find` gives it in small letters, as it is stored. */
const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/**
 * The first path that fits wins. GET answers HEAD, too. For a stranger every path that is not
 * public is 401, known or not; then an unknown path is 404, another method 405 with Allow (RFC 9110
 * §15.5.6), and what the role or token does not reach 403.
 */
export function createRouter(routes: readonly Route[]) {
  const paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
    path,
    pattern: patternOf(path),
    ofPath,
  }));

  /** @throws {RequestError} 401, 403, 404 or 405. */
  function find({
    request: { method },
    url: { pathname },
    user,
  }: Pick<RequestContext, "request" | "url" | "user">) {
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
      const decoded = segments.map(([name, segment]) => [
        name,
        name === "id" ? segment.toLowerCase() : decodeSegment(segment),
      ]);
      const params: Readonly<Record<string, string>> = Object.fromEntries(decoded);
      return { route: found, params };
    }
    if (user === null) throw notSignedIn();
    throw new RequestError(404, `There is nothing at ${pathname.slice(0, 200)}`);
  }

  return {
    find,
    routeOf: (pathname: string) =>
      paths.find(({ pattern }) => pattern.test(pathname))?.path ?? null,
  };
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
