import { describeApi } from "../../src/backend/http/open-api.ts";
import { createRouter } from "../../src/backend/http/router.ts";
import type { Route } from "../../src/backend/http/route.ts";
import { isRecord, type JsonSchema } from "../../src/shared/parse.ts";
import { parseProblem } from "../../src/shared/problem.ts";
import { memberAt, schemaFaults } from "./json-schema.ts";

/** Headers that an answer has only where the description says so. */
const DESCRIBED_HEADERS = [
  "ETag",
  "Location",
  "Content-Disposition",
  "Retry-After",
  "WWW-Authenticate",
];

/** The description of the routes that the last backend had: most have the same. */
let latest: { names: string; document: JsonSchema } | null = null;

function describe(routes: readonly Route[]): JsonSchema {
  const names = routes.map(({ method, path }) => `${method} ${path}`).join();
  if (latest?.names !== names) {
    latest = { names, document: describeApi(routes, { brand: "Freehold", url: "/" }) };
  }
  return latest.document;
}

export function createContractCheck(routes: readonly Route[]) {
  const { find } = createRouter(routes);
  const document = describe(routes);
  const shapeOf = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, ":");
  const paths = memberAt(document, "paths");
  const templates = new Map(
    Object.keys(isRecord(paths) ? paths : {}).map((each) => [shapeOf(each), each]),
  );

  function routeOf(request: Request): Route | null {
    const user = { id: "", email: "", name: "", role: "owner", token: null } as const;
    try {
      return find({ request, url: new URL(request.url), user }).route;
    } catch {
      return null;
    }
  }

  /** @throws {Error} Where the status, a header or the content is not what the document says. */
  return async (request: Request, response: Response): Promise<void> => {
    const { status, headers } = response;
    const route = routeOf(request);
    if (route === null) return;
    const { method, path, answer } = route;
    const where = `${request.method} ${path} answered ${status}`;
    const template = templates.get(shapeOf(path)) ?? "";
    const operation = ["paths", template, method.toLowerCase(), "responses", String(status)];
    const described = (...names: string[]) => memberAt(document, ...operation, ...names);
    if (described() === undefined) throw new Error(`${where}, which is not described`);
    for (const name of DESCRIBED_HEADERS.filter((each) => headers.has(each))) {
      if (described("headers", name) === undefined) {
        throw new Error(`${where} with ${name}, which is not described`);
      }
    }
    const type = headers.get("content-type")?.split(";")[0] ?? "";
    if (described("content") === undefined || request.method === "HEAD") return;
    const schema = described("content", type, "schema");
    if (schema === undefined) throw new Error(`${where} with ${type}, which is not described`);
    if (!type.endsWith("json")) return;
    const json: unknown = await response.clone().json();
    const faults = schemaFaults(schema, json, "", document);
    if (faults.length > 0) throw new Error(`${where} with another shape at ${faults}`);
    // What the parser leaves out is nobody's contract.
    const parse = type === "application/problem+json" ? parseProblem : answer;
    if (typeof parse === "function" && !Bun.deepEquals(parse(json), json)) {
      throw new Error(`${where} with more than is described: ${JSON.stringify(json)}`);
    }
  };
}
