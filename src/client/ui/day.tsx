import "./day.css";

const DAY = 86_400_000;

/** Made with the first day that is shown: it costs a phone 50 ms, before anything else could run. */
let relative: Intl.RelativeTimeFormat | undefined;

/**
 * Whole days from today, by the calendar of this device, to a day written `YYYY-MM-DD`; negative
 * when it is past, NaN when it is no day. Both are days without a clock, so no hour is ever lost
 * to summer time.
 */
export function daysUntil(day: string, now = new Date()): number {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return (Date.parse(day) - today) / DAY;
}

/** The day `days` from today, as `YYYY-MM-DD`. */
export function dayFromToday(days: number, now = new Date()): string {
  const day = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + days);
  return new Date(day).toISOString().slice(0, 10);
}

/** Days left in words: `today`, `in 12 days`, `expired 3 days ago`, `in 14 months`. */
export function daysInWords(days: number): string {
  relative ??= new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const months = Math.trunc(days / 30.44);
  const words =
    Math.abs(months) < 4
      ? relative.format(days, "day")
      : Math.abs(months) < 24
        ? relative.format(months, "month")
        : relative.format(Math.trunc(days / 365.25), "year");
  return days < 0 ? `expired ${words}` : words;
}

/** An expiry: the date as this device writes dates, and how long that is from now. */
export function Day({ day }: { day: string }) {
  const days = daysUntil(day);
  if (Number.isNaN(days)) return day;
  const tone = days < 0 ? "past" : days <= 14 ? "near" : days <= 60 ? "soon" : "far";
  return (
    <time dateTime={day} className={`day ${tone}`}>
      <span>
        {new Date(day).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" })}
      </span>
      <span className="day-left">{daysInWords(days)}</span>
    </time>
  );
}
