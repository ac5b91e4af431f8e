import type { Parser } from "wouter";

/**
 * Matches paths to the letter, as the server does: wouter's own parser also takes another case and
 * a trailing slash, which the server answers with 404. `:name` stands for one segment, `*` for all.
 */
export const strictPath: Parser = (route) => {
  const keys: string[] = [];
  const source = route.replaceAll(/\*|:(\w+)/g, (_, key?: string) => {
    if (!key) return ".*";
    keys.push(key);
    return "([^/]+)";
  });
  return { pattern: new RegExp(`^${source}$`), keys };
};
