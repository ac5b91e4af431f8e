import type { FieldOf } from "../../../shared/fields.ts";
import cellWords from "../data/cell-words.json" with { type: "json" };
import { isNullValue } from "./cell-shapes.ts";

const MEANINGS: ReadonlyMap<string, boolean> = new Map([
  ...wordsOf(cellWords.on).map((word) => [word, true] as const),
  ...wordsOf(cellWords.off).map((word) => [word, false] as const),
]);

/** Words that mean on or off under one field only. */
const FIELD_WORDS: { readonly [F in FieldOf<"flag">]?: Readonly<Record<string, boolean>> } =
  cellWords.ofField;

const MAX_FLAG_LENGTH = 40;

/**
 * Reads on or off, in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish or
 * Japanese; null for no value. Anything else, such as `pending`, is unreadable rather than "off".
 */
export function parseFlag(
  text: string,
  field?: FieldOf<"flag">,
): boolean | null | { reason: string } {
  if (text.length <= MAX_FLAG_LENGTH) {
    const word = fold(text);
    const words = (field && FIELD_WORDS[field]) ?? {};
    const meaning = Object.hasOwn(words, word) ? words[word] : MEANINGS.get(word);
    if (meaning !== undefined) return meaning;
  }
  if (isNullValue(text)) return null;
  return { reason: "This isn’t yes or no" };
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.join(", ").split(", ").map(fold);
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[-_'’.\s]+/g, " ")
    .trim();
}
