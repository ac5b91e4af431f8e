import type { Expiry, Handled } from "../../shared/domain.ts";
import { MANUAL, sourceInWords } from "../../shared/source.ts";
import { reportedDates } from "../../shared/work.ts";
import { formatDay, localToday } from "../ui/format.ts";

/** The later dates of a conflict: `IONOS says Oct 20, 2027`; empty where all sources agree. */
export function otherDatesInWords(expires: Expiry): string {
  const says = (source: string) =>
    source === MANUAL ? "set by hand:" : `${sourceInWords(source)} says`;
  return reportedDates(expires)
    .slice(1)
    .map(({ date, source }) => `${says(source)} ${formatDay(date, "medium")}`)
    .join(", ");
}

/** Whether someone takes care of an expiry; null if not, or if a snooze has ended. */
export function handledInWords(handled: Handled | null): string | null {
  if (handled === null || (handled.until !== null && handled.until <= localToday())) return null;
  const { until } = handled;
  return until === null ? "Acknowledged" : `Snoozed until ${formatDay(until, "medium")}`;
}
