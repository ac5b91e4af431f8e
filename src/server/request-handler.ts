import { pathBelow } from "../shared/api.ts";
import { log } from "../shared/log.ts";
import { problem } from "../shared/problem.ts";
import {
  type ApiHandlerOptions,
  createApiHandler,
  type Listener,
  remoteOf,
} from "./api-handler.ts";
import { countContent, type Metrics, type RequestObserver } from "./observers.ts";
import { isSecure } from "./peer.ts";
import { readPath, readPathWithoutHost } from "./request-target.ts";
import type { Site } from "./site/site.ts";
import { acceptsHtml, resourceResponse, textResponse } from "./static/resource.ts";
import { STRICT_TRANSPORT } from "./static/security-headers.ts";

interface RequestHandlerOptions extends ApiHandlerOptions {
  site: Site;
  /** Are told of every request; without any, nothing is counted for them. */
  observers: readonly RequestObserver[];
  metrics: Metrics | null;
}

const NOT_FOUND = "Not found.";
const UNSERVED_METHOD = "This method is not supported.";
const READ_ONLY = { Allow: "GET, HEAD" };
const API_METHODS = { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" };

/**
 * Decides by the path that the URL parser resolved: `/api/%2e%2e/x` is `/x`. Undefined: a WebSocket.
 */
export function createRequestHandler(options: RequestHandlerOptions) {
  const { site, config, observers, metrics } = options;
  const handleApi = createApiHandler(options);

  const answer = async (request: Request, path: string, listener: Listener) => {
    const { method, headers } = request;
    const forApi = isApiPath(path);
    if (method === "TRACE" || method === "CONNECT") {
      return forApi
        ? problem(405, UNSERVED_METHOD, {}, API_METHODS)
        : textResponse(405, UNSERVED_METHOD, READ_ONLY);
    }
    // Bun joins repeated headers to a list; two lengths, equal or not, are an attempt to confuse.
    if (!/^\d+$/.test(headers.get("content-length") ?? "0"))
      return badRequest(path, "Expected one Content-Length.");
    if (path === "/healthz" || path === "/readyz" || (path === "/metrics" && metrics))
      return answerOperator(options, request, path);
    return forApi ? handleApi(request, listener) : answerFromSite(site, request, path);
  };

  return async (request: Request, listener: Listener): Promise<Response | undefined> => {
    const began = performance.now();
    const target = readPath(request);
    const path = pathBelow(config.basePath, target ?? readPathWithoutHost(request));
    const answered =
      target === null
        ? badRequest(path, "Expected one Host header that names a host.")
        : await answer(request, path, listener).catch(fail);
    const remote = config.trustProxy ? remoteOf(request, listener) : "";
    if (answered && isSecure(request.headers, remote, config))
      answered.headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
    if (observers.length === 0) return answered;
    const { status } = answered ?? { status: 101 };
    const tell = (bytes: number) => {
      for (const observe of observers) observe(request, path, { status, bytes }, began);
    };
    // What passes through a WebSocket is not counted.
    return answered ? countContent(request, answered, tell) : void tell(0);
  };
}

function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function badRequest(path: string, detail: string): Response {
  return isApiPath(path) ? problem(400, detail) : textResponse(400, detail);
}

function fail(error: unknown): Response {
  log.error("A request failed", error);
  return textResponse(500, "The server failed to answer.");
}

/** `/metrics`; `/healthz`: the process is up; `/readyz`: it can serve, else 503 and why. */
async function answerOperator(
  { api, metrics }: RequestHandlerOptions,
  { method, headers }: Request,
  path: string,
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD")
    return textResponse(405, "Only GET and HEAD are supported here.", READ_ONLY);
  if (path === "/metrics" && metrics) return metrics.answer(headers);
  if (path === "/healthz") return textResponse(200, "up");
  const ready = await api.ready();
  return ready === true ? textResponse(200, "ready") : textResponse(503, `not ready: ${ready}`);
}

/** Answers with a file, the page of a known screen, or, for a path without extension, the 404 page. */
async function answerFromSite(site: Site, request: Request, path: string): Promise<Response> {
  const { method, headers } = request;
  const resource = await site.find(path);
  const reads = method === "GET" || method === "HEAD";
  if (resource && reads) return resourceResponse(resource, request);
  if (resource) return textResponse(405, "Only GET and HEAD are supported here.", READ_ONLY);
  if (!reads || /\.[^/]*$/.test(path)) return textResponse(404, NOT_FOUND);
  if (!acceptsHtml(headers.get("accept"))) return textResponse(404, NOT_FOUND, { Vary: "Accept" });
  const response = resourceResponse(await site.notFound(), request, 404);
  response.headers.append("Vary", "Accept");
  return response;
}
