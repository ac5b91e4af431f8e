import { passOn } from "./proxy/pass-on.ts";

/** Writes a line per request: method, path without query, status, milliseconds, bytes of content. */
export type AccessLog = (
  request: Request,
  path: string,
  answer: { status: number; bytes: number },
  began: number,
) => void;

/** A path is as the URL parser left it, so that no control character reaches a terminal. */
export const writeAccess: AccessLog = ({ method }, path, { status, bytes }, began) => {
  const milliseconds = (performance.now() - began).toFixed(1);
  writeSoon(`${method} ${path} ${status} ${milliseconds} ms ${bytes}`);
};

/** What was answered in this turn of the event loop: one call writes all of it. */
let lines: string[] = [];

function writeSoon(line: string) {
  if (lines.length === 0) setImmediate(writeAll);
  lines.push(line);
}

function writeAll() {
  if (lines.length > 0) console.log(lines.join("\n"));
  lines = [];
}

// The last requests are answered just before the process ends.
process.on("exit", writeAll);

/** The status that a WebSocket begins with; nobody counts what passes through it. */
export const SWITCHED = { status: 101, bytes: 0 } as const;

/**
 * Tells how long an answer's content is: at once where its head says so or there is none, and after
 * its end, however it ended, where it is of unknown length.
 *
 * @returns The answer to send.
 */
export function countContent(
  request: Request,
  response: Response,
  counted: (bytes: number) => void,
): Response {
  const { headers, status } = response;
  // Asked before `body` is: to look at that alone makes a stream of what is there in one piece.
  const length = headers.get("content-length");
  const body = request.method === "HEAD" || length !== null ? null : response.body;
  if (body === null) {
    counted(request.method === "HEAD" || status === 304 ? 0 : Number(length ?? 0));
    return response;
  }
  let bytes = 0;
  const passed = passOn(body.getReader(), {
    passed: (chunk) => void (bytes += chunk.length),
    ended: () => counted(bytes),
  });
  return new Response(passed, { status, headers });
}
