import { createHash } from "node:crypto";
import type { Outcome } from "../../shared/accounts.ts";
import { addDays, DAY_MS } from "../../shared/day.ts";
import { quotable } from "../../shared/parse.ts";
import { yieldIfBusy } from "../database/event-loop.ts";
import { findBySuffix, parseDomainName } from "../domains/domain-name.ts";
import { cleanText } from "../outbound/received-text.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { createMask, MAX_DETAIL_LENGTH } from "./stored-accounts.ts";
import { createCaller, createPace, READING_LIMITS } from "./call-registrar.ts";
import {
  NOTHING_TOLD,
  onlyTold,
  type KnownDetails,
  type ListedName,
  type Price,
  type ReadAccount,
  type Reading,
  type ReadOptions,
} from "./reading.ts";
import { READERS } from "./registrars/readers.ts";
import {
  type ApiAnswer,
  ApiFault,
  type ApiRequest,
  type Fields,
  malformed,
  type RegistrarReader,
  type RegistrarPage,
  type PlaceInList,
  type RegistrarRow,
  type ReaderContext,
} from "./registrars/registrar-reader.ts";
import { countOf, objectOf, optionalCount } from "./registrars/values.ts";

/** Between two requests of one account, unless its registrar wants more or less. */
const INTERVAL_MS = 1_000;
/** A wait within a reading; for a longer one the reading ends as `limited`, and starts again. */
const MAX_WAIT_MS = 10_000;
const MAX_WAITS = 3;
/** Answers in a row that give no details before the other names are left for another day. */
const MAX_FAILED_DETAILS = 10;
/** Outcomes that concern one name, not all of them. */
const FAULTS_OF_A_NAME: ReadonlySet<Outcome> = new Set(["broken", "access"]);
const URGENT_DAYS = 60;
const MAX_UNSEEN_DAYS = 7;

