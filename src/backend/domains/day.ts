import type { Day } from "../../shared/contract.ts";

/** Years in which a registration can expire: before the first there was no register of names. */
const FIRST_DAY = "1985-01-01";
const LAST_DAY = "2199-12-31";

/** Whether text is a day of the calendar as `YYYY-MM-DD`, from 1985 to 2199. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // 2027-02-30 parses as 2 March in some engines and as no date in others.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
