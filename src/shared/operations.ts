import * as p from "./parse.ts";

/** Every write of a person is an operation: its answer has the id, and so has each change that it made. */

/** A domain that an undo did not fully revert. */
export type KeptDomain = p.Parsed<typeof parseKeptDomain>;

/** Without `fields`, the domain has been deleted since. `name` alone: its name is taken. */
const parseKeptDomain = p.object({ name: p.text, unicode: p.text, fields: p.list(p.text) });

/**
 * `POST /api/operations/:operations/undo`, of one or up to 50 ids, comma-separated; `…/foretell` says what it
 * would be now. `kept` lists at most 1,000; `operation` undoes the undo: as many ids.
 */
export type Undone = p.Parsed<typeof parseUndone>;

export const parseUndone = p.object({
  restored: p.number,
  kept: p.list(parseKeptDomain),
  operation: p.orElse(p.text, null),
});

/** `DELETE /api/domains/:id`: what brings the domain back. */
export const parseDeleted = p.object({ operation: p.text });

/** A deleted domain: by `operation`, or with the import of `fileName`, until the instant after which it is gone for good. */
export type BinItem = p.Parsed<typeof parseBinItem>;

const parseBinItem = p.object({
  id: p.text,
  name: p.text,
  unicode: p.text,
  deletedAt: p.text,
  deletedBy: p.text,
  deletedById: p.optional(p.nullable(p.text)),
  fileName: p.orElse(p.nullable(p.text), null),
  until: p.text,
  operation: p.nullable(p.text),
});

/** `GET /api/bin?limit=100&after=`, what was deleted last first; `next` goes into `after`. */
export type BinPage = p.Parsed<typeof parseBinPage>;

export const parseBinPage = p.countedPage(parseBinItem);

/** `POST /api/bin/restore` with `{ ids }`: `taken` are names that have been added again since. */
export const parseBinRestored = p.object({
  restored: p.number,
  taken: p.list(p.text),
  operation: p.orElse(p.text, null),
});
