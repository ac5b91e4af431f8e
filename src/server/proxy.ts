import { rootCertificates } from "node:tls";
import type { Api, Peer } from "./api.ts";
import { HandshakeError, openTunnel } from "./open-tunnel.ts";
import {
  describeFailure,
  isStaleConnection,
  logFailure,
  refuseAsBackend,
} from "./proxy-failure.ts";
import { upstreamHeaders } from "./upstream-headers.ts";
import { answerFromUpstream } from "./upstream-answer.ts";
import { upstreamBody } from "./upstream-body.ts";
import { Watchdog } from "./watchdog.ts";

interface Options {
  /** The backend's base URL without a slash at its end; the request's own path goes behind it. */
  target: string;
  /** Seconds without a byte from the backend. */
  timeout: number;
  trustProxy: boolean;
  /** PEM of authorities to trust beside the usual ones. */
  authorities: string | null;
}

/** Answers `/api/` by asking another server: a reverse proxy as RFC 9110 §7.6 describes it. */
export function createProxy({ target, timeout, trustProxy, authorities }: Options): Api {
  const tls = {
    // Said to both, whatever NODE_TLS_REJECT_UNAUTHORIZED says: there is no way to turn it off.
    rejectUnauthorized: true,
    ...(authorities === null ? {} : { ca: [...rootCertificates, authorities] }),
  };
  // Whatever the environment names: the backend is asked directly.
  const session = new Bun.FetchSession({ proxy: false, tls });

  const send = async (request: Request, peer: Peer, watchdog: Watchdog) => {
    watchdog.reset();
    const body = await upstreamBody(request, watchdog, peer.heard);
    return session.fetch(target + readTarget(request.url), {
      method: request.method,
      headers: upstreamHeaders(request.headers, peer, trustProxy),
      ...(body === null ? {} : { body }),
      redirect: "manual",
      decompress: false,
      signal: watchdog.until(request),
    });
  };

  const exchange = async (request: Request, peer: Peer, watchdog: Watchdog) => {
    try {
      return await send(request, peer, watchdog);
    } catch (error) {
      // The backend may close an idle connection just as it is used again. Only what changes
      // nothing is sent twice.
      const repeatable = request.method === "GET" || request.method === "HEAD";
      if (repeatable && isStaleConnection(error)) return send(request, peer, watchdog);
      throw error;
    }
  };

  return {
    async fetch(request, peer) {
      const watchdog = new Watchdog(timeout);
      const failed = (error: unknown) => {
        if (!request.signal.aborted)
          logFailure(error, { request, target, silent: watchdog.barked });
      };
      try {
        const upstream = await exchange(request, peer, watchdog);
        const { method } = request;
        return await answerFromUpstream(upstream, { method, target, watchdog, failed });
      } catch (error) {
        if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
        failed(error);
        return describeFailure(error, watchdog.barked);
      } finally {
        watchdog.rest();
      }
    },
    async connect(request, peer) {
      const watchdog = new Watchdog(timeout);
      const signal = AbortSignal.any([request.signal, watchdog.signal]);
      const headers = upstreamHeaders(request.headers, peer, trustProxy);
      // This client adds no name of its own that an empty one would have to stand for.
      if (!request.headers.has("user-agent")) headers.delete("user-agent");
      watchdog.reset();
      try {
        return await openTunnel({
          url: target + readTarget(request.url),
          headers,
          tls,
          signal,
          timeout,
        });
      } catch (error) {
        if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
        const refused = error instanceof HandshakeError ? error.status : null;
        if (refused !== null && refused >= 400 && refused < 500) return refuseAsBackend(refused);
        logFailure(error, { request, target, silent: watchdog.barked });
        return describeFailure(error, watchdog.barked);
      } finally {
        watchdog.rest();
      }
    },
    async ready() {
      const signal = AbortSignal.timeout(Math.min(timeout, READINESS) * 1000);
      const asked = session.fetch(`${target}/api/`, { method: "HEAD", redirect: "manual", signal });
      return asked.then(
        () => true,
        () => false,
      );
    },
    async close() {
      session.close();
    },
  };
}

/** Nobody reads this status but the access log; nginx writes the same one. */
const CLIENT_LEFT = 499;

/** Seconds that a backend is given to show that it is there. */
const READINESS = 5;

/** Path and query as they stand in a URL, which Bun hands over resolved and otherwise as they came. */
function readTarget(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const [target = ""] = url.slice(path).split("#", 1);
  return target;
}
