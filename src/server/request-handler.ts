import type { Api } from "../shared/api.ts";
import { problem } from "../shared/problem.ts";
import { type AccessLog, countContent, SWITCHED_PROTOCOLS } from "./access-log.ts";
import { type ApiHandlerOptions, createApiHandler, type Listener } from "./api-handler.ts";
import { isSecure } from "./peer.ts";
import { readPath, readPathWithoutHost } from "./request-target.ts";
import type { Site } from "./site/site.ts";
import { acceptsHtml } from "./static/content-negotiation.ts";
import { type Resource, resourceResponse } from "./static/resource.ts";
import { STRICT_TRANSPORT } from "./static/security-headers.ts";
import { textResponse } from "./static/text-response.ts";

interface RequestHandlerOptions extends ApiHandlerOptions {
  site: Site;
  /** Null: nothing is written, and nothing counted for it. */
  log: AccessLog | null;
}

/** Undefined where the connection has become a WebSocket. */
type Answer = Response | undefined;

const UNSERVED_METHOD = "This method is not supported.";
const READ_ONLY = { Allow: "GET, HEAD" };
const API_METHODS = { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" };

/**
 * Answers every request that reaches the listener: `/api/` from the API, health checks, and anything
 * else from the site. It decides by the path as the URL parser resolved it, so that `/api/../x` and
 * `/api/%2e%2e/x` are `/x`. It never rejects. What is in memory is answered without a promise, which
 * would take as long as the rest of it.
 */
export function createRequestHandler(options: RequestHandlerOptions) {
  const { site, api, trust, log } = options;
  const handleApi = createApiHandler(options);

  const answer = (request: Request, path: string, listener: Listener) => {
    const { method, headers } = request;
    const forApi = isApiPath(path);
    if (method === "TRACE" || method === "CONNECT") {
      return forApi
        ? problem(405, UNSERVED_METHOD, {}, API_METHODS)
        : textResponse(405, UNSERVED_METHOD, READ_ONLY);
    }
    if (!hasValidLength(headers)) return badRequest(path, "Expected one Content-Length.");
    if (path === "/healthz" || path === "/readyz") return answerHealth(api, method, path);
    return forApi ? handleApi(request, listener) : answerFromSite(site, request, path);
  };

  const finish = (answered: Answer, request: Request, path: string, began: number) => {
    if (answered && isSecure(request.headers, trust))
      answered.headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
    if (log === null) return answered;
    if (answered)
      return countContent(request, answered, (bytes) =>
        log(request, path, { status: answered.status, bytes }, began),
      );
    log(request, path, SWITCHED_PROTOCOLS, began);
    return answered;
  };

  return (request: Request, listener: Listener): Answer | Promise<Answer> => {
    const began = log === null ? 0 : performance.now();
    const path = readPath(request);
    if (path === null) {
      const asked = readPathWithoutHost(request);
      const refused = badRequest(asked, "Expected one Host header that names a host.");
      return finish(refused, request, asked, began);
    }
    try {
      const answered = answer(request, path, listener);
      if (!(answered instanceof Promise)) return finish(answered, request, path, began);
      return answered.catch(fail).then((response) => finish(response, request, path, began));
    } catch (error) {
      return finish(fail(error), request, path, began);
    }
  };
}

function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/** Bun joins repeated headers to a list; two lengths, equal or not, are an attempt to confuse. */
function hasValidLength(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null || /^\d+$/.test(length);
}

function badRequest(path: string, detail: string): Response {
  return isApiPath(path) ? problem(400, detail) : textResponse(400, detail);
}

function fail(error: unknown): Response {
  console.error(error);
  return textResponse(500, "The server failed to answer.");
}

/**
 * Health checks for a supervisor, in one word of plain text: `/healthz` whether the process is up,
 * `/readyz` whether the database or the backend can be reached (503 where it cannot).
 */
async function answerHealth(api: Api, method: string, path: string): Promise<Response> {
  if (method !== "GET" && method !== "HEAD")
    return textResponse(405, "Only GET and HEAD are supported here.", READ_ONLY);
  if (path === "/healthz") return textResponse(200, "up");
  return (await api.ready()) ? textResponse(200, "ready") : textResponse(503, "not ready");
}

/** Answers with a file, the page of a known screen, or, for a path without extension, the 404 page. */
function answerFromSite(site: Site, request: Request, path: string) {
  const found = site.find(path);
  if (found instanceof Promise)
    return found.then((resource) => answerWith(site, request, path, resource));
  return answerWith(site, request, path, found);
}

function answerWith(site: Site, request: Request, path: string, resource: Resource | undefined) {
  const { method, headers } = request;
  const reads = method === "GET" || method === "HEAD";
  if (resource && reads) return resourceResponse(resource, request);
  if (resource) return textResponse(405, "Only GET and HEAD are supported here.", READ_ONLY);
  if (!reads || /\.[^/]*$/.test(path)) return textResponse(404, NOT_FOUND);
  if (acceptsHtml(headers.get("accept"))) return notFoundPage(site, request);
  return textResponse(404, NOT_FOUND, { Vary: "Accept" });
}

const NOT_FOUND = "Not found.";

async function notFoundPage(site: Site, request: Request): Promise<Response> {
  const response = resourceResponse(await site.notFound(), request, 404);
  response.headers.append("Vary", "Accept");
  return response;
}
