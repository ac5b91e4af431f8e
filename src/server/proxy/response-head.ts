import { type Header, tokensOf } from "./end-to-end.ts";
import { memoize } from "../../shared/memoize.ts";

/** The backend answered with something that is not HTTP/1.1 as RFC 9112 writes it. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code = "EPROTO";
}

/** What the head of a response says. */
export interface ResponseHead {
  status: number;
  /** Names in lower case, each line by itself. */
  headers: Header[];
  /** All that `Connection` says; empty where there is none. */
  connection: string;
  /** Bytes of content, or how its end is told where nobody knows them. */
  content: number | "chunked" | "until close";
  /** Whether the connection can be used again. */
  persistent: boolean;
  /** Seconds that the backend keeps an unused connection; null where it does not say. */
  keptFor: number | null;
}

/**
 * A status line and headers, without folded lines and control characters: RFC 9112 §4 and §5. All of it
 * in one test: to capture parts of each line costs as much as half of passing the answer on.
 */
const HEAD =
  /^HTTP\/1\.[01] [1-5]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*)*$/;

/** Up to 15 digits: more are no number that JavaScript counts exactly. */
const LENGTH = /^\d{1,15}$/;

/**
 * Reads the head of a response, strictly: what two readers could take for two different things ends
 * the exchange. Content is framed as RFC 9112 §6.3 says, but a length beside a coding is refused.
 *
 * @param text Without the empty line at its end, one character for each byte.
 * @param method Of the request: nothing follows the head that answers HEAD.
 * @throws {ProtocolError}
 */
export function parseResponseHead(text: string, method: string): ResponseHead {
  if (!HEAD.test(text)) throw new ProtocolError("Expected a status line and headers.");
  const lines = text.split("\r\n");
  const head: ResponseHead = {
    status: Number(text.slice(9, 12)),
    headers: [],
    connection: "",
    content: "until close",
    persistent: text.startsWith("HTTP/1.1"),
    keptFor: null,
  };
  for (let at = 1; at < lines.length; at++) {
    const header = splitHeader(lines[at] ?? "");
    head.headers.push(header);
    RULES.get(header[0])?.(head, header[1], text);
  }
  // RFC 9112 §6.3: whatever the headers say, nothing follows these.
  if (method === "HEAD" || head.status === 204 || head.status === 304) head.content = 0;
  else if (head.content === "until close") head.persistent = false;
  return head;
}

/** Most lines are the same in one response as in the one before. */
const splitHeader = memoize((line): Header => {
  const colon = line.indexOf(":");
  let from = colon + 1;
  let to = line.length;
  while (from < to && isPadding(line.charCodeAt(from))) from++;
  while (to > from && isPadding(line.charCodeAt(to - 1))) to--;
  return [line.slice(0, colon).toLowerCase(), line.slice(from, to)];
});

function isPadding(code: number): boolean {
  return code === 32 || code === 9;
}

type Rule = (head: ResponseHead, value: string, text: string) => void;

/** What a header says about the message and its connection. */
const RULES = new Map<string, Rule>([
  [
    "content-length",
    (head, value) => {
      if (head.content !== "until close" || !LENGTH.test(value))
        throw new ProtocolError("Expected one Content-Length, and no coding beside it.");
      head.content = Number(value);
    },
  ],
  [
    "transfer-encoding",
    (head, value, text) => {
      const known = value.toLowerCase() === "chunked" && text.startsWith("HTTP/1.1");
      if (head.content !== "until close" || !known)
        throw new ProtocolError("Expected no coding but chunked, and no length beside it.");
      head.content = "chunked";
    },
  ],
  [
    "connection",
    (head, value) => {
      head.connection += `${value},`;
      const options = tokensOf(value);
      if (options.has("close")) head.persistent = false;
      else if (options.has("keep-alive")) head.persistent = true;
    },
  ],
  ["keep-alive", (head, value) => (head.keptFor = keptFor(value))],
]);

/** Seconds, where it says any. */
const keptFor = memoize((value) => {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,5})/i.exec(value)?.[1];
  return seconds === undefined ? null : Number(seconds);
});
