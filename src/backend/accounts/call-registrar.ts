import { setTimeout as wait } from "node:timers/promises";
import { type Outcome, OUTCOMES } from "../../shared/accounts.ts";
import { DAY_MS } from "../../shared/day.ts";
import { yieldToEventLoop } from "../database/event-loop.ts";
import {
  type HttpAnswer,
  type Outbound,
  OutboundError,
  parseRetryAfter,
} from "../outbound/outbound.ts";
import { parseShallowJson } from "../outbound/received-text.ts";
import type { ReadOptions } from "./reading.ts";
import {
  type ApiAnswer,
  ApiFault,
  type ApiRequest,
  type RegistrarReader,
} from "./registrars/registrar-reader.ts";
import { objectOf } from "./registrars/values.ts";
import { parseXml } from "./xml.ts";

/** A reading that reaches one of these ends as `broken`, but for `details`. */
export const READING_LIMITS = {
  callMs: 30_000,
  readingMs: 30 * 60_000,
  answerBytes: 4 * 1024 * 1024,
  calls: 1_000,
  names: 50_000,
  /** Calls for details, name by name; what they do not reach is left for another day. */
  details: 500,
};

const MAX_REDIRECTS = 3;

/** Makes only the calls that a reader lists, at its origin, within the limits; redirected ones too. */
export function createCaller(rules: {
  outbound: Outbound;
  reader: RegistrarReader;
  origin: string;
  limits: typeof READING_LIMITS;
  options: ReadOptions;
  awaitTurn: (signal: AbortSignal) => Promise<void>;
  quote: (answer: ApiAnswer, outcome: Outcome) => string;
}) {
  const { outbound, reader, origin, limits, options, awaitTurn, quote } = rules;
  const deadline = AbortSignal.timeout(limits.readingMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  let calls = 0;

  async function send(request: ApiRequest, redirects = 0): Promise<HttpAnswer> {
    const { method = "GET", path, headers, body } = request;
    const url = new URL(path, origin);
    if (url.origin !== new URL(origin).origin || !isAllowed(reader, url, request)) {
      throw new ApiFault("broken", "This call is not one of those that are allowed.");
    }
    calls += 1;
    if (calls > limits.calls) {
      throw new ApiFault("broken", `Reading the account takes more than ${limits.calls} calls.`);
    }
    await awaitTurn(signal);
    await options.keepLease();
    const answer = await outbound.request(url, {
      method,
      headers: { accept: reader.format === "xml" ? "text/xml" : "application/json", ...headers },
      ...(body !== undefined && { body }),
      timeoutMs: limits.callMs,
      maxBytes: limits.answerBytes,
      signal,
    });
    const { location } = answer.headers;
    // After other statuses a POST would become a GET.
    const isMoved = [307, 308, ...(method === "GET" ? [301, 302, 303] : [])].includes(
      answer.status,
    );
    if (!isMoved || location === undefined || redirects === MAX_REDIRECTS) return answer;
    const target = URL.parse(location, url)?.href ?? "";
    return send({ ...request, path: target }, redirects + 1);
  }

  /** @throws {ApiFault} Errors of the signal and of `keepLease` are thrown on. */
  async function ask(request: ApiRequest): Promise<ApiAnswer> {
    try {
      const { status, headers, body: text } = await send(request);
      const parse = reader.format === "xml" ? parseXml : parseShallowJson;
      await yieldToEventLoop();
      const answer = { status, headers, body: await parse(text) };
      await yieldToEventLoop();
      const outcome = faultOf(reader, answer);
      if (outcome === null) return answer;
      const retryAfterMs = outcome === "limited" ? retryAfterOf(answer, options.now()) : null;
      throw new ApiFault(outcome, quote(answer, outcome), status, retryAfterMs);
    } catch (error) {
      options.signal.throwIfAborted();
      if (deadline.aborted) {
        const minutes = Math.ceil(limits.readingMs / 60_000);
        throw new ApiFault("broken", `The list was not complete after ${minutes} minutes.`);
      }
      if (!(error instanceof OutboundError)) throw error;
      throw new ApiFault("broken", `${reader.label} can’t be reached: ${explain(error, origin)}`);
    }
  }

  return { ask, callsLeft: () => Math.max(limits.calls - calls, 0) };
}

/**
 * Keeps requests of one account apart, over all of its readings.
 *
 * @param sleep Rejects with the reason of the signal.
 */
export function createPace(
  sleep = (ms: number, signal: AbortSignal): Promise<unknown> =>
    wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted()),
) {
  /** When an account may be asked again, in milliseconds of `performance.now()`, until then. */
  const freeAt = new Map<string, number>();

  async function awaitTurn(account: string, intervalMs: number, signal: AbortSignal) {
    const now = performance.now();
    for (const [of, at] of freeAt) if (at <= now) freeAt.delete(of);
    const startsAt = Math.max(now, freeAt.get(account) ?? 0);
    freeAt.set(account, startsAt + intervalMs);
    if (startsAt > now) await sleep(startsAt - now, signal);
  }

  return { sleep, awaitTurn };
}

function explain({ failure, message }: OutboundError, origin: string): string {
  if (failure === "unresolved") {
    return `this server can’t find ${new URL(origin).host}. Check the server’s DNS.`;
  }
  const hint = failure === "blocked" ? " To allow it, add it to OUTBOUND_ALLOW." : "";
  return `${message}.${hint}`;
}

function isAllowed(
  { calls, command }: RegistrarReader,
  { pathname }: URL,
  { method = "GET", headers = {}, body = "" }: ApiRequest,
): boolean {
  const isCall = calls.some((call) => {
    const form = call.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+");
    return new RegExp(`^${form}$`).test(`${method} ${pathname}`);
  });
  if (!isCall || command === undefined) return isCall;
  const { name, values } = command;
  const given = command.in === "form" ? new URLSearchParams(body).getAll(name) : [headers[name]];
  return given.length === 1 && values.includes(given[0] ?? "");
}

/** What went wrong; null where nothing did. A page of HTML says nothing about a key. */
function faultOf(reader: RegistrarReader, answer: ApiAnswer): Outcome | null {
  const { status, body } = answer;
  if (status === 429) return "limited";
  const { fault, codes = {}, codesOf } = reader;
  const given = new Set((codesOf?.(body) ?? [objectOf(body)["code"]]).map(String));
  const isGiven = (outcome: Outcome) => codes[outcome]?.split(" ").some((code) => given.has(code));
  const told = fault?.(answer) || OUTCOMES.find(isGiven);
  if (told) return told;
  if (body === undefined) return "broken";
  if (status === 401) return "credentials";
  if (status === 403) return "access";
  return status < 200 || status >= 300 || reader.succeeds?.(body) === false ? "broken" : null;
}

/** In how many milliseconds a registrar wants to be asked again; null where it does not say. */
function retryAfterOf({ headers, body }: ApiAnswer, now: Date): number | null {
  const { retryAfterSec, ttlRemaining } = objectOf(body);
  const resetSeconds = Number(headers["x-ratelimit-reset"]) - now.getTime() / 1_000;
  const told = [retryAfterSec, ttlRemaining, resetSeconds].map(Number).find((each) => each > 0);
  const header = parseRetryAfter(headers["retry-after"], now);
  return header ?? (told === undefined ? null : Math.min(told * 1_000, DAY_MS));
}
