import {
  boolean,
  list,
  nullable,
  number,
  object,
  oneOf,
  orElse,
  text,
  type Parsed,
} from "./parse.ts";
import { type CheckKind, parseReach } from "./check-summary.ts";
import { type DomainInput, parseDomain } from "./domain.ts";
import type { Day } from "./day.ts";
import type { Filter } from "./filter.ts";
import { DEFAULT_SETTINGS, parseSettings } from "./settings.ts";
import type { Settling } from "./settling.ts";

/** All matches, if so many. Relative dates are read by `today`, which is UTC's unless given. */
export type BulkSelection =
  { ids: string[] } | { filter: Filter; today?: Day; expectedCount: number };

type BulkInput = Omit<DomainInput, "name" | "tags" | "nameservers" | "custom" | "doneFor">;

/** What a bulk change does. An absent member stays as it is; tags are added and removed singly. */
export type BulkOperation =
  | ({
      kind: "edit";
      addTags?: string[];
      removeTags?: string[];
      /** Custom fields to set; an empty text removes the field. The others stay. */
      custom?: Record<string, string>;
    } & BulkInput)
  | { kind: "delete" }
  /** Live checks are due at once; all kinds unless they are named. */
  | { kind: "check"; kinds?: CheckKind[] }
  /** To-dos are done: each waits until its expiry moves. Domains without an expiry stay as they are. */
  | { kind: "done" }
  /** Until a day, or, if null, until the expiry moves. What expires by then stays as it is. */
  | { kind: "handle"; until: Day | null }
  /**
   * Each expires on its day in `dates`, by id, or one renewal period later, a year if none is
   * known. Those to be dropped, sold, or without an expiry stay as they are.
   */
  | { kind: "renewed"; dates?: Readonly<Record<string, Day>> }
  /** Conflicts are settled by setting a day by hand; domains without a conflict stay as they are. */
  | ({ kind: "settle" } & Settling);

/**
 * `POST /api/domains/bulk`. All or nothing; 409 with `count` when another number matches now. At
 * `/bulk/foretell`, what it would do now to as many as match.
 */
export interface BulkRequest {
  select: BulkSelection;
  op: BulkOperation;
}

/** `changed` domains differ now. `operation` undoes it; null: nothing changed. */
export type BulkResult = Parsed<typeof parseBulkResult>;

export const parseBulkResult = object({
  matched: number,
  changed: number,
  operation: orElse(text, null),
});

/** By month (`YYYY-MM`) and currency; null: none is named. `renewing` renews by itself. */
export type MonthCost = Parsed<typeof parseMonthCost>;

const parseMonthCost = object({
  month: text,
  currency: nullable(text),
  minor: number,
  renewing: number,
  names: number,
});

export type MonthExpiries = Parsed<typeof parseMonthExpiries>;

const parseMonthExpiries = object({
  month: text,
  names: number,
  renewing: number,
  dropping: number,
});

/**
 * Some work of home: its first domains, how many there are, the day of the last one (null for `look`),
 * and the action of `GROUP_ACTIONS` that would end the most of it, with how much.
 */
export type WorkGroup = Parsed<typeof parseWorkGroup>;

const parseWorkGroup = object({
  total: number,
  last: nullable(text),
  likely: nullable(
    object({ action: oneOf(["renewed", "keep", "switch-off", "transfer"]), names: number }),
  ),
  items: list(parseDomain),
});

/**
 * What one maker did at once, to how many domains: an operation, an import or a reading; also edits of
 * one domain after another. `{}` in `what` stands for the domains, `domain` is the only one, and the filter
 * `change` finds them by `changes`. `back`: what the undo of its `operations` would be; null where there is none, or it is
 * undone.
 */
export type RecentChange = Parsed<typeof parseRecentChange>;

export const parseRecentChange = object({
  at: text,
  by: text,
  byId: nullable(text),
  /** Of `CHANGE_KINDS`. */
  kind: text,
  what: text,
  names: number,
  domain: nullable(object({ name: text, unicode: text })),
  /** Of `refused` names, by id. */
  account: orElse(nullable(text), null),
  changes: list(text),
  operations: list(text),
  back: nullable(oneOf(["undo", "redo"])),
  isUndone: boolean,
});

/**
 * What live checks have to say on home: whether the owner is still to be asked for them (`ask`), and
 * who answers them (`reach`; null while they are off).
 */
