/**
 * Replaces what no text of another host may bring: control characters but tab and line feeds, above all
 * the NUL that Postgres does not store, and halves of surrogate pairs become U+FFFD. Every reader of
 * bytes calls it where they become text, and again where a notation such as JSON can spell them.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROL, "\uFFFD");
}

const CONTROL = /[^\P{Cc}\t\n\r]/gu;

/** Deepest nesting that is read; answers of registries and registrars have some eight levels. */
const MAX_DEPTH = 40;

/** Parses JSON of at most 40 levels; undefined for anything else, a deeper one before it is parsed. */
export function parseShallowJson(body: string): unknown {
  if (depthOf(body) > MAX_DEPTH) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** How deep brackets nest outside strings; one pass over the text, whatever it is. */
function depthOf(body: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (character === '"') inString = !inString;
    else if (inString) at += character === "\\" ? 1 : 0;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, (depth += 1));
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest;
}
