import type { Expiry } from "../../shared/domain.ts";
import { MANUAL, sourceInWords } from "../../shared/source.ts";
import { reportedDates } from "../../shared/work.ts";
import { formatDay } from "../ui/format.ts";

/** The later dates of a conflict: `IONOS says Oct 20, 2027`; empty where all sources agree. */
export function otherDatesInWords(expires: Expiry): string {
  const says = (source: string) =>
    source === MANUAL ? "you say" : `${sourceInWords(source)} says`;
  return reportedDates(expires)
    .slice(1)
    .map(({ date, source }) => `${says(source)} ${formatDay(date, "medium")}`)
    .join(", ");
}
