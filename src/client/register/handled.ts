import { addDays, type Day } from "../../shared/day.ts";
import type { Domain, Handled } from "../../shared/domain.ts";
import { dueDay } from "../../shared/work.ts";
import { formatDay } from "../ui/format.ts";
import { localToday } from "../ui/today.ts";

/** Whether a domain can be reminded of later: the last three reminders always come. */
export function canPutOff(domain: Domain): boolean {
  const due = dueDay(domain);
  return due !== null && due > addDays(localToday(), 1);
}

/** Whether somebody takes care of an expiry; null where nobody does, or a snooze has ended. */
export function handledInWords(handled: Handled | null): string | null {
  if (handled === null || (handled.until !== null && handled.until <= localToday())) return null;
  const { until } = handled;
  return until === null ? "Acknowledged" : `Snoozed until ${formatDay(until, "medium")}`;
}

/** What was done to the reminders of some domains, in a sentence; undefined: they come as usual. */
export function describeHandled(what: string, until: Day | null | undefined): string {
  if (until === undefined) return `Reminders for ${what} come as usual.`;
  if (until === null) return `You acknowledged ${what}: no more reminders.`;
  return `You will be reminded of ${what} on ${formatDay(until)}.`;
}
