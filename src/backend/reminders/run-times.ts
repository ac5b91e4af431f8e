import type { Day, Instant } from "../../shared/day.ts";
import type { ReminderSettings } from "../../shared/reminders.ts";

/** When messages go out. */
export type RunTimes = Pick<ReminderSettings, "timeZone" | "hour" | "quietDays">;

/** The day that it is in a time zone. */
export function dayIn(timeZone: string, now: Date): Day {
  return zoned(timeZone, now).toPlainDate().toString();
}

/** The ISO week of a day, `2027-W01`. */
export function weekOf(day: Day): string {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(day);
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, "0")}`;
}

/**
 * The next time after `now` at which it is this hour on a day that is not quiet. An hour that summer
 * time leaves out comes an hour later, one that comes twice counts the first time. A day that a time
 * zone left out altogether counts with the next.
 */
export function nextRun(now: Date, { timeZone, hour, quietDays }: RunTimes): Instant {
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
