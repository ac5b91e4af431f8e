import * as p from "../../shared/parse.ts";
import { parseId, queryOf } from "./read-input.ts";

export const MAX_PAGE_SIZE = 200;

/** How many items a page has if its `limit` is not given. */
export const PAGE_SIZE = 100;

/** A parameter that is a whole number between two bounds, both included. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  p.described(
    (value) => {
      const given = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : NaN;
      if (given >= min && given <= max) return given;
      return p.refuse("value", p.expected(`a whole number from ${min} to ${max}`, value));
    },
    () => ({ type: "integer", minimum: min, maximum: max }),
  );

/** The parameter `limit`: how many items a page has, 1 to 200. */
export const parsePageSize = wholeNumber(1, MAX_PAGE_SIZE);

/** The parameters of a list in pages; `after` is the `next` of the page before. */
export const parsePage = queryOf({ limit: p.optional(parsePageSize), after: p.optional(parseId) });

/** Makes a page of rows, given one more than `limit`, with the key of its last one if more follow. */
export function pageOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string) {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, next: last === undefined ? null : keyOf(last) };
}
