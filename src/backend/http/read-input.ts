import * as p from "../../shared/parse.ts";
import { UUID } from "../../shared/text.ts";
import { readBody, TOO_MANY_PARTS } from "../../shared/read-body.ts";
import { badFields, RequestError, tryLater } from "./request-error.ts";
import type { QueryParser, RequestContext } from "./route.ts";

/** Enough for the longest notes in four-byte characters, several times over. */
export const MAX_JSON_BYTES = 256 * 1024;

/** Time for the whole of a JSON body: a byte now and then does not keep a request alive. */
const MAX_JSON_MS = 15_000;

type Sent = Pick<RequestContext, "request" | "peer">;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** The rest of a body that was refused may still arrive: the connection cannot be used again. */
const CLOSE = { Connection: "close" };

/**
 * Reads a JSON body of at most `maxBytes` within 15 s. @throws {RequestError} 400 for crumbs, other than JSON in
 * UTF-8, and what `parse` refuses; 408, 413, 415; 503 if too much is held in memory.
 */
export async function readJson<T>(sent: Sent, parse: p.Parser<T>, maxBytes = MAX_JSON_BYTES) {
  const type = sent.request.headers.get("content-type") ?? "";
  if (!JSON_TYPE.test(type)) {
    const came = type.slice(0, 100) || "no type";
    throw new RequestError(415, `Expected a body of type application/json, but got ${came}`);
  }
  return parseInput(parse, decodeJson(await readBytes(sent, maxBytes)));
}

const MAX_FORM_BYTES = 4 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** Reads the form of a page without script, at most 4 KB; empty for a body of any other type. */
export async function readForm(sent: Sent): Promise<URLSearchParams> {
  const type = sent.request.headers.get("content-type") ?? "";
  if (!FORM_TYPE.test(type)) return new URLSearchParams();
  const bytes = await readBytes(sent, MAX_FORM_BYTES);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Applies a parser to what the caller sent. @throws {RequestError} 400 for what it refuses. */
export function parseInput<T>(parse: p.Parser<T>, input: unknown): T {
  try {
    return parse(input);
  } catch (error) {
    throw error instanceof p.ParseError ? badFields(error.problems) : error;
  }
}

/** An empty value counts as absent. @throws {RequestError} 400 if repeated or refused. */
export function parseParameters<T>(parameters: URLSearchParams, parse: p.Parser<T>): T {
  const values = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (values.has(name)) {
      const detail = "Expected this parameter once, but got it several times.";
      throw badFields([{ pointer: `/${name.slice(0, 100)}`, code: "repeated", detail }]);
    }
    values.set(name, value);
  }
  const given = [...values].filter(([, value]) => value !== "");
  return parseInput(parse, Object.fromEntries(given));
}

/** Reads a query of these parameters and no others, each at most once. */
export function queryOf<const S extends p.Shape>(shape: S): QueryParser<p.ObjectOf<S>> {
  const parse = p.exactObject(shape, "parameter");
  const read = (given: URLSearchParams) => parseParameters(given, parse);
  return Object.assign(read, { schema: () => p.schemaOf(parse) });
}

/** A query without parameters: any is a mistake. */
export const NO_PARAMETERS = queryOf({});

export const parseId = p.textLike(UUID, "type", "an id");

/** Decodes a segment of a path. One that is malformed, or has control characters, stays encoded. */
export function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    return /\p{Cc}/u.test(decoded) ? segment : decoded;
  } catch {
    return segment;
  }
}

/** The 503 error where the client, or all of them together, have too much in memory. */
export function tooBusy(): RequestError {
  const detail = "The server is receiving too much right now. Try again in a moment.";
  return tryLater(503, detail, 1, CLOSE);
}

export function tooLarge(maxBytes: number): RequestError {
  return new RequestError(413, `Expected a body of at most ${maxBytes} bytes.`, {}, CLOSE);
}

function decodeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RequestError(400, "The body is not a JSON document in UTF-8.");
  }
}

async function readBytes({ request, peer }: Sent, maxBytes: number): Promise<Uint8Array> {
  const { body } = request;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) {
    await body?.cancel().catch(() => undefined);
    throw tooLarge(maxBytes);
  }
  const read = await readBody(body, peer, { maxBytes, timeoutMs: MAX_JSON_MS });
  if (read === "too large") throw tooLarge(maxBytes);
  if (read === "too many parts") throw new RequestError(400, TOO_MANY_PARTS, {}, CLOSE);
  if (read === "late") {
    const detail = `Expected the whole body within ${MAX_JSON_MS / 1000} seconds.`;
    throw new RequestError(408, detail, {}, CLOSE);
  }
  if (read === "refused") throw tooBusy();
  return read;
}
