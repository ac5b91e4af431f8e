// Depends on nothing, so that it can be copied into another project as it is.

/** RFC 9457 problem document; `errors` names bad fields, other members are the API's own. */
export interface HttpProblem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors: readonly Record<string, unknown>[];
  [extension: string]: unknown;
}

/**
 * How a request failed: a status other than 2xx, no response, a timeout, an abort, or a body that
 * cannot be parsed.
 */
export type HttpFailure = "http" | "network" | "timeout" | "abort" | "parse";

/** The only error that a request throws. `status` is 0 if there was no response. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly kind: HttpFailure;
  readonly status: number;
  readonly url: string;
  readonly method: string;
  /** The problem document (RFC 9457) of a failed response, if it carried one. */
  readonly problem: HttpProblem | null;

  constructor(kind: HttpFailure, sent: Sent, answer: Answer, cause?: unknown) {
    super(`${sent.method} ${sent.url}: ${answer.status || kind}`, { cause });
    this.kind = kind;
    this.status = answer.status;
    this.url = sent.url;
    this.method = sent.method;
    this.problem = answer.problem;
  }
}

type Sent = { url: string; method: string };
type Answer = { status: number; problem: HttpProblem | null };
type QueryValue = string | number | boolean | null | undefined;

export interface HttpOptions<T> {
  /** Upper-cased before use; GET by default. */
  method?: string | undefined;
  /** Sent as it is if `fetch` knows its type (text, form data, blobs, bytes), otherwise as JSON. */
  body?: unknown;
  /** Never overwritten, except for content-type on the upload route. */
  headers?: HeadersInit | undefined;
  /** Added to the URL before its fragment. Null and undefined are left out; a list repeats its name. */
  query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole exchange, body included; 0 means no limit, the default of uploads. */
  timeout?: number | undefined;
  redirect?: RequestRedirect | undefined;
  /** Checks the body: parsed if its type is JSON, else text; null if it is empty. */
  parse?: ((body: unknown, response: Response) => T) | undefined;
}

const TOKEN_PATH = "/api/token";
const UPLOAD_PATH = "/api/upload/post";
/** What `/api/` is below, and the cookie's name: to be set before the first request, where they differ. */
export const site = { basePath: "", xsrfCookie: "XSRF-TOKEN" };
const XSRF_HEADER = "X-XSRF-TOKEN";
const DEFAULT_TIMEOUT_MS = 30_000;
/** A base that no page has: a URL that resolves to its origin names neither scheme nor authority. */
const PROBE = "ftp://relative.invalid";

/**
 * Sends one request and returns what `parse` makes of its body. Adds the XSRF token to unsafe
 * requests with a relative URL. Never retries. Without `parse`, `T` is the caller's own claim.
 *
 * @param url Passed to `fetch` as it is, with `query` appended.
 * @throws {HttpError} Always this class; `cause` holds the original error.
 * @see https://url.spec.whatwg.org/#concept-basic-url-parser — decides what is relative.
 */
async function request<T = unknown>(url: string, options: HttpOptions<T> = {}): Promise<T> {
  const sent = {
    url: withQuery(url, options.query),
    method: (options.method ?? "GET").toUpperCase(),
  };
  const answer: Answer = { status: 0, problem: null };
  let stage: HttpFailure = "parse";
  let deadline: AbortSignal | undefined;
  try {
    const { path, relative } = classify(sent.url);
    const upload = path === site.basePath + UPLOAD_PATH;
    const headers = new Headers(options.headers);
    const body = encode(options.body);
    const typed =
      body instanceof FormData ||
      body instanceof URLSearchParams ||
      (body instanceof Blob && body.type !== "");
    if (upload) headers.delete("content-type");
    else if (!typed && !headers.has("content-type"))
      headers.set("content-type", "application/json");
    const safe = sent.method === "GET" || sent.method === "HEAD";
    const token = safe || !relative || headers.has(XSRF_HEADER) ? "" : readCookie(site.xsrfCookie);
    if (token) headers.set(XSRF_HEADER, token);

    stage = "network";
    const timeout = options.timeout ?? (upload ? 0 : DEFAULT_TIMEOUT_MS);
    if (timeout) deadline = AbortSignal.timeout(timeout);
    const signals = [options.signal, deadline].filter((signal) => signal !== undefined);
    const response = await fetch(sent.url, {
      method: sent.method,
      headers,
      ...(body === undefined ? {} : { body }),
      credentials: path === site.basePath + TOKEN_PATH ? "include" : "same-origin",
      // A browser that follows a redirect sends custom headers to the other origin too.
      redirect: options.redirect ?? (token ? "error" : "follow"),
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
    });
    answer.status = response.status;
    const text = await response.text();
    stage = "http";
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok) {
      if (type.includes("application/problem+json"))
        answer.problem = readProblem(text, response.status);
      throw new Error(answer.problem?.detail ?? `${response.status} ${response.statusText}`);
    }
    stage = "parse";
    const json = text === "" ? null : /[/+]json\b/i.test(type) ? JSON.parse(text) : text;
    return options.parse ? options.parse(json, response) : json;
  } catch (error) {
    if (stage === "network" && options.signal?.aborted) stage = "abort";
    else if (stage === "network" && deadline?.aborted) stage = "timeout";
    throw new HttpError(stage, sent, answer, error);
  }
}

