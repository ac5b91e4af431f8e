import {
  boolean,
  exactObject,
  list,
  nullable,
  number,
  object,
  record,
  text,
  type Parsed,
} from "./parse.ts";

/** The JSON shapes of `/api/checks`. */

const parseHost = object({
  /** `host:port`, or the host alone. */
  host: text,
  /** `rdap` or `whois`. */
  kind: text,
  intervalMs: number,
  nextAt: text,
  /** It asked to be left alone until then. */
  blockedUntil: nullable(text),
  /** Questions on this UTC day. */
  today: number,
  lastOutcome: nullable(text),
});

/**
 * `GET /api/checks`. `choice` is the owner's, null while there is none; `on` is what holds. `estimate`
 * is when nothing will be due any more, null where nothing is. `outcomes` counts the latest checks.
 */
export type ChecksStatus = Parsed<typeof parseChecksStatus>;

export const parseChecksStatus = object({
  on: boolean,
  choice: nullable(boolean),
  /** Whether `CHECKS` decides, so that nobody can choose. */
  fixed: boolean,
  due: number,
  running: number,
  estimate: nullable(text),
  hosts: list(parseHost),
  bootstrap: object({ publication: text, tlds: number }),
  outcomes: record(number),
  /** Suffixes in use that no public source answers for. */
  unsupported: list(text),
});

/** `PUT /api/checks`. */
export const parseChecksChoice = exactObject({ on: boolean });
