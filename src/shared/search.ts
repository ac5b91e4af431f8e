import { DECISION_LABELS, type Domain } from "./domain.ts";
import { isHidden, LABEL_FIELDS } from "./fields.ts";
import { FILTERS } from "./filter.ts";

/** Letters that Unicode does not decompose, and what people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ς: "σ",
};

/** Raise it with each change of `foldText`, `sortName` or `searchText`: the next start folds all again. */
export const FOLDING = 2;

/**
 * How searches compare: NFKD without accents (U+0300 to U+036F) and invisible characters, in lower case,
 * `ß` as `ss`, with one blank for all white space. Part of a text folds to part of the folded text.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\p{Default_Ignorable_Code_Point}]+/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþħıς]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, " ");
}

/** What a name is sorted by: as it is shown, folded. The A-labels behind it keep apart what folds alike. */
export function sortName(name: string, unicode: string): string {
  return unicode === name ? name : `${foldText(unicode)} ${name}`;
}

interface Word {
  /** Leaves out the domains that have the word. */
  not: boolean;
  /** Folded, never empty. */
  text: string;
}

/** Reads `acme "two words" -sold`. A quote of any shape opens a phrase at a word’s start, and may stay open. */
export function parseWords(q: string): Word[] {
  const words = new Map<string, Word>();
  for (const [word, minus, phrase] of q.matchAll(/(-?)["“„”]([^"“„”]*)["“”]?|\S+/g)) {
    const not = word.startsWith("-");
    const text = foldText(phrase ?? (not ? word.slice(1) : word)).trim();
    if (text !== "") words.set(`${minus ?? not} ${text}`, { not, text });
  }
  return [...words.values()];
}

/** Separates the texts of a domain. It occurs in no text and in no word. */
const TEXT_END = "\u001e";

/** Comes before the texts that a limited viewer finds nothing by. */
export const HIDDEN_WORDS = TEXT_END + TEXT_END;

/** All that a search finds a domain by, folded, but for the person: accounts are renamed. */
export function searchText(domain: Domain): string {
  const { name, unicode, tags, notes, custom, status, statusMeaning, decision } = domain;
  const labelsOf = (hidden: boolean) =>
    LABEL_FIELDS.filter((field) => isHidden(field) === hidden).map((field) => domain[field]);
  const texts = [
    name,
    unicode,
    ...labelsOf(false),
    ...tags,
    status,
    statusMeaning && FILTERS.status.choices[statusMeaning],
    decision && DECISION_LABELS[decision],
    ...Object.values(custom),
  ];
  const [shown, hidden] = [texts, [...labelsOf(true), notes]].map((each) =>
    [...new Set(each.filter(Boolean))].join(TEXT_END),
  );
  return foldText([shown, hidden].filter(Boolean).join(HIDDEN_WORDS));
}

/** Whether every word is in a folded text, and none that is left out. */
export function matchesWords(words: readonly Word[], folded: string): boolean {
  return words.every(({ not, text }) => folded.includes(text) !== not);
}
