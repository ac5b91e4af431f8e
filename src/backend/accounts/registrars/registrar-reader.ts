import type { Outcome, RegistrarApi } from "../../../shared/accounts.ts";
import type { Price, Told } from "../reading.ts";

/** Values of a registrar's fields, by their names; an optional one may be missing. */
export type Fields = Readonly<Record<string, string>>;

/** One registrar: what it is asked, how its answers are read. The rest is `read-account.ts`. */
export interface RegistrarReader extends Omit<RegistrarApi, "recorded"> {
  /** A recording of a real list was published. */
  recorded?: true;
  /** Where it answers, unless the configuration replaces it. @throws {ApiFault} */
  origin: (fields: Fields) => string;
  /** The fields that tell its accounts apart; the first where it is missing. */
  identity?: readonly string[];
  /** Least milliseconds between two requests of one account; 1,000 where it is missing. */
  intervalMs?: number;
  /** Of its answers; JSON where it is missing. */
  format?: "xml";
  /**
   * Every call that it makes; another one throws before a socket is opened. All of them only read. A path has
   * a `:name` where any one segment may stand.
   */
  calls: readonly `${"GET" | "POST"} /${string}`[];
  /** Where its paths take many commands: the header or the form field that names one, and those that it sends. */
  command?: { in: "header" | "form"; name: string; values: readonly string[] };
  /** Sent with each request that brings none of its own. */
  headers?: (fields: Fields) => Readonly<Record<string, string>>;
  /** What to do there when the account is refused. */
  advice: Partial<Record<Outcome, string>>;
  /** The registrar's own words in the body of an error; `message` or `detail` where it is missing. */
  words?: (body: unknown) => unknown;
  /** Its codes of errors by what they mean, with spaces between them. */
  codes?: Partial<Record<Outcome, string>>;
  /** The codes in a body; `code` where it is missing. */
  codesOf?: (body: unknown) => unknown[];
  /** Whether the body of an answer with a good status reports no error. */
  succeeds?: (body: unknown) => boolean;
  /** What an answer says in another way. */
  fault?: (answer: ApiAnswer) => Outcome | false;
  readPage: (context: ReaderContext, at: PlaceInList) => Promise<RegistrarPage>;
  /** Renewal prices for a year by suffix; null where one is not to be believed. */
  prices?: (context: ReaderContext) => Promise<ReadonlyMap<string, Price | null>>;
  details?: {
    /** Requests that one name takes. */
    calls: number;
    read: (context: ReaderContext, name: string) => Promise<Partial<RegistrarRow>>;
  };
}

export interface ReaderContext {
  fields: Fields;
  origin: string;
  now: () => Date;
  /** What a reader has found out: how far the registrar's clock is ahead of ours, the account's id. */
  clockAheadMs: number;
  account: string | null;
  /** Makes one call, at its pace. @throws {ApiFault} For an error, or an answer of another form. */
  ask: (request: ApiRequest) => Promise<ApiAnswer>;
}

export interface ApiRequest {
  method?: "GET" | "POST";
  /** Below the origin, with its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface ApiAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** JSON or an `XmlElement`, as the registrar's format says; undefined where it is neither. */
  body: unknown;
}

/** Which page is asked for: its number from 1, the rows before it, and what the page before said of it. */
export interface PlaceInList {
  page: number;
  offset: number;
  cursor: string | number | null;
}

/** One page of the list. What is null is not told. */
export interface RegistrarPage {
  rows: RegistrarRow[];
  /** Rows of the whole list: a count, checked by the caller. It has to be told where `next` is missing. */
  total?: unknown;
  /** Rows of a full page, checked by the caller. */
  size?: unknown;
  /**
   * A cursor, or the number or offset of the next page, null at the end; without it, the list ends with its
   * total or a blank page. A cursor that is text may be gone after a short wait.
   */
  next?: string | number | null;
  /** The last name of the page before, with which this one may begin. */
  marker?: string | number | null;
}

/** One name as a registrar lists it. What is missing or null is not told. */
export interface RegistrarRow extends Partial<Told> {
  /** Checked by the caller: a row without a valid name makes the list unreadable. */
  name: unknown;
  /** What was told instead of a day of expiry. */
  unreadable?: string;
  /** Only hosted there, and registered elsewhere. */
  isHosted?: boolean;
  /** The account says that the name went away. */
  left?: "transferred-out" | "cancelled" | null;
  reason?: string;
}

/** A call that gave no answer to go on with; `message` has the words of who says so. */
export class ApiFault extends Error {
  override readonly name = "ApiFault";
  readonly outcome: Outcome;
  readonly status: number;
  readonly retryAfterMs: number | null;

  constructor(outcome: Outcome, words: string, status = 0, retryAfterMs: number | null = null) {
    super(words);
    this.outcome = outcome;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export function malformed(what: string): ApiFault {
  return new ApiFault("broken", `The answer has no ${what}.`);
}
