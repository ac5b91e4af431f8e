import { type AccessLog, countContent, SWITCHED } from "./access-log.ts";
import type { Api } from "../shared/api.ts";
import { problem } from "../shared/problem.ts";
import { isEventStream } from "./proxy/event-stream.ts";
import { answerHealth, isHealthQuestion } from "./health.ts";
import type { LongLived } from "./long-lived.ts";
import type { Patience } from "./patience.ts";
import { isSecure, type PeerTrust, readPeer } from "./peer.ts";
import { refuse } from "./static/plain-answers.ts";
import { readPath, readPathWithoutHost } from "./request-path.ts";
import { STRICT_TRANSPORT } from "./static/security-headers.ts";
import type { Site } from "./site/site.ts";
import { answerFromSite } from "./static/site-answers.ts";
import { type Connect, type Switch, switchProtocols } from "./websockets/switch-protocols.ts";
import type { UploadBudget } from "./upload-budget.ts";
import { hasOneLength, isSlow } from "./request-body.ts";
import { SMALL_BODY } from "./proxy/upstream-body.ts";
import { isWebSocketHandshake } from "./websockets/websocket-handshake.ts";

/** The part of Bun's server that a request needs. */
export interface Listener extends Switch {
  requestIP(request: Request): { address: string } | null;
  timeout(request: Request, seconds: number): void;
}

interface Options {
  site: Site;
  api: Api & { connect?: Connect };
  trust: PeerTrust;
  patience: Patience;
  /** What the bodies of all requests to the API may hold. */
  uploads: UploadBudget;
  longLived: LongLived;
  /** Null: nothing is written, and nothing counted for it. */
  log: AccessLog | null;
}

/** Undefined: the connection has become a WebSocket. */
type Answer = Response | undefined;

const UNSERVED = "This method is not served.";
const READABLE = { Allow: "GET, HEAD" };

/**
 * Answers every request that reaches the listener: what lies under `/api/` by asking the API,
 * anything else from the site. It decides by the path as the URL parser resolved it, so that
 * `/api/../x` and `/api/%2e%2e/x` are `/x`, and it never rejects.
 */
export function createFrontDoor({ site, api, trust, patience, uploads, longLived, log }: Options) {
  const ask = async (request: Request, listener: Listener) => {
    listener.timeout(request, patience.answer);
    const hop = listener.requestIP(request)?.address ?? "";
    const peer = readPeer(request.headers, hop, trust);
    if (api.connect && isWebSocketHandshake(request)) {
      const handshake = { connect: api.connect, request, peer, listener, longLived };
      const refused = await switchProtocols(handshake);
      if (refused) listener.timeout(request, patience.idle);
      return refused;
    }
    const giveBack = uploads.take(request.headers);
    if (giveBack === null) return refuseForNow();
    if (isSlow(request.headers)) {
      peer.refreshIdleTimer = () => listener.timeout(request, patience.upload);
      peer.refreshIdleTimer();
    }
    const response = await api.fetch(request, peer).finally(giveBack);
    if (isEventStream(response.headers))
      return keepOpen(request, response, { listener, longLived });
    // The setting stays with the connection. What is still to come may be waited for; what follows not.
    listener.timeout(request, isWhole(request, response) ? patience.idle : patience.answer);
    return response;
  };

  const answer = (request: Request, path: string, listener: Listener) => {
    const forApi = isForApi(path);
    if (neverServed(request.method))
      return forApi ? refuseMethod() : refuse(405, UNSERVED, READABLE);
    if (!hasOneLength(request.headers))
      return refuseMalformed(path, "Expected one Content-Length.");
    if (isHealthQuestion(path)) return answerHealth(api, request, path);
    return forApi ? ask(request, listener) : answerFromSite(site, request, path);
  };

  const finish = (answered: Answer, request: Request, path: string, began: number) => {
    if (answered && isSecure(request.headers, trust))
      answered.headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
    if (log === null) return answered;
    if (answered)
      return countContent(request, answered, (bytes) =>
        log(request, path, { status: answered.status, bytes }, began),
      );
    log(request, path, SWITCHED, began);
    return answered;
  };

  return (request: Request, listener: Listener): Answer | Promise<Answer> => {
    const began = log === null ? 0 : performance.now();
    const path = readPath(request);
    if (path === null) {
      const asked = readPathWithoutHost(request);
      return finish(refuseMalformed(asked, BAD_HOST), request, asked, began);
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

function isForApi(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

/** Methods that echo the request or open a tunnel: nothing here does either. */
function neverServed(method: string): boolean {
  return method === "TRACE" || method === "CONNECT";
}

const BAD_HOST = "Expected one Host header that names a host.";

/** What nobody may send, wherever it was sent. */
function refuseMalformed(path: string, detail: string): Response {
  return isForApi(path) ? problem(400, detail) : refuse(400, detail);
}

/** Sent without reading the body, so that the connection is of no use after it. */
function refuseForNow(): Response {
  const response = problem(503, "Too many uploads are under way.");
  response.headers.set("Retry-After", "1");
  response.headers.set("Connection", "close");
  return response;
}

/** Which methods a resource of the API has only the API knows: these are all that may be passed on. */
function refuseMethod(): Response {
  const response = problem(405, UNSERVED);
  response.headers.set("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  return response;
}

/** Whether an answer is there as a whole: without a length, or with a large one, it may still be coming. */
function isWhole({ method }: Request, { status, headers }: Response): boolean {
  if (method === "HEAD" || status === 204 || status === 304) return true;
  const length = headers.get("content-length");
  return length !== null && Number(length) <= SMALL_BODY;
}

function fail(error: unknown): Response {
  console.error(error);
  return refuse(500, "The server failed to answer.");
}

/** An event stream may be quiet for hours. The setting would outlive it, so the connection does not. */
function keepOpen(
  request: Request,
  response: Response,
  { listener, longLived }: { listener: Listener; longLived: LongLived },
): Response {
  listener.timeout(request, 0);
  response.headers.set("Connection", "close");
  const { body, status, headers } = response;
  return body === null ? response : new Response(longLived.addStream(body), { status, headers });
}
