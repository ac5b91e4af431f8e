import { type Api, logPath } from "../shared/api.ts";
import { formatEntry } from "../shared/log.ts";
import { forwardBody } from "./forward-body.ts";

/** Is told of each request once its response has ended; `path` has no query, `bytes` are of content. */
export type RequestObserver = (
  request: Request,
  path: string,
  response: { status: number; bytes: number },
  began: number,
) => void;

/**
 * Writes a line per request. The URL parser has escaped control characters in the path.
 *
 * @param routeOf In JSON, which programs count, paths are those of routes.
 */
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
