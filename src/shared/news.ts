import * as p from "./parse.ts";

/**
 * `GET /api/news?at=`: the last instants at which something was changed, the newest first, and an `ETag` that
 * is another one after each change. Of those instants that `at` names, comma-separated, also what was changed by
 * whom: `names` domains, and up to 1,000 of them in all, each with its version now, null if it is gone.
 */
export type News = p.Parsed<typeof parseNews>;

export const parseNews = p.object({
  times: p.list(p.text),
  changes: p.list(
    p.object({
      by: p.text,
      byId: p.nullable(p.text),
      names: p.number,
      domains: p.list(p.object({ id: p.text, version: p.nullable(p.number) })),
    }),
  ),
});
