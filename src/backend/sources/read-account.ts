import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Outcome } from "../../shared/accounts.ts";
import { addDays, DAY_MS } from "../../shared/day.ts";
import { quotable } from "../../shared/parse.ts";
import { parseDomainName } from "../domains/domain-name.ts";
import { cleanText } from "../outbound/clean-text.ts";
import {
  type HttpAnswer,
  type Outbound,
  OutboundError,
  parseRetryAfter,
} from "../outbound/outbound.ts";
import { parseShallowJson } from "../outbound/shallow-json.ts";
import type { ListedName, ReadAccount, Reading, ReadOptions } from "./reading.ts";
import { READERS } from "./registrars/readers.ts";
import {
  type AllowedCall,
  type ApiAnswer,
  ApiFault,
  type ApiRequest,
  type Fields,
  malformed,
  type Price,
  type RegistrarReader,
  type Row,
  type Session,
} from "./registrars/registrar-reader.ts";
import { objectOf } from "./registrars/values.ts";
import { parseXml } from "./xml.ts";

/** Where a registrar answers instead, and how fast it may be asked there: `REGISTRAR_APIS`. */
export type ApiOverrides = Readonly<Record<string, { origin?: string; intervalMs?: number }>>;

/** A reading that reaches one of these ends as `broken`. */
export const READING_LIMITS = {
  callMs: 30_000,
  readingMs: 30 * 60_000,
  answerBytes: 16 * 1024 * 1024,
  calls: 1_000,
  names: 50_000,
};

/** A wait within a reading; for a longer one the reading ends as `limited`, and starts anew. */
const MAX_WAIT_MS = 30_000;
const MAX_WAITS = 3;
const MAX_REDIRECTS = 3;
/** Answers in a row that give no details before the others are left for another day. */
const MAX_FAILED_DETAILS = 3;
const URGENT_DAYS = 60;
/** Characters of a registrar's words that are kept. */
const MAX_WORDS_LENGTH = 200;

