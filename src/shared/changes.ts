import { list, nullable, number, object, text, type Parsed } from "./parse.ts";
import { parseRecentChange } from "./register.ts";

/**
 * `told`: by an account, a registry or a registrar. Of other edits, those of decisions are `decided`. `refused` are
 * names of an account that were kept out of the register.
 */
export const CHANGE_KINDS = [
  "added",
  "edited",
  "decided",
  "deleted",
  "imported",
  "told",
  "refused",
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/**
 * `GET /api/changes?after=&person=&kind=&q=&change=`: what was done, newest first; `kind=edited` has decisions,
 * too. `next` goes into `after`, as any instant does; a page of a filter may be empty and have a next one.
 */
export type RecentChanges = Parsed<typeof parseRecentChanges>;

export const parseRecentChanges = object({
  items: list(parseRecentChange),
  next: nullable(text),
});

/**
 * `GET /api/news?at=`: the last instants at which something was changed, the newest first, and an `ETag` that
 * is another one after each change. Of those instants that `at` names, with commas, also what was changed by
 * whom: `names` domains, and up to 1,000 of them in all, each with its version now, null if it is gone.
 */
export type News = Parsed<typeof parseNews>;

export const parseNews = object({
  times: list(text),
  changes: list(
    object({
      by: text,
      byId: nullable(text),
      names: number,
      domains: list(object({ id: text, version: nullable(number) })),
    }),
  ),
});
