import { type Day, type Instant, isDay } from "./day.ts";
import type { Domain } from "./domain.ts";
import { dueDay } from "./work.ts";

/** The same day in another year; 29 February becomes the 28th in a year without it. */
export function addYears(from: Day | Instant, years: number): Day {
  const year = String(Number(from.slice(0, 4)) + years).padStart(4, "0");
  const same = `${year}${from.slice(4, 10)}`;
  return isDay(same) ? same : `${year}-02-28`;
}

/**
 * When a domain that was renewed expires: its renewal period after the due day, a year where none is
 * known, and as often as it takes to lie ahead. Null without an expiry, for what is to be
 * dropped or was sold; and beyond the last day that can be stored.
 */
export function renewedDay(
  domain: Pick<Domain, "expires" | "decision" | "renewal" | "soldOn" | "soldPrice">,
  today: Day,
): Day | null {
  const due = dueDay(domain);
  const { decision, renewal, soldOn, soldPrice } = domain;
  if (due === null || decision === "drop" || soldOn !== null || soldPrice !== null) return null;
  // A backend other than ours may send 0, which would never lie ahead.
  const period = Math.max(renewal?.years ?? 1, 1);
  let day = due;
  for (let years = period; day <= today || day === due; years += period) day = addYears(due, years);
  return isDay(day) ? day : null;
}
