import * as p from "./parse.ts";
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
export type RecentChanges = p.Parsed<typeof parseRecentChanges>;

export const parseRecentChanges = p.page(parseRecentChange);

/** A field before and after a change: what the domain holds under that name, or null. */
export const parseFieldChange = p.object({ field: p.text, before: p.anything, after: p.anything });

/** One change of a domain, newest first in `GET /api/domains/:id/history`. */
export type Change = p.Parsed<typeof parseChange>;

const parseChange = p.object({
  id: p.text,
  at: p.text,
  /** Who made it: the name of that time, and the id where it was a person. */
  by: p.text,
  byId: p.optional(p.nullable(p.text)),
  action: p.oneOf(["added", "edited", "deleted"]),
  fields: p.list(parseFieldChange),
  /** What undoes the change; absent in older entries and in those of an import. */
  operation: p.optional(p.text),
  /** The import that made the change, or whose undo did. */
  import: p.optional(p.text),
  /** The name of its file, in the history of one domain. */
  fileName: p.optional(p.text),
});

/** `GET /api/domains/:id/history?limit=100&after=`; `next` goes into `after`. */
export type ChangePage = p.Parsed<typeof parseChangePage>;

export const parseChangePage = p.page(parseChange);
