import { STATUS_CODES } from "node:http";
import { parseAccount } from "../../shared/accounts.ts";
import { urlFor } from "../../shared/api.ts";
import { parseChecksStatus } from "../../shared/checks.ts";
import { parseDomain, parseMoney, parseRenewal, parseSavedDomain } from "../../shared/domain.ts";
import { parseDomainDetail } from "../../shared/domain-detail.ts";
import { parseImport } from "../../shared/import.ts";
import * as p from "../../shared/parse.ts";
import { parseProblem, PROBLEM_TITLES } from "../../shared/problem.ts";
import { parseChannel } from "../../shared/reminders.ts";
import { parseSession } from "../../shared/session.ts";
import { VERSION } from "../../shared/version.ts";
import { MAX_JSON_BYTES } from "./read-input.ts";
import { whole } from "./responses.ts";
import { originOf, problemStatuses, route, successStatuses } from "./route.ts";
import type { RequestContext, Route } from "./route.ts";

const DOCUMENT_PATH = "/api/openapi.json";

/** Shapes that clients know by name: wherever one occurs, the document refers to it. */
const SHAPES: Readonly<Record<string, p.Parser<unknown>>> = {
  Problem: parseProblem,
  Session: parseSession,
  Domain: parseDomain,
  DomainDetail: parseDomainDetail,
  SavedDomain: parseSavedDomain,
  Money: parseMoney,
  Renewal: parseRenewal,
  Import: parseImport,
  Channel: parseChannel,
  RegistrarAccount: parseAccount,
  ChecksStatus: parseChecksStatus,
};

const NAMES = new Map(
  Object.entries(SHAPES).map(([name, parse]) => [JSON.stringify(p.schemaOf(parse)), name]),
);

const PROBLEM = { "application/problem+json": { schema: refer("schemas", "Problem") } };

const UUID = { type: "string", format: "uuid" };
const TEXT = { type: "string" };

const HEADERS: Readonly<Record<string, p.JsonSchema>> = {
  ETag: { description: "Of this copy, for If-Match and If-None-Match", schema: TEXT },
  Location: { description: "Where the new one is", schema: TEXT },
  "Content-Disposition": { description: "With the name of the file", schema: TEXT },
  "WWW-Authenticate": { description: "Bearer", schema: TEXT },
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
};

const PROBLEM_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  412: ["ETag"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

const SECURITY_SCHEMES = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "freehold-session",
    description:
      "From POST /api/token; over https its name begins with __Host-, and below a base path ends with that path",
  },
  xsrf: {
    type: "apiKey",
    in: "header",
    name: "X-XSRF-TOKEN",
    description: "The value of the cookie that begins with XSRF-TOKEN, which GET /api/token sets",
  },
  token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "fh_…",
    description: "With scope “read” a token may only GET; with “write”, all that its person may do",
  },
} as const;

const PARAMETER = /:(\w+)/g;

/**
 * Describes routes in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html). Paths that differ in the pattern
 * of a parameter alone, such as an id and a name, are one: OpenAPI knows no patterns. `url` is where they begin.
 */
