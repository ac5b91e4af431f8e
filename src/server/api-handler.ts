import { type Api, type Peer, subscriberOf } from "../shared/api.ts";
import { log } from "../shared/log.ts";
import { problem } from "../shared/problem.ts";
import type { Config } from "./config/config.ts";
import { isEventStream, type OpenConnections } from "./open-connections.ts";
import { isProxy, type PeerTrust, readPeer } from "./peer.ts";
import type { HostCheck } from "./request-target.ts";
import { textResponse } from "./static/resource.ts";
import { type Connect, isWebSocketHandshake, refuseHandshake } from "./websockets/handshake.ts";
import type { Tunnel } from "./websockets/tunnel.ts";

export type ConnectionTimeouts = ReturnType<typeof createTimeouts>;

/** A client that sends its head byte by byte is disconnected within 20 seconds. */
const IDLE_TIMEOUT_SECONDS = 15;

/** Added to the backend's timeout, so that its 504 still finds the connection open. */
const GRACE_SECONDS = 10;

/** The longest timeout that Bun takes. Its timer keeps running below 16 KB a second. */
const MAX_TIMEOUT_SECONDS = 255;

/**
 * Seconds that a connection may be silent before it is closed; Bun checks every four seconds. `idle` applies
 * between two requests, within a head, and while the client does not read a static response. Behind a trusted
 * proxy it is long, as the proxy's connection pool expects.
 */
export function createTimeouts(config: Pick<Config, "upstreamTimeout" | "trustProxy">) {
  const response = config.upstreamTimeout + GRACE_SECONDS;
  const idle = config.trustProxy ? response : IDLE_TIMEOUT_SECONDS;
  return { idle, response, upload: MAX_TIMEOUT_SECONDS };
}

export type Listener = Pick<Bun.Server<Tunnel>, "requestIP" | "timeout" | "upgrade">;

export interface ApiHandlerOptions {
  api: Api & { connect?: Connect };
  config: PeerTrust & Pick<Config, "authHeader" | "basePath">;
  timeouts: ConnectionTimeouts;
  openConnections: OpenConnections;
  /** Null: every host is allowed. */
  allowsHost: HostCheck | null;
}

/** Bytes that the bodies of requests may occupy in memory. */
const HELD_BYTES = { max: 134_217_728, maxPerSubscriber: 33_554_432 };

/** Open WebSockets: Bun keeps an unfinished message where it cannot be counted. */
const WEBSOCKETS = { max: 512, maxPerSubscriber: 64 };

/** Responses up to this many bytes are handed to Bun whole, and sent in one piece. */
const MAX_SHORT_RESPONSE_BYTES = 65_536;

/** Bodies up to this many bytes come within the ordinary timeout, however slow the client is. */
const MAX_SHORT_BODY_BYTES = 4096;

/** Answers requests under `/api/`, with the timeout that each needs, or makes them a WebSocket. */
export function createApiHandler(options: ApiHandlerOptions) {
  const { api, config, timeouts, openConnections, allowsHost } = options;
  const readProxyUser = createProxyUserReader(config);
  const openHeldBytes = createQuota(HELD_BYTES);
  const openWebSockets = createQuota(WEBSOCKETS);

  const answer = async (request: Request, peer: Peer, listener: Listener) => {
    const response = await api.fetch(request, peer);
    if (isEventStream(response.headers)) {
      // Events may be hours apart. The setting stays with the connection, which therefore ends with them.
      listener.timeout(request, 0);
      response.headers.set("Connection", "close");
      const { body, status, headers } = response;
      if (body === null) return response;
      return new Response(openConnections.addStream(body), { status, headers });
    }
    const short = isShortResponse(request, response);
    listener.timeout(request, short ? timeouts.idle : timeouts.response);
    return response;
  };

  /** Waits for the backend's handshake. Returns a response if it is refused; undefined: a WebSocket. */
  const switchProtocols = async (
    connect: Connect,
    request: Request,
    peer: Peer,
    listener: Listener,
  ): Promise<Response | undefined> => {
    const refusal = refuseHandshake(request.headers);
    if (refusal) return refusal;
    const share = openWebSockets(peer.address);
    if (!share.take(1))
      return textResponse(503, "Too many WebSockets are open.", { "Retry-After": "5" });
    const tunnel = await connect(request, peer);
    if (tunnel instanceof Response) {
      share.release();
      return tunnel;
    }
    tunnel.onEnd(share.release);
    const headers = tunnel.protocol ? { "Sec-WebSocket-Protocol": tunnel.protocol } : {};
    if (!request.signal.aborted && listener.upgrade(request, { data: tunnel, headers })) {
      tunnel.onEnd(openConnections.add(() => tunnel.goAway()));
      return undefined;
    }
    tunnel.abandon();
    return textResponse(400, "Expected a WebSocket handshake over HTTP/1.1.");
  };

  /** @returns Undefined where the connection has become a WebSocket. */
  return async (request: Request, listener: Listener): Promise<Response | undefined> => {
    const host = request.headers.get("host") ?? "";
    if (allowsHost && !allowsHost(host)) return refuseHost(host);
    listener.timeout(request, timeouts.response);
    const peer = readPeer(request.headers, remoteOf(request, listener), config);
    peer.basePath = config.basePath;
    const proxyUser = readProxyUser(request.headers, peer);
    if (proxyUser instanceof Response) return proxyUser;
    if (proxyUser !== null) peer.proxyUser = proxyUser;
    if (api.connect && isWebSocketHandshake(request)) {
      const refusal = await switchProtocols(api.connect, request, peer, listener);
      if (refusal) listener.timeout(request, timeouts.idle);
      return refusal;
    }
    if (request.method === "GET" || request.method === "HEAD")
      return answer(request, peer, listener);
    const share = openHeldBytes(peer.address);
    peer.hold = share.take;
    peer.release = share.release;
    peer.refreshIdleTimer = () => listener.timeout(request, timeouts.upload);
    if (isLongBody(request.headers)) peer.refreshIdleTimer();
    return answer(request, peer, listener).finally(share.release);
  };
}

