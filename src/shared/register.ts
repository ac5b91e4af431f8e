import * as p from "./parse.ts";
import { type CheckKind, parseReach } from "./check-summary.ts";
import { type DomainInput, parseDomain } from "./domain.ts";
import type { Day } from "./day.ts";
import type { Filter } from "./filter.ts";
import { DEFAULT_SETTINGS, parseSettings } from "./settings.ts";
import type { Settling } from "./settling.ts";

/**
 * The domains of a bulk change. `expectedCount` is how many of them have to exist; of `ids`, all unless
 * given. Relative dates count from `today`, UTC's day unless given.
 */
export type BulkSelection =
  | { ids: readonly string[]; expectedCount?: number }
  | { filter: Filter; today?: Day; expectedCount: number };

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
export type BulkResult = p.Parsed<typeof parseBulkResult>;

export const parseBulkResult = p.object({
  matched: p.number,
  changed: p.number,
  operation: p.orElse(p.text, null),
});

/** By month (`YYYY-MM`) and currency; null: none is named. `renewing` renews by itself. */
export type MonthCost = p.Parsed<typeof parseMonthCost>;

const parseMonthCost = p.object({
  month: p.text,
  currency: p.nullable(p.text),
  minor: p.number,
  renewing: p.number,
  names: p.number,
});

export type MonthExpiries = p.Parsed<typeof parseMonthExpiries>;

const parseMonthExpiries = p.object({
  month: p.text,
  names: p.number,
  renewing: p.number,
  dropping: p.number,
});

/**
 * A group of work on home: its first domains, how many there are, the furthest day (null for `look`),
 * and the action of `GROUP_ACTIONS` that would finish most of them, with how many.
 */
export type WorkGroup = p.Parsed<typeof parseWorkGroup>;

const parseWorkGroup = p.object({
  total: p.number,
  last: p.nullable(p.text),
  likely: p.nullable(
    p.object({ action: p.oneOf(["renewed", "keep", "switch-off", "transfer"]), names: p.number }),
  ),
  items: p.list(parseDomain),
});

/**
 * One operation, import or reading, or a run of edits by one maker. `{}` in `what` stands for the domains,
 * and `domain` is the only one; the filter `change` finds them by `changes`. `back` says whether undoing its
 * `operations` is an undo or a redo; null: it has none, or is undone.
 */
export type RecentChange = p.Parsed<typeof parseRecentChange>;

export const parseRecentChange = p.object({
  at: p.text,
  by: p.text,
  byId: p.nullable(p.text),
  /** Of `CHANGE_KINDS`. */
  kind: p.text,
  what: p.text,
  names: p.number,
  domain: p.nullable(p.object({ name: p.text, unicode: p.text })),
  /** Of `refused` names, by id. */
  account: p.orElse(p.nullable(p.text), null),
  changes: p.list(p.text),
  operations: p.list(p.text),
  back: p.nullable(p.oneOf(["undo", "redo"])),
  isUndone: p.boolean,
});

/** Live checks on home: whether the owner is still to be asked (`ask`), and who answers (`reach`; null: off). */
export type CheckNews = p.Parsed<typeof parseCheckNews>;

const parseCheckNews = p.object({
  ask: p.boolean,
  reach: p.orElse(p.nullable(parseReach), null),
});

/** The program did not run in this time, and `names` domains were reported late because of it. */
export const parseLate = p.object({ from: p.text, to: p.text, names: p.number });

/** Reminders on home; `late` is the last long time in which the program did not run. */
export type ReminderNews = p.Parsed<typeof parseReminderNews>;

const parseReminderNews = p.object({
  on: p.boolean,
  channels: p.number,
  calendars: p.number,
  broken: p.list(
    p.object({ id: p.text, name: p.text, state: p.text, lastError: p.nullable(p.text) }),
  ),
  late: p.nullable(parseLate),
});

/** Accounts on home: those refused, or that ask whether they have shrunk; their new and vanished names. */
export type AccountNews = p.Parsed<typeof parseAccountNews>;

const parseAccountNews = p.object({
  refused: p.number,
  shrunken: p.number,
  new: p.number,
  vanished: p.number,
});

/** What home says of other rooms to limited viewers, and of a server that has none: nothing. */
export const NO_NEWS: Readonly<{
  checks: CheckNews;
  reminders: ReminderNews;
  accounts: AccountNews;
}> = {
  checks: { ask: false, reach: null },
  reminders: { on: true, channels: 1, calendars: 0, broken: [], late: null },
  accounts: { refused: 0, shrunken: 0, new: 0, vanished: 0 },
};

export type SavedView = p.Parsed<typeof parseSavedView>;

export const parseSavedView = p.object({ id: p.text, name: p.text, query: p.text });

/**
 * `GET /api/summary?today=YYYY-MM-DD&person=`, by UTC's day unless one is given. A filter named at a
 * count finds the domains that it counts.
 */
export type Summary = p.Parsed<typeof parseSummary>;

export const parseSummary = p.object({
  today: p.text,
  leadDays: p.number,
  /** Whose domains all of this is about, as a value of the filter `person`; null: all domains. */
  person: p.orElse(p.nullable(p.text), null),
  /** Domains of the person who asks. */
  mine: p.orElse(p.number, 0),
  /** Domains with work that belong to no person, where the rest is of one: 0 else. */
  nobody: p.orElse(p.number, 0),
  total: p.number,
  /** `work=any` by the days of `WORK_DAYS`, the newest first in `expired`; `look` is `work=look`. */
  work: p.object({
    today: parseWorkGroup,
    expired: parseWorkGroup,
    week: parseWorkGroup,
    days30: parseWorkGroup,
    days60: parseWorkGroup,
    look: parseWorkGroup,
  }),
  /**
   * The first day after this week with work, or else the first after the lead time on which domains
   * expire that may not renew by themselves and are not to be dropped; `unicode` is one of them.
   */
  next: p.nullable(p.object({ date: p.text, names: p.number, unicode: p.text })),
  /** Due from today until `next` or the lead time's end: `autoRenew=true`, `decision=!drop`, `sold=false`. */
  renewing: p.object({ names: p.number, items: p.list(parseDomain) }),
  /** `expires=none` and `lapsed=false`. */
  unknown: p.number,
  /** `expires=conflict` and `lapsed=false`. */
  conflicts: p.number,
  /** `lapsed=true`. */
  lapsed: p.orElse(p.number, 0),
  /** `archived=proposed`. */
  archivable: p.orElse(p.number, 0),
  /** 12 months from today on: `decision=!drop`, `sold=false`; `dropping`: those to be dropped. */
  expiries: p.list(parseMonthExpiries),
  /** Of the domains in `expiries` that have a price; `unpriced` counts those that have none. */
  costs: p.list(parseMonthCost),
  unpriced: p.number,
  changes: p.list(parseRecentChange),
  settings: p.orElse(parseSettings, DEFAULT_SETTINGS),
  /** Whether the sample data (`POST /api/sample`) is there. */
  sample: p.orElse(p.boolean, false),
  checks: p.orElse(parseCheckNews, NO_NEWS.checks),
  reminders: p.orElse(parseReminderNews, NO_NEWS.reminders),
  accounts: p.orElse(parseAccountNews, NO_NEWS.accounts),
});

export const parseSavedViews = p.object({ items: p.list(parseSavedView) });

export const VIEW_LIMITS = { name: 100, query: 4000 } as const;
