import type { ImportField } from "../../../shared/fields.ts";

/** Longer headers are looked at to here: combining marks make normalisation quadratic. */
const MAX_HEADER_LENGTH = 300;

/** A text without the marks on its letters: "é" becomes "e", and "ド" becomes "ト". */
export function foldMarks(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "");
}

/**
 * A header in the form in which words are looked up: no diacritics, lower case, camelCase and
 * punctuation as single spaces. "Date d’échéance" becomes "date d echeance", "renewalDate" "renewal date".
 */
export function foldHeader(header: string): string {
  return foldMarks(header.slice(0, MAX_HEADER_LENGTH))
    .replaceAll("ß", "ss")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();
}

/** Tests a header that `foldHeader` has folded. */
export type HeaderTest = (folded: string) => boolean;

/** One of the words is in the header. Blanks separate them; `_` joins a phrase, `*` is any ending. */
export function has(words: string): HeaderTest {
  const alternatives = foldMarks(words).trim().replaceAll("*", "\\S*").split(/\s+/).join("|");
  const pattern = new RegExp(`(?:^| )(?:${alternatives.replaceAll("_", " ")})(?: |$)`);
  return (folded) => pattern.test(folded);
}

/** The header is one of the phrases, which commas separate; a leading "domain" or "my" is dropped. */
export function is(phrases: string): HeaderTest {
  const words = foldMarks(phrases).split(",");
  const known = new Set(words.map((phrase) => phrase.trim().replace(/\s+/g, " ")));
  return (folded) => known.has(folded) || known.has(folded.replace(/^(?:domain|my|your) /, ""));
}

export function all(...tests: readonly HeaderTest[]): HeaderTest {
  return (folded) => tests.every((test) => test(folded));
}

export function any(...tests: readonly HeaderTest[]): HeaderTest {
  return (folded) => tests.some((test) => test(folded));
}

/**
 * What a header tells about its column. A field with high confidence is named; with low confidence
 * it is meant only where no column is more certain and the values agree. A `spelling` is the name in
 * another form (Unicode, punycode). `unused` columns are understood but hold nothing for the register.
 */
export type HeaderMeaning =
  | { kind: "field"; field: ImportField; confidence: "high" | "low" }
  | { kind: "spelling" }
  | { kind: "unused" }
  | { kind: "secret" };

export interface HeaderRule {
  meaning: HeaderMeaning;
  test: HeaderTest;
}

export function high(field: ImportField, test: HeaderTest): HeaderRule {
  return { meaning: { kind: "field", field, confidence: "high" }, test };
}

export function low(field: ImportField, test: HeaderTest): HeaderRule {
  return { meaning: { kind: "field", field, confidence: "low" }, test };
}

export function unused(test: HeaderTest): HeaderRule {
  return { meaning: { kind: "unused" }, test };
}

export function spelling(test: HeaderTest): HeaderRule {
  return { meaning: { kind: "spelling" }, test };
}