type Without<T> = Omit<HttpOptions<T>, "method">;

const bodiless =
  (method: string) =>
  <T = unknown>(url: string, options?: Without<T>) =>
    request<T>(url, { ...options, method });

const withBody =
  (method: string) =>
  <T = unknown>(url: string, body?: unknown, options?: Without<T>) =>
    request<T>(url, { ...options, method, body });

/** Calls the backend; every method goes through `request`. */
export const http = {
  request,
  get: bodiless("GET"),
  head: bodiless("HEAD"),
  post: withBody("POST"),
  put: withBody("PUT"),
  patch: withBody("PATCH"),
  delete: bodiless("DELETE"),
};

/**
 * Returns a URL's path if it leads to the page's own origin, and whether it is relative: it names
 * neither a scheme nor an authority.
 */
function classify(url: string): { path: string | null; relative: boolean } {
  const target = URL.parse(url, document.baseURI);
  if (target?.origin !== location.origin || target.protocol === "blob:") {
    return { path: null, relative: false };
  }
  return { path: target.pathname, relative: URL.parse(url, PROBE)?.origin === PROBE };
}

function withQuery(url: string, query: HttpOptions<unknown>["query"]): string {
  const params = new URLSearchParams();
  for (const [name, given] of Object.entries(query ?? {})) {
    for (const value of [given].flat()) {
      if (value !== null && value !== undefined) params.append(name, String(value));
    }
  }
  if (params.size === 0) return url;
  const [, head = "", hash = ""] = /^([^#]*)(.*)$/s.exec(url) ?? [];
  return `${head}${head.includes("?") ? "&" : "?"}${params}${hash}`;
}

function encode(body: unknown): BodyInit | undefined {
  if (body === undefined || typeof body === "string" || isSendable(body)) return body;
  return JSON.stringify(body);
}

function isSendable(body: unknown): body is BodyInit {
  const kinds = [FormData, URLSearchParams, Blob, ReadableStream, ArrayBuffer];
  return ArrayBuffer.isView(body) || kinds.some((kind) => body instanceof kind);
}

/** A cookie's value: the first of its exact name, unquoted, decoded if that makes a header; else "". */
function readCookie(name: string): string {
  let raw = "";
  try {
    const pairs = document.cookie.split(";").map((pair) => pair.trimStart());
    const pair = pairs.find((candidate) => candidate.startsWith(`${name}=`)) ?? "";
    raw = pair.slice(name.length + 1).replace(/^"(.*)"$/s, "$1");
    const decoded = decodeURIComponent(raw);
    if (HEADER_VALUE.test(decoded)) return decoded;
  } catch {
    // A sandboxed document has no cookies; a malformed escape is sent as it is.
  }
  return HEADER_VALUE.test(raw) ? raw : "";
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads a problem document; members of a wrong type are ignored (RFC 9457 §3.1). */
function readProblem(text: string, status: number): HttpProblem | null {
  try {
    const read: unknown = JSON.parse(text);
    if (!isRecord(read)) return null;
    const { title, detail, errors, ...more } = read;
    const list: unknown[] = Array.isArray(errors) ? errors : [];
    return {
      type: "about:blank",
      ...more,
      title: typeof title === "string" ? title : "",
      status,
      detail: typeof detail === "string" ? detail : "",
      errors: list.filter(isRecord),
    };
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