export type CheckNews = Parsed<typeof parseCheckNews>;

const parseCheckNews = object({
  ask: boolean,
  reach: orElse(nullable(parseReach), null),
});

const NO_CHECK_NEWS: CheckNews = { ask: false, reach: null };

/** The program did not run in this time, and so many domains were told late for it. */
export const parseLate = object({ from: text, to: text, names: number });

/**
 * What home says of reminders: whether they are on, how many channels and calendars there are, which
 * channels fail, and the last long time in which the program did not run.
 */
export type ReminderNews = Parsed<typeof parseReminderNews>;

const parseReminderNews = object({
  on: boolean,
  channels: number,
  calendars: number,
  broken: list(object({ id: text, name: text, state: text, lastError: nullable(text) })),
  late: nullable(parseLate),
});

/** Of a server that has none: nothing to say. */
const NO_REMINDER_NEWS: ReminderNews = {
  on: true,
  channels: 1,
  calendars: 0,
  broken: [],
  late: null,
};

/**
 * What home says of accounts at registrars: how many were refused or ask whether they have shrunk, and
 * how many names are new or vanished in all.
 */
export type AccountNews = Parsed<typeof parseAccountNews>;

const parseAccountNews = object({
  refused: number,
  shrunken: number,
  new: number,
  vanished: number,
});

const NO_ACCOUNT_NEWS: AccountNews = { refused: 0, shrunken: 0, new: 0, vanished: 0 };

export type SavedView = Parsed<typeof parseSavedView>;

export const parseSavedView = object({ id: text, name: text, query: text });

/**
 * `GET /api/summary?today=YYYY-MM-DD&person=` (UTC's day unless given). It is of the domains of `person`
 * alone, which is a value of that filter, or null for all; `mine` counts those of the person who asks. Each
 * count is that of a filter:
 * - `work`, by due days: `today` and tomorrow, `expired` (the newest first), the other days of a `week`,
 *   `days30` and `days60`, the rest, are `work=any`; `look` is `work=look`;
 * - `next`: the first day after this week on which there is work, or after the lead time on which
 *   domains expire that are kept or undecided and may not renew by themselves; with one of them;
 * - `renewing`: due from today to the day before `next`, or to the end of the lead time,
 *   `autoRenew=true`, `decision=!drop` and `sold=false`, with the first of them;
 * - `lapsed`: `lapsed=true`; `archivable`: `archived=proposed`;
 * - `unknown` and `conflicts`, of what has not lapsed, as the list opens:
 *   `expires=none` and `expires=conflict`, each with `lapsed=false`;
 * - a month of `expiries`: `expiresFrom` its first day, or today, `expiresBefore` that of the next, and
 *   `decision=!drop` and `sold=false`; the 12 months from today's on. `costs` are those of the
 *   same domains, and `dropping` counts those to be dropped, which are none of them;
 * - `sample`: whether the sample data (`POST /api/sample`) is there;
 * - `unpriced`: those of the same domains that have no price.
 */
export type Summary = Parsed<typeof parseSummary>;

export const parseSummary = object({
  today: text,
  leadDays: number,
  person: orElse(nullable(text), null),
  mine: orElse(number, 0),
  /** Domains with work that belong to no person, where the rest is of one: 0 else. */
  nobody: orElse(number, 0),
  total: number,
  work: object({
    today: parseWorkGroup,
    expired: parseWorkGroup,
    week: parseWorkGroup,
    days30: parseWorkGroup,
    days60: parseWorkGroup,
    look: parseWorkGroup,
  }),
  next: nullable(object({ date: text, names: number, unicode: text })),
  renewing: object({ names: number, items: list(parseDomain) }),
  unknown: number,
  conflicts: number,
  lapsed: orElse(number, 0),
  archivable: orElse(number, 0),
  expiries: list(parseMonthExpiries),
  costs: list(parseMonthCost),
  unpriced: number,
  changes: list(parseRecentChange),
  settings: orElse(parseSettings, DEFAULT_SETTINGS),
  sample: orElse(boolean, false),
  checks: orElse(parseCheckNews, NO_CHECK_NEWS),
  reminders: orElse(parseReminderNews, NO_REMINDER_NEWS),
  accounts: orElse(parseAccountNews, NO_ACCOUNT_NEWS),
});

export const parseSavedViews = object({ items: list(parseSavedView) });

export const VIEW_LIMITS = { name: 100, query: 4000 } as const;
