import { rootCertificates } from "node:tls";
import { logPath, type Api, type Peer, pathBelow } from "../../shared/api.ts";
import { codeOf, log } from "../../shared/log.ts";
import { problem } from "../../shared/problem.ts";
import type { Config } from "../config/config.ts";
import { isProxy } from "../peer.ts";
import { readPathAndQuery } from "../request-target.ts";
import { type Connect, openTunnel, refusedStatus } from "../websockets/handshake.ts";
import { Exchange, tooBusy, upstreamBody, upstreamHeaders } from "./upstream-request.ts";
import { forwardResponse } from "./upstream-response.ts";

type ProxyOptions = Pick<
  Config,
  "upstreamTimeout" | "trustProxy" | "trustedProxies" | "backendAuthorities"
> & {
  /** The backend's base URL without a slash at its end; the request's own path is appended. */
  target: string;
  /** Of a backend like the embedded one: see `logPath`. */
  secretPaths: readonly string[];
};

/** Only the access log shows this status; nginx writes the same one. */
const CLIENT_LEFT = 499;

const READINESS_TIMEOUT_MS = 5000;

/** Answers `/api/` by asking another server: a reverse proxy as RFC 9110 §7.6 describes it. */
export function createProxy(options: ProxyOptions): Api & { connect: Connect } {
  const { target, secretPaths, backendAuthorities } = options;
  const timeoutMs = options.upstreamTimeout * 1000;
  const tls = {
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn verification off otherwise.
    rejectUnauthorized: true,
    ...(backendAuthorities === null ? {} : { ca: [...rootCertificates, backendAuthorities] }),
  };
  // Without `proxy: false` fetch obeys HTTP_PROXY, even for the loopback.
  const session = new Bun.FetchSession({ proxy: false, tls });

  /** Without the base path, which `X-Forwarded-Prefix` says. */
  const readTarget = ({ url }: Request, { basePath = "" }: Peer) =>
    pathBelow(basePath, readPathAndQuery(url));

  const send = async (request: Request, peer: Peer, exchange: Exchange) => {
    const body = await upstreamBody(request, peer, exchange);
    if (body instanceof Response) return body;
    // While a stream is sent, it tells itself whether the client or the backend is awaited.
    if (!(body instanceof ReadableStream)) exchange.refresh();
    const upstream = await session.fetch(target + readTarget(request, peer), {
      method: request.method,
      headers: upstreamHeaders(request.headers, peer, isProxy(peer.remoteAddress, options)),
      ...(body === null ? {} : { body }),
      redirect: "manual",
      decompress: false,
      signal: exchange.signal,
    });
    exchange.awaited = "byte";
    const onError = (error: unknown) => void fail(error, request, peer, exchange);
    return forwardResponse(upstream, { method: request.method, target, peer, exchange, onError });
  };

  const fail = (error: unknown, request: Request, peer: Peer, exchange: Exchange): Response => {
    exchange.stop();
    if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
    if (exchange.signal.reason === "too many bytes held") return tooBusy();
    const timedOut = exchange.signal.reason === "timeout";
    const path = logPath(readTarget(request, peer).replace(/\?.*/, ""), secretPaths);
    const reason = timedOut ? `no ${exchange.awaited} within UPSTREAM_TIMEOUT` : reasonOf(error);
    log.error(`${request.method} ${path}: ${target} failed: ${reason}`);
    if (timedOut) return problem(504, "The backend did not respond in time.");
    return problem(502, describeFailure(codeOf(error)));
  };

  return {
    async fetch(request, peer) {
      const exchange = new Exchange(request.signal, timeoutMs);
      try {
        return await send(request, peer, exchange).catch((error: unknown) => {
          // The backend may close an idle connection just as it is reused. A request that changes
          // nothing is sent once more; a POST never is.
          const repeatable = request.method === "GET" || request.method === "HEAD";
          if (repeatable && codeOf(error) === "ECONNRESET") return send(request, peer, exchange);
          throw error;
        });
      } catch (error) {
        return fail(error, request, peer, exchange);
      }
    },
    async connect(request, peer) {
      const exchange = new Exchange(request.signal, timeoutMs);
      const headers = upstreamHeaders(request.headers, peer, isProxy(peer.remoteAddress, options));
      // Bun's WebSocket client adds no name of its own that an empty one would have to replace.
      if (!request.headers.has("user-agent")) headers.delete("user-agent");
      exchange.refresh();
      try {
        return await openTunnel({
          url: target + readTarget(request, peer),
          headers,
          tls,
          signal: exchange.signal,
          timeoutMs,
        });
      } catch (error) {
        const refused = refusedStatus(error);
        if (refused !== null && refused >= 400 && refused < 500)
          return problem(refused, "The backend refused the WebSocket.");
        return fail(error, request, peer, exchange);
      } finally {
        exchange.stop();
      }
    },
    async ready() {
      const signal = AbortSignal.timeout(Math.min(timeoutMs, READINESS_TIMEOUT_MS));
      const asked = session.fetch(`${target}/api/`, { method: "HEAD", redirect: "manual", signal });
      return asked.then(
        () => true as const,
        () => "the backend does not answer",
      );
    },
    async close() {
      session.close();
    },
  };
}

/** What happened, for the client: never where the backend is, nor what the library called it. */
const DETAILS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The backend refused the connection.",
  ENOTFOUND: "The backend’s host name could not be resolved.",
  EAI_AGAIN: "The backend’s host name could not be resolved.",
  ECONNRESET: "The backend closed the connection.",
  EHOSTUNREACH: "The backend could not be reached.",
  ENETUNREACH: "The backend could not be reached.",
  ETIMEDOUT: "The backend could not be reached.",
};

function describeFailure(code: string): string {
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code))
    return "The backend’s certificate is not trusted.";
  return DETAILS[code] ?? "The backend did not send a valid response.";
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${codeOf(error) || "error"}: ${message.split("\n", 1)[0]}`;
}
