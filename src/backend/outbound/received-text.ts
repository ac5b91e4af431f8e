import { isDay } from "../../shared/day.ts";

/**
 * Replaces control characters but tab and line feeds, above all NUL, which Postgres does not store,
 * and halves of surrogate pairs by U+FFFD. Every reader of bytes calls it where they become text,
 * and again where a notation such as JSON can spell them.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROL, "\uFFFD");
}

const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/** Deepest nesting that is read; answers of registries and registrars have some eight levels. */
const MAX_DEPTH = 40;
/** A page of 1,000 names with all that is told of each has half as many. More would keep the thread. */
const MAX_VALUES = 40_000;

/** Parses at most 40 levels and 40,000 values, judged before; undefined for anything else. */
export function parseShallowJson(body: string): unknown {
  if (!isSmall(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Counts brackets and commas outside strings, in one pass over the text, whatever it is. */
function isSmall(body: string): boolean {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (character === '"') inString = !inString;
    else if (inString) at += character === "\\" ? 1 : 0;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === ",") values += 1;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false;
  }
  return true;
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ]([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d|60)(?:[.,](\d+))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Reads RFC 3339 and its common misspellings: a space for the T, `+0000`, no time, no zone (UTC), any fraction.
 * Returns milliseconds since 1970, NaN for anything else.
 */
export function parseDateTime(written: string): number {
  const [, day = "", hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] =
    DATE_TIME.exec(written.trim()) ?? [];
  if (!isDay(day)) return NaN;
  const seconds = `${second.replace("60", "59")}.${fraction.slice(0, 3).padEnd(3, "0")}`;
  const offset = zone.toUpperCase().replace(/^(...):?(..)$/, "$1:$2");
  return Date.parse(`${day}T${hour}:${minute}:${seconds}${offset}`);
}
