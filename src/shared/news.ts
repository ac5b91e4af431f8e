import { list, nullable, number, object, text, type Parsed } from "./parse.ts";

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
