import { foldLabel, isBlank, labelFault, LIMITS, textFault } from "../../../shared/text.ts";
import { revealCell, splitOwnTags } from "../../domains/csv-export.ts";
import { MAX_YEARS } from "../../domains/input.ts";
import { isNone } from "../values/none-words.ts";

/** A text of a row within the register's limits, null where it says nothing, or why not. */
export type RowText<T> = T | null | { reason: string };

/** A registrar, account or owner: composed, trimmed, at most 200 characters. */
export function readLabel(cell: string, own: boolean): RowText<string> {
  const label = (own ? revealCell(cell) : cell).normalize("NFC").trim();
  if (isBlank(label) || (!own && isNone(label))) return null;
  const fault = labelFault(label, LIMITS.label);
  return fault === null ? label : { reason: fault.detail };
}

/** Notes of at most 10,000 characters, exactly as they are: what they begin with is kept as data. */
export function readNotes(cell: string, own: boolean): RowText<string> {
  const notes = own ? revealCell(cell) : cell;
  if (isBlank(notes)) return null;
  const fault = textFault(notes, { max: LIMITS.notes, multiline: true });
  return fault === null ? notes : { reason: fault.detail };
}

/** Tags, with commas, semicolons or bars between them; each at most once, whatever its case. */
export function readTags(cell: string, own: boolean): RowText<string[]> {
  const texts = own ? splitOwnTags(revealCell(cell)) : cell.split(/[,;|]/);
  const tags = new Map<string, string>();
  for (const text of texts) {
    const tag = text.normalize("NFC").trim();
    const empty = isBlank(tag) || (!own && (isNone(tag) || /^\(.*\)$/.test(tag)));
    const fault = empty ? null : labelFault(tag, LIMITS.tag);
    if (fault !== null) return { reason: fault.detail };
    if (!empty && !tags.has(foldLabel(tag))) tags.set(foldLabel(tag), tag);
  }
  if (tags.size > LIMITS.tags) return { reason: `Expected at most ${LIMITS.tags} tags` };
  return tags.size === 0 ? null : [...tags.values()];
}

const MONTHS =
  /^(?:m(?:o|th)?s?|mon\p{L}*|mois|mes\p{L}*|maand\p{L}*|miesi\p{L}*|[かヶカヵ]?月)$/iu;
const YEARS =
  /^(?:yr?s?|years?|year\(s\)|j|jahre?|jaar|jaren|ans?|ann[eé]es?|anno|anni|anos?|años?|rok|lata?|年)?$/iu;
const YEARLY =
  /^(?:annual(?:ly)?|yearly|jährlich|annuel(?:le)?|anual|annuale|jaarlijks|rocznie)$/iu;
const SHORTER = /^(?:month|monat|mensu|mensil|maand|mies|quarter|quartal|trim|week|woch|月|毎月)/iu;

/** Whether a term is named that is less than a year: `Monthly`. */
export function isShorterThanYear(cell: string): boolean {
  return SHORTER.test(cell.trim());
}

/** No registry sells more at a time, so `24` under "Term" is months. */
const MOST_YEARS = 10;

/**
 * Years of a renewal, from 1 to 100: `2`, `2 years`, `24 months`. But for our `own` exports, a bare
 * number above 10 is one of months.
 */
export function readYears(cell: string, own = false): RowText<number> {
  if (isNone(cell)) return null;
  if (YEARLY.test(cell.trim())) return 1;
  const [, digits, unit = ""] = /^\s*(\d{1,4})\s*([\p{L}()]*)\.?\s*$/u.exec(cell) ?? [];
  const months = MONTHS.test(unit) || (!own && unit === "" && Number(digits) > MOST_YEARS);
  const years = Number(digits) / (months ? 12 : 1);
  const known = months || YEARS.test(unit);
  const valid = known && Number.isInteger(years) && years >= 1 && years <= MAX_YEARS;
  return valid ? years : { reason: "Expected a number of years from 1 to 100" };
}