export function describeApi(
  routes: readonly Route[],
  { brand, url }: { brand: string; url: string },
): p.JsonSchema {
  const paths: Record<string, Record<string, p.JsonSchema>> = {};
  const alike = Map.groupBy(routes, ({ method, path }) => method + path.replaceAll(PARAMETER, ":"));
  for (const [first, ...others] of alike.values()) {
    if (first === undefined) continue;
    const operations = (paths[first.path.replaceAll(PARAMETER, "{$1}")] ??= {});
    operations[first.method.toLowerCase()] = describeOperation(first, others);
  }
  const problems = new Set(routes.flatMap((each) => [...problemStatuses(each)]));
  const responses = [...problems].map((status) => [status, describeProblem(status)]);
  const schemas = Object.entries(SHAPES).map(([name, parse]) => {
    return [name, nameMembers(p.schemaOf(parse))];
  });
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand} API`,
      version: VERSION,
      license: { name: "MIT", identifier: "MIT" },
      description: "A path that answers GET answers HEAD too.",
    },
    servers: [{ url }],
    paths,
    components: {
      schemas: Object.fromEntries(schemas),
      responses: Object.fromEntries(responses),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** `described`, and the routes that describe all of them: a document for programs, a page for people. */
export function withDescription(described: readonly Route[]): readonly Route[] {
  let body: string | undefined;
  let etag = "";
  const routes: readonly Route[] = [
    ...described,
    route(`GET ${DOCUMENT_PATH}`, "public", {
      summary: "Read this description of the API",
      answer: "application/json",
      statuses: [200, 304],
      sends: ["ETag"],
      handle({ brand, publicUrl, peer }) {
        if (body === undefined) {
          const url = publicUrl ?? (urlFor(peer, "") || "/");
          body = JSON.stringify(describeApi(routes, { brand, url }));
          etag = `"${Bun.SHA256.hash(body, "base64url")}"`;
        }
        const headers = { ETag: etag, "Cache-Control": "public, no-cache" };
        return whole(body, { ...headers, "Content-Type": "application/json" });
      },
    }),
    route("GET /api", "public", {
      summary: "Show where the description of the API is, and how to begin",
      answer: "text/html",
      handle: (context) => whole(page(context), { "Content-Type": "text/html; charset=utf-8" }),
    }),
  ];
  return routes;
}

function describeOperation(described: Route, others: readonly Route[]): p.JsonSchema {
  const { method, path, role, access, summary, body } = described;
  const words = path.replace("/api/", "").match(/\w+/g) ?? [];
  return {
    operationId: [method.toLowerCase(), ...words.map(capitalised)].join(""),
    summary,
    ...(others.length > 0 && { description: others.map((each) => each.summary).join("; ") }),
    tags: [/^[\w-]+/.exec(path.replace("/api/", ""))?.[0] ?? "api"],
    "x-role": role,
    ...(access === "proof" && { "x-proof": true }),
    security: securityOf(described),
    parameters: parametersOf(described, others.length > 0 ? TEXT : UUID),
    ...(body !== undefined && { requestBody: describeBody(described) }),
    responses: describeResponses(described),
  };
}

/** Alternatives: one is enough. */
function securityOf({ method, role, access, hasSecret }: Route): p.JsonSchema[] {
  if (hasSecret || (role === "public" && method === "GET")) return [];
  const session = method === "GET" ? { session: [] } : { session: [], xsrf: [] };
  return role === "public" || access !== undefined ? [session] : [session, { token: [] }];
}

function parametersOf(described: Route, id: p.JsonSchema): p.JsonSchema[] {
  const { path, query, headers = {}, statuses = [], problems = [] } = described;
  const { properties = {}, required = [] } = query?.schema() ?? {};
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return [
    ...[...path.matchAll(PARAMETER)].map(([, name]) => {
      return { name, in: "path", required: true, schema: name === "id" ? id : TEXT };
    }),
    ...Object.entries(properties ?? {}).map(([name, schema]) => {
      return { name, in: "query", required: isRequired(name), schema };
    }),
    ...Object.entries(headers).map(([name, parse]) => {
      return { name, in: "header", required: true, schema: p.schemaOf(parse) };
    }),
    ...(problems.includes(412) ? [header("If-Match", problems.includes(428))] : []),
    ...(statuses.includes(304) ? [header("If-None-Match", false)] : []),
  ];
}

function header(name: string, required: boolean): p.JsonSchema {
  return { name, in: "header", required, schema: TEXT };
}

function describeBody({ body, form, maxBytes = MAX_JSON_BYTES }: Route): p.JsonSchema {
  const parse = typeof body === "function" ? body : form;
  const type = typeof body === "string" ? body : "application/json";
  const schema = parse === undefined ? {} : nameShapes(p.schemaOf(parse));
  return {
    // A form of buttons alone may come empty.
    required: type !== "application/x-www-form-urlencoded",
    description: `At most ${maxBytes} bytes`,
    content: { [type]: { schema } },
  };
}

function describeResponses(described: Route): p.JsonSchema {
  const { answer, sends = [] } = described;
  const type = typeof answer === "string" ? answer : "application/json";
  const text = type === "application/json" ? { type: "object" } : TEXT;
  const schema = typeof answer === "function" ? nameShapes(p.schemaOf(answer)) : text;
  const statuses = successStatuses(described);
  const success = statuses.map((status) => {
    const isRedirect = status >= 300 && status < 400;
    const hasContent = answer !== null && !isRedirect;
    const headers = [
      ...sends,
      ...(status === 303 ? ["Location"] : []),
      ...(type === "text/csv" ? ["Content-Disposition"] : []),
    ];
    return [
      status,
      {
        description: STATUS_CODES[status],
        headers: referHeaders(headers),
        ...(hasContent && { content: { [type]: { schema }, ...(status >= 400 && PROBLEM) } }),
      },
    ];
  });
  const problems = [...problemStatuses(described)].map((each) => [each, refer("responses", each)]);
  // Where every success is a redirect, generators want to know what else there may be to read.
  const other = { description: "A problem", content: PROBLEM };
  const hasResult = statuses.some((status) => status < 300);
  // A page may be what tells of a problem too: then both have the status.
  return Object.fromEntries([...problems, ...success, ...(hasResult ? [] : [["default", other]])]);
}

function describeProblem(status: number): p.JsonSchema {
  const headers = referHeaders(PROBLEM_HEADERS[status] ?? []);
  return { description: PROBLEM_TITLES[status], headers, content: PROBLEM };
}

/** Replaces each shape that has a name, at any depth, by a reference to it. */
function nameShapes(schema: unknown): unknown {
  const name = p.isRecord(schema) ? NAMES.get(JSON.stringify(schema)) : undefined;
  return name === undefined ? nameMembers(schema) : refer("schemas", name);
}

function nameMembers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nameShapes);
  if (!p.isRecord(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, nameShapes(part)]));
}

function refer(kind: string, name: string | number): p.JsonSchema {
  return { $ref: `#/components/${kind}/${name}` };
}

function referHeaders(names: readonly string[]): p.JsonSchema {
  return Object.fromEntries(names.map((name) => [name, refer("headers", name)]));
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function page(context: RequestContext): string {
  const { peer } = context;
  const origin = originOf(context);
  const authorized = `curl -H "Authorization: Bearer $TOKEN"`;
  const json = `-H "Content-Type: application/json" -d '{"name": "example.com"}'`;
  const examples = [
    ["List domains", `${authorized} ${origin}/api/domains`],
    ["Add a domain", `${authorized} ${json} ${origin}/api/domains`],
    ["Export all domains", `${authorized} -o domains.csv ${origin}/api/domains.csv`],
  ] as const;
  const name = Bun.escapeHTML(`${context.brand} API`);
  const shown = examples.map(
    ([title, command]) => `<h2>${title}</h2>\n<pre><code>${Bun.escapeHTML(command)}</code></pre>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<h1>${name}</h1>
<p>The whole API is described in OpenAPI 3.1 at <a href="${urlFor(peer, DOCUMENT_PATH)}">${DOCUMENT_PATH}</a>.</p>
<p>Create a token under <a href="${urlFor(peer, "/settings/tokens")}">Settings</a>, then try it: <code>export TOKEN=fh_…</code></p>
${shown.join("\n")}
</html>
`;
}
