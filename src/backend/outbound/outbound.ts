import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, unzip } from "node:zlib";
import { DAY_MS } from "../../shared/day.ts";
import { codeOf } from "../../shared/log.ts";
import { VERSION } from "../../shared/version.ts";
import { cleanText } from "./received-text.ts";
import type { AddressRule } from "./addresses.ts";
import type { DnsOutcome } from "./dns-client.ts";
import type { Resolver } from "./resolver.ts";

/**
 * The one way to other hosts. We resolve the name, judge every address and connect to a judged
 * literal, so nothing resolves the name again. No proxy of the environment is used, no connection
 * kept.
 */
export interface Outbound extends Resolver {
  mayConnect: AddressRule;
  /** The addresses of a host that may be connected to, and those that may not. */
  locate(
    host: string,
    signal: AbortSignal,
  ): Promise<{ outcome: DnsOutcome; addresses: string[]; refused: string[] }>;
  /** A TCP connection that is ready to write to. @throws {OutboundError} */
  connect(
    host: string,
    port: number,
    options: Pick<RequestOptions, "timeoutMs" | "signal">,
  ): Promise<Socket>;
  /** One HTTP request, without following redirects. @throws {OutboundError} */
  request(url: URL, options: RequestOptions): Promise<HttpAnswer>;
}

interface RequestOptions {
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The operator wrote the address, which may lead anywhere. */
  trusted?: boolean;
  /** Milliseconds for everything, from the first look-up to the last byte. */
  timeoutMs: number;
  /** More of a body than this fails with `too-large`; 0: nothing of it is read. */
  maxBytes: number;
  /** Returns what came of a body that is longer, late or cut off, instead of failing. */
  partial?: boolean;
  signal: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names; of repeated ones the values joined by ", ". */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** `blocked`: no address or port that may be connected to. */
export type OutboundFailure =
  "blocked" | "unresolved" | "timeout" | "unreachable" | "certificate" | "too-large" | "malformed";

export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(cleanText(message), options);
    this.failure = failure;
  }
}

/** WHOIS, DNS, HTTP, HTTPS. */
const PORTS: ReadonlySet<number> = new Set([43, 53, 80, 443]);

interface Rules {
  resolver: Resolver;
  mayConnect: AddressRule;
  /** Ports besides those of the protocols; `any` for addresses that people of the register write. */
  ports?: readonly number[] | "any";
}

