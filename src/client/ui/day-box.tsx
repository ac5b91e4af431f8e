import { useRef, useState } from "react";
import { isDay, type Day } from "../../shared/day.ts";
import { memoize } from "../../shared/memoize.ts";
import { Button } from "./button.tsx";
import { Field, type Labelled } from "./field.tsx";
import { formatDay } from "./format.ts";
import { preferences } from "./preferences.ts";

const EXAMPLE = "2027-12-31";

const digitsFormat = memoize((dates) => {
  // Sweden writes dates as ISO 8601 does.
  const locale = dates === "iso" ? "sv-SE" : dates;
  return new Intl.DateTimeFormat(dates === "browser" ? undefined : locale, {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });
});

function partsOf(day: Day): Intl.DateTimeFormatPart[] {
  return digitsFormat(preferences.get().dates).formatToParts(new Date(day));
}

/** A day in digits, as a text box shows it; other text unchanged. */
export function formatDayDigits(day: string): string {
  return isDay(day) ? digitsFormat(preferences.get().dates).format(new Date(day)) : day;
}

const LETTERS: Readonly<Record<string, string>> = { year: "yyyy", month: "mm", day: "dd" };

function dayPattern(): string {
  return partsOf(EXAMPLE)
    .map(({ type, value }) => LETTERS[type] ?? value)
    .join("");
}

/** Reads a day in the order of the screen or with the year first; null for other text. */
export function parseDayDigits(text: string): Day | null {
  const numbers = text.match(/\d+/g) ?? [];
  const written = partsOf(EXAMPLE).flatMap(({ type }) => (type in LETTERS ? [type] : []));
  const order = numbers[0]?.length === 4 ? ["year", "month", "day"] : written;
  const part = (type: string) => numbers[order.indexOf(type)]?.padStart(2, "0") ?? "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  return numbers.length === 3 && isDay(day) ? day : null;
}

/** The day in words, so that swapped digits show, or how to write it. */
export function dayHint(value: string): string {
  return isDay(value) ? formatDay(value) : dayPattern();
}

/** What is wrong with the text of a box; null for a day or empty text. */
export function dayFault(value: string): string | null {
  if (value === "" || isDay(value)) return null;
  return `Enter a date as ${dayPattern()}, for example ${formatDayDigits(EXAMPLE)}.`;
}

interface Props extends Labelled {
  /** A day, or typed text that is not one. */
  value: string;
  onChange: (value: string) => void;
}

/** A labelled box for a day in the order of the screen, with the browser's calendar behind a button. */
export function DayBox({ label, hint, error, value, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <Field label={label} hint={hint ?? dayHint(value)} error={error}>
      {(control) => (
        <div className="day-box">
          <input
            {...control}
            autoComplete="off"
            value={typed ?? formatDayDigits(value)}
            onChange={({ target }) => {
              setTyped(target.value);
              onChange(parseDayDigits(target.value) ?? target.value.trim());
            }}
            onBlur={() => setTyped(undefined)}
          />
          <Button
            look="quiet"
            aria-label="Choose a date"
            onClick={() => calendar.current?.showPicker()}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 1.5v3M10.5 1.5v3" />
            </svg>
          </Button>
          <input
            ref={calendar}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            value={isDay(value) ? value : ""}
            onChange={({ target }) => onChange(target.value)}
          />
        </div>
      )}
    </Field>
  );
}
