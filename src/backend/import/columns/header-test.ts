import { foldMarks } from "./header-text.ts";

/** Whether a folded header, see `foldHeader`, is of some kind. */
export type HeaderTest = (folded: string) => boolean;

/** One of the words stands in the header. They are separated by blanks; `*` is any ending. */
export function has(words: string): HeaderTest {
  const pattern = new RegExp(
    `(?:^| )(?:${foldMarks(words).trim().split(/\s+/).map(toPattern).join("|")})(?: |$)`,
  );
  return (folded) => pattern.test(folded);
}

/** The header is one of the phrases, which commas separate; a leading "domain" or "my" is dropped. */
export function is(phrases: string): HeaderTest {
  const known = new Set(
    foldMarks(phrases)
      .split(",")
      .map((phrase) => phrase.trim().replace(/\s+/g, " ")),
  );
  return (folded) => known.has(folded) || known.has(folded.replace(/^(?:domain|my|your) /, ""));
}

/** Every one of the tests holds. */
export function all(...tests: readonly HeaderTest[]): HeaderTest {
  return (folded) => tests.every((test) => test(folded));
}

/** Any one of the tests holds. */
export function any(...tests: readonly HeaderTest[]): HeaderTest {
  return (folded) => tests.some((test) => test(folded));
}

/** `_` joins the words of a phrase, `*` is any ending. */
function toPattern(word: string): string {
  return word.replaceAll("_", " ").replaceAll("*", "\\S*");
}