interface Options {
  outbound: Outbound;
  /** Where a registrar answers instead, and how fast it may be asked there: `REGISTRAR_APIS`. */
  apis?: Readonly<Record<string, { origin?: string; intervalMs?: number }>>;
  limits?: Partial<typeof READING_LIMITS>;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

type Prices = ReadonlyMap<string, Price | null>;

/**
 * Creates the reader of accounts. It keeps to the pace of each account over all of its readings, and
 * asks for prices once in 24 hours.
 */
export function createReadAccount({ outbound, apis = {}, limits, sleep }: Options): ReadAccount {
  const rules = { outbound, limits: { ...READING_LIMITS, ...limits } };
  const pace = createPace(sleep);
  const knownPrices = new Map<string, { until: number; prices: Prices }>();

  async function read(
    reader: RegistrarReader,
    fields: Fields,
    options: ReadOptions,
    redactor: Redactor,
  ) {
    const { registrar } = reader;
    const given = JSON.stringify([registrar, fields]);
    const account = createHash("sha256").update(given).digest("base64");
    const unusable = reader.fields.find(({ name }) => /[^ -~]/.test(fields[name] ?? ""));
    if (unusable !== undefined) {
      throw new ApiFault("credentials", `“${unusable.label}” has characters that no key has.`);
    }
    const origin = apis[registrar]?.origin ?? reader.origin(fields);
    const intervalMs = apis[registrar]?.intervalMs ?? reader.intervalMs ?? INTERVAL_MS;
    const awaitTurn = (signal: AbortSignal) => pace.awaitTurn(account, intervalMs, signal);
    const { quote } = redactor;
    const caller = createCaller({ ...rules, reader, origin, options, awaitTurn, quote });
    const list = createList(redactor, rules.limits.names);
    const at: PlaceInList = { page: 1, offset: 0, cursor: null };
    let waits = 0;

    /** Asks once more after a short wait, where that brings the same page. */
    async function ask(request: ApiRequest, isSecond = false): Promise<ApiAnswer> {
      try {
        return await caller.ask({ headers: reader.headers?.(fields) ?? {}, ...request });
      } catch (error) {
        const isLimited = error instanceof ApiFault && error.outcome === "limited";
        const waitMs = isLimited ? (error.retryAfterMs ?? Infinity) : Infinity;
        const isAgain = at.page > 1 && typeof at.cursor !== "string";
        const mayWait = isAgain && waits < MAX_WAITS && !isSecond;
        if (!mayWait || waitMs > MAX_WAIT_MS) throw error;
        waits += 1;
        await pace.sleep(waitMs, options.signal);
        return ask(request, true);
      }
    }
    const found = { clockAheadMs: 0, account: null };
    const context: ReaderContext = { fields, origin, now: options.now, ...found, ask };

    /** Reads the pages, as long as they agree with one another. */
    async function readPages(): Promise<void> {
      let total: number | null = null;
      let size: number | null = null;
      const cursors = new Set<string | number>();
      for (;;) {
        const { rows, marker, next, ...page } = await reader.readPage(context, at);
        const count = next === undefined ? countOf : optionalCount;
        const told = count(page.total, "count of domains");
        total = agree(total, told, "its total changed between pages");
        size = agree(size, optionalCount(page.size, "page size"), "its page size changed");
        await list.add(rows, marker);
        if (options.probe === true) return;
        at.page += 1;
        at.offset += rows.length;
        const isWhole = rows.length === 0 || at.offset >= (total ?? 0);
        if (next === null || (next === undefined && isWhole)) break;
        at.cursor = next ?? at.page;
        if (cursors.has(at.cursor)) throw unstable("a page came twice");
        cursors.add(at.cursor);
      }
      agree(total, list.count(), `it has ${list.count()} of ${total} names`);
    }

    async function readPrices(): Promise<void> {
      if (reader.prices === undefined || list.names.size === 0) return;
      const now = options.now().getTime();
      // Those of credentials that are no longer used, too.
      for (const [of, { until }] of knownPrices) if (until < now) knownPrices.delete(of);
      const known = knownPrices.get(account)?.prices;
      const prices = known ?? (await reader.prices(context).catch(ignoreFault));
      if (prices === null) return;
      if (known === undefined) knownPrices.set(account, { until: now + DAY_MS, prices });
      for (const name of list.names.values()) name.price = findBySuffix(name.name, prices);
    }

    async function readDetails(): Promise<void> {
      if (reader.details === undefined) return;
      const budget = Math.min(rules.limits.details, caller.callsLeft());
      const count = Math.floor(budget / reader.details.calls);
      const known = await options.readKnown();
      let failed = 0;
      for (const name of chooseNames([...list.names.values()], count, known, options.now())) {
        try {
          list.addDetails(name, await reader.details.read(context, name.name));
          failed = 0;
        } catch (error) {
          if (!(error instanceof ApiFault)) throw error;
          name.reason ??= `Its details could not be read. ${error.message}`;
          failed += 1;
          if (!FAULTS_OF_A_NAME.has(error.outcome) || failed === MAX_FAILED_DETAILS) return;
        }
        name.detailAt = options.now().toISOString();
      }
    }

    await readPages();
    if (options.probe !== true) {
      await readPrices();
      await readDetails();
    }
    return list.finish();
  }

  return async (registrar, fields, options) => {
    const reader = READERS.find((each) => each.registrar === registrar);
    if (reader === undefined)
      throw new TypeError(`Expected a known registrar, but got ${registrar}`);
    const redactor = createRedactor(reader, fields);
    try {
      return await read(reader, fields, options, redactor);
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      const { outcome, retryAfterMs, message } = error;
      const detail = redactor.tidy(`${message} ${reader.advice[outcome] ?? ""}`);
      return { outcome, detail, retryAfterMs, names: [], skipped: [], left: [] };
    }
  };
}

/** What is known of a number that is told twice, or not at all. @throws {ApiFault} Where the two differ. */
function agree(before: number | null, now: number | null, why: string): number | null {
  if (before !== null && now !== null && before !== now) throw unstable(why);
  return now ?? before;
}

function unstable(why: string): ApiFault {
  return new ApiFault("unstable", `The list contradicts itself: ${why}.`);
}

function ignoreFault(error: unknown): null {
  if (error instanceof ApiFault) return null;
  throw error;
}

type Redactor = ReturnType<typeof createRedactor>;

function createRedactor(reader: RegistrarReader, fields: Fields) {
  const secrets = reader.fields.flatMap(({ name, secret }) => (secret ? (fields[name] ?? "") : []));
  const mask = createMask(secrets);

  /** One line of at most 200 characters. */
  function tidy(words: string): string {
    const text = mask(cleanText(words));
    return quotable(text.replaceAll(/\b(Basic|Bearer|sso-key|ApiKey) [^\s"']+/gi, "$1 …"));
  }

  /** What a registrar says went wrong; with the advice that follows, at most 200 characters. */
  function quote({ status, body }: ApiAnswer, outcome: Outcome): string {
    const { message, detail = message } = objectOf(body);
    const words = reader.words === undefined ? detail : reader.words(body);
    const said = typeof words === "string" ? tidy(words) : "";
    const { label, advice } = reader;
    if (said === "")
      return `${label} answered with status ${status}${body === undefined ? " and no data" : ""}.`;
    const room = MAX_DETAIL_LENGTH - `${label} says: “” ${advice[outcome] ?? ""}`.length;
    return `${label} says: “${said.slice(0, room).toWellFormed()}”`;
  }

  return { tidy, quote };
}

function createList(redactor: Redactor, maxNames: number) {
  const names = new Map<string, ListedName>();
  const skipped: Reading["skipped"] = [];
  const left = new Map<string, string>();
  const present = new Set<string>();
  let count = 0;

  async function add(rows: readonly RegistrarRow[], marker: RegistrarPage["marker"] = null) {
    for (const [at, row] of rows.entries()) {
      await yieldIfBusy();
      const name = parseName(row.name);
      if (at === 0 && marker !== null && name === parseName(marker)) continue;
      count += 1;
      if (count > maxNames) {
        throw new ApiFault("broken", `The account has more than ${maxNames} names.`);
      }
      // One that went away may have come back since, in a row of its own.
      const isPresent = (row.left ?? null) === null;
      if (isPresent && present.has(name)) throw unstable(`it has ${name} twice`);
      if (isPresent) present.add(name);
      if (row.isHosted === true) skipped.push({ name, reason: "not-registered-here" });
      else improve({ ...NOTHING_TOLD, name, reason: null, detailAt: null }, row);
    }
  }

  /** Keeps what a row tells of a name; what the row does not tell stays. */
  function improve(name: ListedName, row: Partial<RegistrarRow>) {
    const { name: _, left: leaving, isHosted: __, unreadable, reason, ...values } = row;
    if (leaving) {
      left.set(name.name, redactor.tidy(values.statusRaw ?? leaving));
      return;
    }
    if (values.statusRaw) values.statusRaw = redactor.tidy(values.statusRaw);
    Object.assign(name, onlyTold(values));
    if (reason !== undefined) name.reason = redactor.tidy(reason);
    else if (unreadable !== undefined) {
      const said = redactor.tidy(unreadable).slice(0, 40).toWellFormed();
      name.reason = `The expiry “${said}” could not be read.`;
    }
    names.set(name.name, name);
  }

  /** As `improve`, with details that may say that the name went away. */
  function addDetails(name: ListedName, row: Partial<RegistrarRow>) {
    if (row.left) [names, present].forEach((each) => each.delete(name.name));
    improve(name, row);
  }

  function finish(): Reading {
    const gone = [...left].filter(([name]) => !present.has(name));
    return {
      outcome: "ok",
      detail: "",
      retryAfterMs: null,
      names: [...names.values()],
      skipped,
      left: gone.map(([name, reason]) => ({ name, reason })),
    };
  }

  return { names, add, addDetails, finish, count: () => count };
}

/** The lower-case A-labels. @throws {ApiFault} */
function parseName(value: unknown): string {
  const parsed = typeof value === "string" ? parseDomainName(value) : { code: "type" };
  // A URL would be taken for its host.
  if ("code" in parsed || String(value).includes("/")) throw malformed("valid name in every row");
  return parsed.name;
}

/**
 * Those unseen for longest first; if there are too few calls for all, what was not seen for a week, then what
 * expires soon.
 */
function chooseNames(
  names: readonly ListedName[],
  count: number,
  known: KnownDetails,
  now: Date,
): readonly ListedName[] {
  const isForAll = names.length <= count;
  const today = now.toISOString().slice(0, 10);
  const urgentDay = addDays(today, URGENT_DAYS);
  const overdueDay = addDays(today, -MAX_UNSEEN_DAYS);
  const ranked = names.map((name) => {
    const { expires = null, detailAt = null } = known.get(name.name) ?? {};
    const day = name.expires ?? expires;
    const isOverdue = detailAt === null || detailAt.slice(0, 10) <= overdueDay;
    const isUrgent = !isForAll && day !== null && day <= urgentDay;
    return { name, rank: (isOverdue ? "0" : isUrgent ? "1" : "2") + (detailAt ?? "") };
  });
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)));
  return ranked.slice(0, count).map(({ name }) => name);
}
