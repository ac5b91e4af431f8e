import type { FieldOf } from "../../../shared/fields.ts";
import { readUrlHost } from "../../../shared/url-host.ts";
import cellWords from "../data/cell-words.json" with { type: "json" };

const NULL_VALUES = new Set(cellWords.nothing.join(", ").split(", "));

/** Whether a cell holds no value: it is blank, a dash, `N/A`, `never` or the like. */
export function isNullValue(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || (trimmed.length <= 20 && NULL_VALUES.has(trimmed.toLowerCase()));
}

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const DOMAIN_LIKE = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+\\.?$)${LABEL}\\.?$`, "u");
const LABEL_LIKE = new RegExp(`^${LABEL}\\.?$`, "u");
const SUFFIX_LABEL = "(?:xn--[a-z\\d-]{2,59}|\\p{L}[\\p{L}\\p{M}]{1,62})";
const SUFFIX_LIKE = new RegExp(`^\\.?(?:${SUFFIX_LABEL}\\.){0,2}${SUFFIX_LABEL}\\.?$`, "iu");

/** A name or a URL with one, as far as it takes to tell columns apart: `parseDomainName` decides. */
export function isDomainLike(text: string): boolean {
  if (!text.includes(".")) return false;
  const name = readUrlHost(text) ?? text.trim();
  return name.length <= 254 && DOMAIN_LIKE.test(name);
}

/** Whether a name looks like a nameserver's, such as ns1.example.com. */
export function isNameserverLike(text: string): boolean {
  return /^(?:p?d?ns|dns)-?\d{1,4}[.-]/i.test(text.trim());
}

/** Whether a trimmed cell looks like one label of a name, such as "example". */
export function isLabelLike(text: string): boolean {
  return text.length <= 64 && LABEL_LIKE.test(text);
}

/** Whether a trimmed cell looks like the suffix of a name: `com`, `.co.uk`, `xn--p1ai`. */
export function isSuffixLike(text: string): boolean {
  return text.length <= 193 && SUFFIX_LIKE.test(text);
}

const MEANINGS: ReadonlyMap<string, boolean> = new Map([
  ...wordsOf(cellWords.on).map((word) => [word, true] as const),
  ...wordsOf(cellWords.off).map((word) => [word, false] as const),
]);

/** Words that mean on or off under one field only. */
const FIELD_WORDS: { readonly [F in FieldOf<"flag">]?: Readonly<Record<string, boolean>> } =
  cellWords.ofField;

const MAX_FLAG_LENGTH = 40;

/** Reads on or off in nine languages; null: no value. Others, such as `pending`, are unreadable. */
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

/** A text without the marks on its letters: "é" becomes "e", and "ド" becomes "ト". */
export function foldMarks(marked: string): string {
  return marked.normalize("NFKD").replace(/\p{M}/gu, "");
}

function fold(text: string): string {
  return foldMarks(text)
    .toLowerCase()
    .replace(/[-_'’.\s]+/g, " ")
    .trim();
}
