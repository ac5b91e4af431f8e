import { type Api, logPath } from "../shared/api.ts";
import { formatEntry } from "../shared/log.ts";
import {
  createCounter,
  createHistogram,
  formatMetrics,
  gauge,
  type Metric,
} from "../shared/metrics.ts";
import { VERSION } from "../shared/version.ts";
import { forwardBody } from "./forward-body.ts";
import { textResponse } from "./static/resource.ts";

/** Called for each request once its response has ended; `path` has no query, `bytes` counts content. */
export type RequestObserver = (
  request: Request,
  path: string,
  response: { status: number; bytes: number },
  began: number,
) => void;

/** Writes a line per request, in JSON with the path of its route. Paths come escaped. */
export function createAccessLog(
  secretPaths: readonly string[],
  format: "access" | "json",
  routeOf: Api["routeOf"],
): RequestObserver {
  return ({ method }, path, { status, bytes }, began) => {
    const ms = (performance.now() - began).toFixed(1);
    if (lines.length === 0) setImmediate(writeLines);
    const shown = logPath(path, secretPaths);
    if (format === "json") {
      const route = routeOf?.(path) ?? shown;
      lines.push(formatEntry({ method, path: route, status, ms: Number(ms), bytes }));
    } else lines.push(`${method} ${shown} ${status} ${ms} ms ${bytes}`);
  };
}

let lines: string[] = [];

function writeLines() {
  if (lines.length > 0) console.log(lines.join("\n"));
  lines = [];
}

// The last requests are answered just before the process ends.
process.on("exit", writeLines);

/** Calls back with the bytes of a response's content, at once or after its end. Returns what to send. */
export function countContent(
  request: Request,
  response: Response,
  onCounted: (bytes: number) => void,
): Response {
  const { headers, status } = response;
  // Asked before `body`: reading that property makes a stream of what is there in one piece.
  const length = headers.get("content-length");
  const body = request.method === "HEAD" || length !== null ? null : response.body;
  if (body === null) {
    onCounted(request.method === "HEAD" || status === 304 ? 0 : Number(length ?? 0));
    return response;
  }
  let bytes = 0;
  const counted = forwardBody(body.getReader(), {
    onChunk: (chunk) => void (bytes += chunk.length),
    onEnd: () => onCounted(bytes),
  });
  return new Response(counted, { status, headers });
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Paths outside the API that are counted by themselves; all others are the site's. */
const OWN_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const EVENT_LOOP_INTERVAL_MS = 100;

/** Counts the requests of this process, and measures for how long its event loop is blocked. */
export function createMetrics(api: Api) {
  const requests = createCounter("freehold_http_requests_total", "Requests that were answered.");
  const durations = createHistogram(
    "freehold_http_request_duration_seconds",
    "From the head of a request to the end of its response.",
  );
  const delays = createHistogram(
    "freehold_event_loop_delay_seconds",
    "How late a 100 ms timer fires: how long the event loop was blocked.",
  );
  let lastMs = performance.now();
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - lastMs - EVENT_LOOP_INTERVAL_MS) / 1000);
    lastMs = now;
  }, EVENT_LOOP_INTERVAL_MS).unref();

  const observe: RequestObserver = ({ method }, path, { status }, began) => {
    const other = path.startsWith("/api/") ? "/api/*" : OWN_PATHS.has(path) ? path : "/*";
    const route = api.routeOf?.(path) ?? other;
    const known = METHODS.has(method) ? method : "other";
    requests.add({ route, method: known, status: String(status) });
    durations.observe((performance.now() - began) / 1000, { route });
  };

  return {
    observe,
    /** Answers `GET /metrics`, with 404 where a proxy has forwarded the request. */
    async answer(headers: Headers): Promise<Response> {
      // Every proxy adds one of these headers, and a client cannot remove it.
      if (headers.has("x-forwarded-for") || headers.has("forwarded"))
        return textResponse(404, "Not found.");
      const own = [requests, durations, delays, ...describeProcess()];
      const text = formatMetrics([...own, ...((await api.metrics?.()) ?? [])]);
      const type = "text/plain; version=0.0.4; charset=utf-8";
      return textResponse(200, text.trimEnd(), { "Content-Type": type });
    },
  };
}

function describeProcess(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const build = { version: VERSION, bun: Bun.version, value: 1 };
  const cpu = [{ value: (user + system) / 1_000_000 }];
  const startedAt = performance.timeOrigin / 1000;
  return [
    { ...gauge("process_cpu_seconds_total", "Processor time.", cpu), type: "counter" },
    gauge("process_start_time_seconds", "When it began, in Unix time.", [{ value: startedAt }]),
    gauge("process_resident_memory_bytes", "Memory of the process.", [{ value: rss }]),
    gauge("freehold_heap_used_bytes", "Memory of JavaScript objects.", [{ value: heapUsed }]),
    gauge("freehold_build_info", "Always 1; the labels say what runs.", [build]),
  ];
}
