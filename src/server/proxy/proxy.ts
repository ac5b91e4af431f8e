import { rootCertificates } from "node:tls";
import type { Api } from "../../shared/api.ts";
import { problem } from "../../shared/problem.ts";
import { HandshakeError, openTunnel } from "../websockets/open-tunnel.ts";
import { describeFailure, logFailure, refuseAsBackend } from "./proxy-failure.ts";
import { UnwritableError } from "./request-head.ts";
import { answerFromUpstream } from "./upstream-answer.ts";
import { NO_CONTENT, readContent } from "./upstream-body.ts";
import { SAFE, UpstreamClient } from "./upstream-client.ts";
import { ClientLeftError, SilenceError } from "./upstream-error.ts";
import { upstreamHeaders } from "./upstream-headers.ts";
import type { Connect } from "../websockets/switch-protocols.ts";
import { Watch } from "./watchdog.ts";

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
export function createProxy({
  target,
  timeout,
  trustProxy,
  authorities,
}: Options): Api & { connect: Connect } {
  const { protocol, hostname, port, host, pathname } = new URL(target);
  const base = pathname.replace(/\/$/, "");
  const secure = protocol === "https:";
  const tls = {
    // Said whatever NODE_TLS_REJECT_UNAUTHORIZED says: there is no way to turn it off.
    rejectUnauthorized: true,
    ...(authorities === null ? {} : { ca: [...rootCertificates, authorities] }),
  };
  const client = new UpstreamClient(host, {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 443 : 80),
    tls: secure ? tls : null,
    timeout,
  });
  const watch = new Watch(timeout);

  const failure = (error: unknown, request: Request): Response => {
    if (error instanceof ClientLeftError || request.signal.aborted)
      return new Response(null, { status: CLIENT_LEFT });
    if (error instanceof UnwritableError) return problem(400, error.message);
    logFailure(error, { request, target });
    return describeFailure(error);
  };

  return {
    async fetch(request, peer) {
      const { method } = request;
      const watchdog = watch.begin(request);
      const failed = (error: unknown) => {
        watchdog.end();
        return failure(error, request);
      };
      try {
        const upstream = await client.send({
          method,
          target: base + readTarget(request.url),
          headers: upstreamHeaders(request.headers, peer, trustProxy),
          content: SAFE.has(method) ? NO_CONTENT : await readContent(request),
          watchdog,
          heard: peer.refreshIdleTimer,
        });
        return await answerFromUpstream(upstream, { method, target, watchdog, failed });
      } catch (error) {
        return failed(error);
      }
    },
    async connect(request, peer) {
      const silence = AbortSignal.timeout(timeout * 1000);
      const headers = new Headers();
      for (const header of upstreamHeaders(request.headers, peer, trustProxy))
        headers.append(...header);
      try {
        return await openTunnel({
          url: target + readTarget(request.url),
          headers,
          tls,
          signal: AbortSignal.any([request.signal, silence]),
          timeout,
        });
      } catch (error) {
        const refused = error instanceof HandshakeError ? error.status : null;
        if (refused !== null && refused >= 400 && refused < 500 && !request.signal.aborted)
          return refuseAsBackend(refused);
        return failure(silence.aborted ? new SilenceError("silent for too long") : error, request);
      }
    },
    async ready() {
      const watchdog = watch.begin({ signal: AbortSignal.timeout(READINESS * 1000) });
      const content = { framing: null };
      const asked = client.send({
        method: "HEAD",
        target: `${base}/api/`,
        headers: [],
        content,
        watchdog,
      });
      return asked.then(
        () => true,
        () => false,
      );
    },
    async close() {
      client.close();
    },
  };
}

/** Nobody reads this status but the access log; nginx writes the same one. */
const CLIENT_LEFT = 499;

/** Seconds that a backend is given at most to show that it is there. */
const READINESS = 5;

/** Path and query as they stand in a URL, which Bun hands over resolved and otherwise as they came. */
function readTarget(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#", path);
  return fragment < 0 ? url.slice(path) : url.slice(path, fragment);
}
