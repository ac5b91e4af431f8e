import { list, nullable, number, object, optional, orElse, text, type Parsed } from "./parse.ts";

/** Every write of a person is an operation: its answer has the id, and so has each change that it made. */

/** A domain that an undo did not fully revert. */
export type KeptDomain = Parsed<typeof parseKeptDomain>;

/** Without `fields`, the domain has been deleted since. `name` alone: its name is taken. */
const parseKeptDomain = object({ name: text, unicode: text, fields: list(text) });

/**
 * `POST /api/operations/:operations/undo`, of one or up to 50 ids with commas; by `GET` what it would be
 * now. `kept` lists at most 1,000; `operation` undoes the undo: as many ids.
 */
export type Undone = Parsed<typeof parseUndone>;

export const parseUndone = object({
  restored: number,
  kept: list(parseKeptDomain),
  operation: orElse(text, null),
});

/** `DELETE /api/domains/:id`: what brings the domain back. */
export const parseDeleted = object({ operation: text });

/** A deleted domain: by `operation`, or with the import of `fileName`, until the instant after which it is gone for good. */
export type BinItem = Parsed<typeof parseBinItem>;

const parseBinItem = object({
  id: text,
  name: text,
  unicode: text,
  deletedAt: text,
  deletedBy: text,
  deletedById: optional(nullable(text)),
  fileName: orElse(nullable(text), null),
  until: text,
  operation: nullable(text),
});

/** `GET /api/bin?limit=100&after=`, what was deleted last first; `next` goes into `after`. */
export type BinPage = Parsed<typeof parseBinPage>;

export const parseBinPage = object({
  items: list(parseBinItem),
  next: nullable(text),
  total: number,
});

/** `POST /api/bin/restore` with `{ ids }`: `taken` are names that have been added again since. */
export const parseBinRestored = object({
  restored: number,
  taken: list(text),
  operation: orElse(text, null),
});
