import { problem } from "./problem.ts";

/**
 * What a route needs to know; `Context` is what the composition hands to every handler, `key` what
 * stood in the place of `:id` or `:name`.
 */
export type Handler<Context> = (context: Context, key: string) => Response | Promise<Response>;

/** One path, where `:id` is a UUID and `:name` any one segment; what it answers by method. */
export interface Route<Context> {
  path: string;
  methods: Readonly<Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Handler<Context>>>>;
}

/** What a request is to be answered with: a handler, or the refusal of its path or method. */
export type Match<Context> =
  | { kind: "handler"; handle: (context: Context) => Response | Promise<Response> }
  | { kind: "refused"; response: Response };

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * Finds the route of an exact path, the first that fits. HEAD is answered by GET. A known path with another method is
 * 405 with Allow (RFC 9110 §15.5.6), an unknown path 404.
 */
export function createRouter<Context>(routes: readonly Route<Context>[]) {
  const compiled = routes.map((route) => ({
    ...route,
    pattern: patternOf(route.path),
  }));

  return (method: string, path: string): Match<Context> => {
    for (const { pattern, methods } of compiled) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const handler = new Map(Object.entries(methods)).get(method === "HEAD" ? "GET" : method);
      if (handler === undefined) return { kind: "refused", response: notAllowed(method, methods) };
      const key = match[1] ?? "";
      return { kind: "handler", handle: (context) => handler(context, key) };
    }
    const response = problem(404, `There is nothing at ${path.slice(0, 200)}`);
    return { kind: "refused", response };
  };
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(".", "\\.");
  return new RegExp(`^${literal.replace(":id", `(${UUID})`).replace(":name", "([^/]+)")}$`);
}

function notAllowed(method: string, methods: object): Response {
  const names = Object.keys(methods).flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : name));
  const allow = names.join(", ");
  return problem(405, `Expected ${allow}, but got ${method}`, {}, { Allow: allow });
}