/** The other end of the connection of a request; empty where it is gone. */
export function remoteOf(request: Request, listener: Listener): string {
  return listener.requestIP(request)?.address ?? "";
}

/** Time between two log lines about an `AUTH_HEADER` from an untrusted peer. */
const LOG_PAUSE_MS = 60_000;

/**
 * Bun joins repeated headers with a comma, so one with a comma is refused: a client may have added
 * it. From anywhere but the proxy the header is removed, and the log tells of it once a minute.
 */
function createProxyUserReader(config: ApiHandlerOptions["config"]) {
  const { authHeader } = config;
  let nextLogMs = 0;
  return (headers: Headers, { remoteAddress }: Peer): string | Response | null => {
    const given = authHeader === null ? null : headers.get(authHeader);
    if (authHeader === null || given === null) return null;
    if (isProxy(remoteAddress, config)) {
      if (given.includes(",")) return problem(400, `Expected the header ${authHeader} once.`);
      // Bun reads each byte as a character, but it is UTF-8.
      return Buffer.from(given, "latin1").toString("utf8").trim() || null;
    }
    headers.delete(authHeader);
    if (Date.now() >= nextLogMs) {
      nextLogMs = Date.now() + LOG_PAUSE_MS;
      log.error(
        `Ignored the header ${authHeader} from ${remoteAddress}, which is not in TRUSTED_PROXIES.`,
      );
    }
    return null;
  };
}

function isLongBody(headers: Headers): boolean {
  const length = headers.get("content-length");
  return length === null || Number(length) > MAX_SHORT_BODY_BYTES;
}

/** Whether a response is complete already. One that is long or has no length may still be arriving. */
function isShortResponse({ method }: Request, { status, headers }: Response): boolean {
  if (method === "HEAD" || status === 204 || status === 304) return true;
  const length = headers.get("content-length");
  return length !== null && Number(length) <= MAX_SHORT_RESPONSE_BYTES;
}

/** 421 for a name that another person may have pointed at this machine: RFC 9110 §15.5.20. */
function refuseHost(host: string): Response {
  log.error(
    `Refused a request to /api/ for the host ${JSON.stringify(host)}. If it is yours, set ALLOWED_HOSTS to it.`,
  );
  return problem(421, "This host name is not allowed. The server’s log says how to allow it.");
}

/** Limits what clients occupy at the same time: each subscriber by itself, and all of them together. */
export function createQuota({ max, maxPerSubscriber }: { max: number; maxPerSubscriber: number }) {
  const taken = new Map<string, number>();
  let total = 0;

  /** Opens the share of one request or connection, which is empty at first. */
  return (address: string) => {
    const subscriber = subscriberOf(address);
    let own = 0;
    return {
      /** Takes more; false, and nothing taken, where a limit would be exceeded. */
      take(amount: number): boolean {
        const sum = (taken.get(subscriber) ?? 0) + amount;
        if (total + amount > max || sum > maxPerSubscriber) return false;
        taken.set(subscriber, sum);
        total += amount;
        own += amount;
        return true;
      },
      /** Gives everything back; may be called again. */
      release() {
        const left = (taken.get(subscriber) ?? 0) - own;
        if (left > 0) taken.set(subscriber, left);
        else taken.delete(subscriber);
        total -= own;
        own = 0;
      },
    };
  };
}
