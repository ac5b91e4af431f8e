import * as p from "./parse.ts";

/** Which of the days that sources report settles a conflict, in the order in which they are offered. */
export const SETTLING_RULES = [
  /** That of the domain's own registrar, asked live or imported. */
  "registrar",
  "registry",
  /** The report that came last. */
  "newest",
  "earliest",
  "later",
  /** The one that is named: a registrar, a file, a WHOIS server, or a day set by hand. */
  "source",
] as const;

/** How a conflict is settled; where that source reported nothing, it stays. */
export type Settling =
  | { by: Exclude<(typeof SETTLING_RULES)[number], "source">; source?: undefined }
  | { by: "source"; source: string };

/** `POST /api/domains/conflicts`: each way settles its `domains`; `changes` get another day. */
export type Conflicts = p.Parsed<typeof parseConflicts>;

export const parseConflicts = p.object({
  domains: p.number,
  settlings: p.list(
    p.object({
      by: p.oneOf(SETTLING_RULES),
      source: p.nullable(p.text),
      domains: p.number,
      changes: p.number,
    }),
  ),
});
