import { list, nullable, object, text, type Parsed } from "./parse.ts";
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
