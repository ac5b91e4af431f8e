import { recordRequest } from "../audit/audit.ts";
import type { SQL } from "bun";
import { type Day, DAY_MS, type Instant } from "../../shared/day.ts";
import * as p from "../../shared/parse.ts";
import { parseLate } from "../../shared/register.ts";
import {
  parseReminderChange,
  parseReminderSettings,
  parseTimeZone,
  type ReminderSettings,
} from "../../shared/reminders.ts";
import { NO_PARAMETERS } from "../http/read-input.ts";
import { badFields } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import { hasRows } from "../database/database.ts";
import { readSetting, saveSetting } from "../database/setting-store.ts";

export type ReminderChoice = p.Parsed<typeof parseChoice>;

const parseChoice = p.object({
  // One that an update has removed must not stop everything.
  timeZone: p.orElse(parseTimeZone, "UTC"),
  hour: p.number,
  quietDays: p.list(p.number),
  thresholds: p.list(p.number),
  escalation: p.nullable(p.text),
});

const DEFAULT_CHOICE: ReminderChoice = {
  timeZone: "UTC",
  hour: 8,
  quietDays: [],
  thresholds: [60, 30, 14, 7, 1],
  escalation: null,
};

/** How far the evaluation has come; shared by all instances. */
export type ReminderState = p.Parsed<typeof parseState>;

const parseState = p.object({
  lastEvaluatedAt: p.nullable(p.text),
  nextAt: p.text,
  /** Reminders or thresholds began then: what was crossed by that time is no news. */
  baselineAt: p.orElse(p.nullable(p.text), null),
  /** Operations of `no_news` up to then were seen by an earlier version, which left them their instants. */
  noNewsSeen: p.orElse(p.text, ""),
  late: p.nullable(parseLate),
  /** The ISO week of the last weekly message. */
  week: p.nullable(p.text),
  /** The instants of the last changes that were told; null while no channel asks for changes. */
  changesSeen: p.orElse(p.nullable(p.list(p.text)), null),
  findingsToldAt: p.nullable(p.text),
  /** The first channels have heard of what expires today and tomorrow. */
  begun: p.orElse(p.boolean, true),
});

/** Two settings. Without the first, reminders are off. */
const CHOICE = "reminders";
const STATE = "reminders state";

const LATE_SHOWN_MS = 7 * DAY_MS;

/** What the owner has chosen, or the defaults; `on` once anything was chosen. */
export async function readReminders(sql: SQL): Promise<ReminderChoice & { on: boolean }> {
  const chosen = await readSetting(sql, CHOICE, parseChoice);
  const choice = { ...(chosen ?? DEFAULT_CHOICE), on: chosen !== null };
  // A channel that was removed gets nothing any more.
  return (await hasChannel(sql, choice.escalation)) ? choice : { ...choice, escalation: null };
}

/** Null before the first evaluation, and after a restore. */
export function readState(sql: SQL): Promise<ReminderState | null> {
  return readSetting(sql, STATE, parseState);
}

/** The state in which evaluation begins: what is crossed already is no news. */
export function firstState(now: Date, choice: ReminderChoice): ReminderState {
  const at = now.toISOString();
  return {
    lastEvaluatedAt: null,
    nextAt: nextRun(now, choice),
    baselineAt: at,
    noNewsSeen: "",
    late: null,
    week: null,
    changesSeen: null,
    findingsToldAt: null,
    begun: false,
  };
}

export async function saveState(sql: SQL, state: ReminderState): Promise<void> {
  await saveSetting(sql, STATE, state);
}

/** The last long gap, for a week. */
export function shownGap(state: ReminderState | null, now: Date): ReminderState["late"] {
  const late = state?.late ?? null;
  return late !== null && now.getTime() - Date.parse(late.to) < LATE_SHOWN_MS ? late : null;
}

/** @param changed Runs after each change. */
export function createSettingsRoutes(changed: () => void): Route[] {
  return [
    route("GET /api/reminders", "viewer", {
      summary: "Read when reminders are sent",
      query: NO_PARAMETERS,
      answer: parseReminderSettings,
      handle: ({ database, readNow }) =>
        database.read(async (sql) => describe(sql, await readNow(sql))),
    }),
    route("PUT /api/reminders", "owner", {
      summary: "Choose when reminders are sent",
      body: parseReminderChange,
      answer: parseReminderSettings,
      async handle(context) {
        const { database, readNow, body } = context;
        const settings = await database.write(async (sql) => {
          await recordRequest(sql, context, "settings-changed", { subject: "Reminders" });
          return changeReminders(sql, body, await readNow(sql));
        });
        changed();
        return settings;
      },
    }),
  ];
}

/** Turns reminders on; an absent member stays as it is. */
export async function changeReminders(
  sql: SQL,
  wanted: p.Parsed<typeof parseReminderChange>,
  now: Date,
): Promise<ReminderSettings> {
  const { on, ...before } = await readReminders(sql);
  const after = { ...before, ...wanted };
  if (!(await hasChannel(sql, after.escalation))) {
    const detail = "Expected the id of a channel, or null";
    throw badFields([{ pointer: "/escalation", code: "value", detail }]);
  }
  await saveSetting(sql, CHOICE, after);
  const state = (await readState(sql)) ?? firstState(now, after);
  const isNew = !on || !Bun.deepEquals(before.thresholds, after.thresholds);
  await saveState(sql, {
    ...state,
    // A run that is due stays due.
    nextAt: state.nextAt <= now.toISOString() ? state.nextAt : nextRun(now, after),
    baselineAt: isNew ? now.toISOString() : state.baselineAt,
  });
  return describe(sql, now);
}

async function describe(sql: SQL, now: Date): Promise<ReminderSettings> {
  const { on, ...choice } = await readReminders(sql);
  const state = on ? await readState(sql) : null;
  const { lastEvaluatedAt = null, nextAt = null } = state ?? {};
  return { ...choice, lastEvaluatedAt, nextAt, late: shownGap(state, now) };
}

async function hasChannel(sql: SQL, id: string | null): Promise<boolean> {
  return id === null || hasRows(sql`select id from channels where id = ${id}`);
}

export async function readToday(sql: SQL, now: Date): Promise<Day> {
  return dayIn((await readReminders(sql)).timeZone, now);
}

export function dayIn(timeZone: string, now: Date): Day {
  return zoned(timeZone, now).toPlainDate().toString();
}

/** The ISO week of a day, `2027-W01`. */
export function weekOf(day: Day): string {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(day);
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, "0")}`;
}

/**
 * The next time that it is this hour on a day that is not quiet. An hour that summer time skips comes an
 * hour later, one that it repeats counts the first time, a day that a time zone skips counts with the next.
 */
export function nextRun(
  now: Date,
  { timeZone, hour, quietDays }: Pick<ReminderSettings, "timeZone" | "hour" | "quietDays">,
): Instant {
  const plainTime = Temporal.PlainTime.from({ hour });
  for (let day = zoned(timeZone, now).toPlainDate(); ; day = day.add({ days: 1 })) {
    const run = day.toZonedDateTime({ timeZone, plainTime });
    if (run.epochMilliseconds > now.getTime() && !quietDays.includes(run.dayOfWeek)) {
      return new Date(run.epochMilliseconds).toISOString();
    }
  }
}

function zoned(timeZone: string, now: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
}