interface Options {
  outbound: Outbound;
  apis?: ApiOverrides;
  limits?: Partial<typeof READING_LIMITS>;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Creates the reader of accounts. It keeps to the pace of each account over all of its readings, and
 * asks for prices once in 24 hours.
 */
export function createReadAccount({
  outbound,
  apis = {},
  limits: ownLimits,
  sleep = (ms, signal) => wait(ms, undefined, { signal }),
}: Options): ReadAccount {
  const limits = { ...READING_LIMITS, ...ownLimits };
  /** When an account may be asked again, by its key; in milliseconds of `performance.now()`. */
  const freeAt = new Map<string, number>();
  const knownPrices = new Map<string, { until: number; prices: Prices }>();

  async function read(
    reader: RegistrarReader,
    fields: Fields,
    options: ReadOptions,
  ): Promise<Reading> {
    const key = createHash("sha256")
      .update(JSON.stringify([reader.registrar, fields]))
      .digest("base64");
    const deadline = AbortSignal.timeout(limits.readingMs);
    const signal = AbortSignal.any([options.signal, deadline]);
    const origin = apis[reader.registrar]?.origin ?? reader.origin(fields);
    const intervalMs = apis[reader.registrar]?.intervalMs ?? reader.intervalMs;
    const say = createSpeaker(reader, fields);
    let calls = 0;
    let pages = 0;
    let waits = 0;

    /** One request at the account's pace. @throws {ApiFault} Also where it would not be a read. */
    async function send(url: URL, request: ApiRequest): Promise<HttpAnswer> {
      if (!isAllowed(reader.calls, origin, url, request)) {
        throw new ApiFault("broken", "This is none of the calls that may be made.");
      }
      if (calls >= limits.calls) {
        throw new ApiFault("broken", `The account takes more than ${limits.calls} calls.`);
      }
      calls += 1;
      const now = performance.now();
      const startsAt = Math.max(now, freeAt.get(key) ?? 0);
      freeAt.set(key, startsAt + intervalMs);
      if (startsAt > now) await sleep(startsAt - now, signal);
      await options.keepLease();
      return outbound.request(url, {
        method: request.method ?? "GET",
        headers: { accept: ACCEPT[reader.format], ...request.headers },
        ...(request.body !== undefined && { body: request.body }),
        timeoutMs: limits.callMs,
        maxBytes: limits.answerBytes,
        signal,
      });
    }

    async function follow(request: ApiRequest): Promise<HttpAnswer> {
      let url = new URL(request.path, origin);
      for (let redirects = 0; ; redirects += 1) {
        const answer = await send(url, request);
        const location = answer.headers["location"];
        const isRedirect = answer.status >= 300 && answer.status < 400;
        if (!isRedirect) return answer;
        const target = URL.parse(location ?? "", url);
        const isOwn = target?.origin === url.origin && (request.method ?? "GET") === "GET";
        if (target === null || !isOwn || redirects === MAX_REDIRECTS) {
          throw new ApiFault("broken", "The answer is a redirect that is not followed.");
        }
        url = target;
      }
    }

    async function askOnce(request: ApiRequest): Promise<ApiAnswer> {
      try {
        const { status, headers, body: text } = await follow(request);
        const parse = reader.format === "json" ? parseShallowJson : parseXml;
        const answer = { status, headers, body: await parse(text) };
        const outcome = reader.fault?.(answer) ?? faultOf(answer);
        if (outcome === null) return answer;
        const words = say.quote(answer);
        throw new ApiFault(outcome, words, {
          status,
          retryAfterMs: outcome === "limited" ? retryAfterOf(answer, options.now()) : null,
        });
      } catch (error) {
        options.signal.throwIfAborted();
        if (deadline.aborted) {
          const minutes = Math.ceil(limits.readingMs / 60_000);
          throw new ApiFault("broken", `The list was not complete after ${minutes} minutes.`);
        }
        if (!(error instanceof OutboundError)) throw error;
        throw new ApiFault("broken", `${error.message}.`);
      }
    }

    async function ask(request: ApiRequest): Promise<ApiAnswer> {
      for (;;) {
        try {
          return await askOnce(request);
        } catch (error) {
          const isLimited = error instanceof ApiFault && error.outcome === "limited";
          const waitMs = isLimited ? (error.retryAfterMs ?? Infinity) : Infinity;
          const mayWait = reader.resumes && pages > 0 && waits < MAX_WAITS;
          if (!mayWait || waitMs > MAX_WAIT_MS) throw error;
          waits += 1;
          await sleep(waitMs, signal);
        }
      }
    }

    const session: Session = { fields, origin, now: options.now, ask };
    const list = createList(say, limits.names);

    /** Reads the pages, as long as they agree with one another. */
    async function readPages(): Promise<void> {
      let total: number | null = null;
      let size: number | null = null;
      const cursors = new Set<string>();
      for await (const page of reader.pages(session)) {
        const { cursor = null } = page;
        if (differ(total, page.total)) throw unstable("its total changed between pages");
        if (differ(size, page.size)) throw unstable("its pages changed their size");
        total = page.total ?? total;
        size = page.size ?? size;
        pages += 1;
        list.add(page.rows, page.marker);
        if (cursor !== null && cursors.size === cursors.add(cursor).size) {
          throw unstable("a page came again");
        }
        if (options.probe === true) return;
      }
      if (total !== null && total !== list.count()) {
        throw unstable(`it has ${list.count()} of ${total} names`);
      }
    }

    async function readPrices(): Promise<void> {
      const { names } = list;
      if (reader.prices === undefined || names.size === 0) return;
      let known = knownPrices.get(key);
      if (known === undefined || known.until < options.now().getTime()) {
        const prices = await reader.prices(session).catch(ignoreFault);
        if (prices === null) return;
        known = { until: options.now().getTime() + DAY_MS, prices };
        knownPrices.set(key, known);
      }
      for (const name of names.values()) name.price = priceOfName(name.name, known.prices);
    }

    async function readDetails(): Promise<void> {
      if (reader.details === undefined) return;
      const budget = Math.min(options.detailBudget, limits.calls - calls);
      const chosen = chooseNames(list.names, Math.floor(budget / reader.details.calls), options);
      let failed = 0;
      for (const name of chosen) {
        name.detailAt = options.now().toISOString();
        try {
          list.improve(name, await reader.details.read(session, name.name));
          failed = 0;
        } catch (error) {
          if (!(error instanceof ApiFault)) throw error;
          name.reason ??= `Its details could not be read. ${error.message}`;
          failed += 1;
          if (error.outcome !== "broken" || failed === MAX_FAILED_DETAILS) return;
        }
      }
    }

    try {
      const unusable = reader.fields.find(({ name }) => /[^ -~]/.test(fields[name] ?? ""));
      if (unusable !== undefined) {
        throw new ApiFault("credentials", `“${unusable.label}” has characters that no key has.`);
      }
      await readPages();
      if (options.probe !== true) {
        await readPrices();
        await readDetails();
      }
      return list.finish();
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      const { outcome, retryAfterMs } = error;
      const advice = reader.advice[outcome];
      const detail = [error.message, advice].filter(Boolean).join(" ");
      return { outcome, detail, retryAfterMs, names: [], skipped: [], left: [] };
    }
  }

  return (registrar, fields, options) => {
    const reader = READERS.find((each) => each.registrar === registrar);
    if (reader === undefined)
      throw new TypeError(`Expected a known registrar, but got ${registrar}`);
    return read(reader, fields, options);
  };
}

type Prices = ReadonlyMap<string, Price | null>;

const ACCEPT = { json: "application/json", xml: "text/xml, application/xml" } as const;

/** Whether a request is one of the calls that a reader may make, at its origin. */
function isAllowed(
  calls: readonly AllowedCall[],
  origin: string,
  url: URL,
  { method = "GET", headers = {}, body = "" }: ApiRequest,
): boolean {
  return (
    url.origin === new URL(origin).origin &&
    calls.some(({ command, ...call }) => {
      const path = new RegExp(`^${call.path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`);
      if (call.method !== method || !path.test(url.pathname)) return false;
      if (command === undefined) return true;
      const commands =
        command.in === "form"
          ? new URLSearchParams(body).getAll(command.name)
          : [headers[command.name]];
      return commands.length === 1 && commands[0] === command.value;
    })
  );
}

/** What follows from the status alone; a page of HTML says nothing about a key. */
function faultOf({ status, body }: ApiAnswer): Outcome | null {
  if (status === 429) return "limited";
  if (body === undefined) return "broken";
  if (status === 401) return "credentials";
  if (status === 403) return "access";
  return status >= 200 && status < 300 ? null : "broken";
}

const MAX_RETRY_MS = DAY_MS;

/** When a registrar says that it may be asked again; null where it does not. */
function retryAfterOf({ headers, body }: ApiAnswer, now: Date): number | null {
  const header = parseRetryAfter(headers["retry-after"], now);
  if (header !== null) return header;
  const { retryAfterSec, ttlRemaining } = objectOf(body);
  const seconds = Number(retryAfterSec ?? ttlRemaining);
  if (seconds > 0) return Math.min(seconds * 1_000, MAX_RETRY_MS);
  const resetMs = Number(headers["x-ratelimit-reset"]) * 1_000 - now.getTime();
  return resetMs > 0 ? Math.min(resetMs, MAX_RETRY_MS) : null;
}

/** Whether two counts are told, and are not the same. */
function differ(before: number | null, now: number | null = null): boolean {
  return before !== null && now !== null && before !== now;
}

function unstable(why: string): ApiFault {
  return new ApiFault("unstable", `The list contradicts itself: ${why}.`);
}

function ignoreFault(error: unknown): null {
  if (error instanceof ApiFault) return null;
  throw error;
}

type Speaker = ReturnType<typeof createSpeaker>;

/** Cuts what a registrar says, and masks what is secret in it. */
function createSpeaker(reader: RegistrarReader, fields: Fields) {
  const secrets = reader.fields
    .filter(({ name, secret }) => secret && (fields[name] ?? "").length > 3)
    .flatMap(({ name }) => [fields[name] ?? "", encodeURIComponent(fields[name] ?? "")]);

  function tidy(words: string, length = MAX_WORDS_LENGTH): string {
    let text = cleanText(words).replaceAll(/\s+/g, " ").trim();
    for (const secret of secrets) text = text.replaceAll(secret, "•••");
    text = text.replaceAll(/\b(Basic|Bearer|sso-key|ApiKey) [^\s"']+/gi, "$1 •••");
    return quotable(text).slice(0, length).toWellFormed();
  }

  function quote({ status, body }: ApiAnswer): string {
    const words = reader.words(body);
    const said = typeof words === "string" ? tidy(words) : "";
    if (said !== "") return `${reader.label} says: “${said}”`;
    return `${reader.label} answered with status ${status}${body === undefined ? " and no data" : ""}.`;
  }

  return { tidy, quote };
}

/** Collects the rows of a list. */
function createList(say: Speaker, maxNames: number) {
  const names = new Map<string, ListedName>();
  const skipped: Reading["skipped"] = [];
  const left: Reading["left"] = [];
  const seen = new Set<string>();

  function leave(name: string, status: string, word?: string | null) {
    left.push({ name, reason: word ? say.tidy(word) : status });
  }

  function add(rows: readonly Row[], marker?: string) {
    for (const [at, row] of rows.entries()) {
      const { name } = parseName(row.name);
      if (at === 0 && marker !== undefined && name === parseName(marker).name) continue;
      if (seen.has(name)) throw unstable(`${name} is in it twice`);
      seen.add(name);
      if (seen.size > maxNames) {
        throw new ApiFault("broken", `The account has more than ${maxNames} names.`);
      }
      if (row.isHosted === true) skipped.push({ name, reason: "not-registered-here" });
      else if (row.left) leave(name, row.left, row.status?.raw);
      else names.set(name, improved({ ...UNTOLD, name }, row, say));
    }
  }

  function improve(name: ListedName, row: Partial<Row>) {
    Object.assign(name, improved(name, row, say));
    if (!row.left) return;
    names.delete(name.name);
    leave(name.name, row.left, row.status?.raw);
  }

  return {
    names,
    add,
    improve,
    count: () => seen.size,
    finish: (): Reading => ({
      outcome: "ok",
      detail: "",
      retryAfterMs: null,
      names: [...names.values()],
      skipped,
      left,
    }),
  };
}

/** @throws {ApiFault} */
function parseName(value: unknown): { name: string } {
  const parsed = typeof value === "string" ? parseDomainName(value) : { code: "type" };
  // A URL would be taken for its host.
  if ("code" in parsed || String(value).includes("/")) throw malformed("valid name in every row");
  return parsed;
}

const UNTOLD: Omit<ListedName, "name"> = {
  expires: null,
  expiresAt: null,
  autoRenew: null,
  locked: null,
  privacy: null,
  nameservers: null,
  price: null,
  status: null,
  statusRaw: null,
  reason: null,
  detailAt: null,
};

/** A name with what a row tells of it; what the row does not tell stays. */
function improved<T extends Omit<ListedName, "detailAt">>(
  name: T,
  row: Partial<Row>,
  say: Speaker,
): T {
  const { expires } = row;
  const isDated = expires !== undefined && expires.day !== null;
  const reason = row.reason ?? expires?.reason ?? null;
  return {
    ...name,
    ...(isDated && { expires: expires.day, expiresAt: expires.instant }),
    autoRenew: row.autoRenew ?? name.autoRenew,
    locked: row.locked ?? name.locked,
    privacy: row.privacy ?? name.privacy,
    nameservers: row.nameservers ?? name.nameservers,
    status: row.status?.word ?? name.status,
    statusRaw: row.status?.raw ? say.tidy(row.status.raw) : name.statusRaw,
    reason: reason === null ? name.reason : say.tidy(reason),
  };
}

/** The price of the longest suffix that the list has. */
function priceOfName(name: string, prices: Prices): Price | null {
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) {
    const price = prices.get(name.slice(at + 1));
    if (price !== undefined) return price;
  }
  return null;
}

/** All names where there is time for all; else those that expire soon, then the longest unseen. */
function chooseNames<T extends ListedName>(
  names: ReadonlyMap<string, T>,
  count: number,
  { known, now }: ReadOptions,
): T[] {
  const all = [...names.values()];
  if (all.length <= count) return all;
  const urgentDay = addDays(now().toISOString().slice(0, 10), URGENT_DAYS);
  const ranked = all.map((name) => {
    const { expires = null, detailAt = null } = known(name.name) ?? {};
    const day = name.expires ?? expires;
    return { name, isUrgent: day !== null && day <= urgentDay, detailAt: detailAt ?? "" };
  });
  ranked.sort(
    (a, b) => Number(b.isUrgent) - Number(a.isUrgent) || (a.detailAt < b.detailAt ? -1 : 1),
  );
  return ranked.slice(0, Math.max(count, 0)).map(({ name }) => name);
}