export function createOutbound({ resolver, mayConnect, ports = [] }: Rules): Outbound {
  async function locate(host: string, signal: AbortSignal) {
    const { outcome, addresses } = await resolver.addressesOf(withoutBrackets(host), { signal });
    return {
      outcome,
      addresses: addresses.filter((address) => mayConnect(address)),
      refused: addresses.filter((address) => !mayConnect(address)),
    };
  }

  async function judge(host: string, port: number, trusted: boolean, signal: AbortSignal) {
    if (!trusted && ports !== "any" && !PORTS.has(port) && !ports.includes(port)) {
      throw new OutboundError("blocked", `Connections to port ${port} are not allowed`);
    }
    const { addresses, refused, outcome } = await locate(host, signal);
    const usable = trusted ? [...addresses, ...refused] : addresses;
    if (usable.length > 0) return usable;
    const [address] = refused;
    if (address === undefined) {
      throw new OutboundError("unresolved", `${host} has no address (${outcome})`);
    }
    const what =
      host === address ? "is a private address" : `points to a private address, ${address}`;
    throw new OutboundError("blocked", `${host} ${what}`);
  }

  async function reach<T>(
    host: string,
    port: number,
    { timeoutMs, signal: stopping, trusted = false, method }: Omit<RequestOptions, "maxBytes">,
    use: (address: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
    try {
      const addresses = await judge(host, port, trusted, signal);
      return await tryEach(addresses, { signal, isPost: method === "POST" }, use);
    } catch (error) {
      if (signal.aborted) throw new OutboundError("timeout", "No answer in time", { cause: error });
      throw error;
    }
  }

  return {
    ...resolver,
    mayConnect,
    locate,
    connect: (host, port, options) =>
      reach(host, port, options, (address, signal) => openSocket(address, port, signal)),
    request(url, options) {
      const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
      return reach(url.hostname, port, options, (address, signal) =>
        exchange(url, { address, port }, options, signal),
      );
    },
  };
}

const MAX_TRIES = 3;

/** Tries the next address only if the one before could not be reached: a POST may have been obeyed. */
async function tryEach<T>(
  addresses: readonly string[],
  { signal, isPost }: { signal: AbortSignal; isPost: boolean },
  use: (address: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let failure = new OutboundError("unreachable", "No address could be reached");
  for (const address of addresses.slice(0, MAX_TRIES)) {
    try {
      return await use(address, signal);
    } catch (error) {
      failure = toOutboundError(error);
      const isLast = signal.aborted || failure.failure !== "unreachable";
      if (isLast || (isPost && !isUnconnected(error))) throw failure;
    }
  }
  throw failure;
}

/** Whether nothing was sent, as there was no connection. */
function isUnconnected(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "connect";
}

async function openSocket(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: address, port });
  try {
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Each part of an answer is a task of the thread, and a hostile server sends single bytes. */
const MAX_SMALL_PARTS = 1000;
const BYTES_PER_PART = 64;

/**
 * `node:https` of Bun 1.4.5 connects to the literal, checks the certificate against `servername`,
 * and ignores HTTPS_PROXY, which `fetch` obeys.
 */
async function exchange(
  url: URL,
  { address, port }: { address: string; port: number },
  { method = "GET", headers = {}, body, maxBytes, partial = false }: RequestOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const secure = url.protocol === "https:";
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const request = (secure ? https : http).request({
    host: address,
    port,
    method,
    path: `${url.pathname}${url.search}`,
    headers: {
      "user-agent": `Freehold/${VERSION}`,
      ...headers,
      ...length,
      host: url.host,
      connection: "close",
      "accept-encoding": "identity",
    },
    agent: false,
    signal,
    // TLS names no addresses (RFC 6066 §3): there the certificate is checked against the address.
    ...(secure && isIP(withoutBrackets(url.hostname)) === 0 && { servername: url.hostname }),
  });
  try {
    request.on("error", reject).on("response", resolve).end(body);
    const response = await promise;
    const received = await readContent(request, response, { maxBytes, partial });
    const encoding = partial ? undefined : response.headers["content-encoding"];
    const content = await inflate(received, encoding, maxBytes);
    const entries = Object.entries(response.headers).map(([name, value]) => [
      name,
      cleanText(Array.isArray(value) ? value.join(", ") : (value ?? "")),
    ]);
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(entries),
      body: cleanText(content.toString()),
    };
  } finally {
    request.destroy();
  }
}

async function readContent(
  request: http.ClientRequest,
  response: http.IncomingMessage,
  { maxBytes, partial }: Pick<RequestOptions, "maxBytes" | "partial">,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (maxBytes === 0) return Buffer.alloc(0);
  // Of a connection that breaks, Bun may tell the request alone.
  request.on("error", (error) => response.destroy(error));
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      const isInCrumbs = chunks.length > MAX_SMALL_PARTS + maxBytes / BYTES_PER_PART;
      chunks.push(chunk.subarray(0, chunk.length - Math.max(0, bytes - maxBytes)));
      if (isInCrumbs) {
        throw new OutboundError("malformed", "The answer came in too many small parts");
      }
      if (bytes > maxBytes) throw tooLarge(maxBytes);
    }
    if (!response.complete) throw new OutboundError("unreachable", "The answer is cut off");
  } catch (error) {
    if (!partial) throw error;
  }
  return Buffer.concat(chunks);
}

const DECODERS = new Map([
  ["gzip", promisify(unzip)],
  ["deflate", promisify(unzip)],
  ["br", promisify(brotliDecompress)],
]);

/** Decodes what some servers compress although `identity` was asked for. @throws {OutboundError} */
async function inflate(body: Buffer, encoding = "", maxBytes: number): Promise<Buffer> {
  const decode = DECODERS.get(encoding.toLowerCase());
  if (decode === undefined || body.length === 0) return body;
  return decode(body, { maxOutputLength: maxBytes }).catch((cause: Error & { code?: string }) => {
    if (cause.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new OutboundError("malformed", `The answer is not valid ${encoding}`, { cause });
  });
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError("too-large", `The answer is longer than ${maxBytes} bytes`);
}

function withoutBrackets(host: string): string {
  return host.startsWith("[") ? host.slice(1, -1) : host;
}

const CERTIFICATE_CODES = /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/;

function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  let failure: OutboundFailure = "unreachable";
  if (CERTIFICATE_CODES.test(code)) failure = "certificate";
  else if (/HPE|PARSE|INVALID_HTTP|Malformed/i.test(code + message)) failure = "malformed";
  return new OutboundError(failure, message, { cause: error });
}

/** Where an answer redirects to, RFC 9110 §15.4; null: nowhere. */
export function redirectOf({ status, headers }: HttpAnswer, from: URL): URL | null {
  const { location } = headers;
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  return isRedirect ? URL.parse(location, from) : null;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = DAY_MS;

/** Reads Retry-After, seconds or a date (RFC 9110 §10.2.3); from one second to a day. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, MIN_RETRY_MS), MAX_RETRY_MS);
}
