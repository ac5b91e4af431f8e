import { foldHeader, type HeaderMeaning } from "./header-patterns.ts";
import { HEADER_RULES, isMarketWord, SECRET_HEADERS } from "./header-vocabulary.ts";

/** Longer cells are sentences of a preamble; so are those of more words. */
const MAX_HEADER_LENGTH = 60;
const MAX_HEADER_WORDS = 7;

/** What a header means, or null where it is unknown. */
export function readHeader(header: string): HeaderMeaning | null {
  const folded = foldHeader(header);
  // A cell with separators in it is a whole row, looked at with the wrong one.
  if (folded === "" || folded.length > MAX_HEADER_LENGTH || /[;\t|]/.test(header)) return null;
  if (isSecret(folded)) return { kind: "secret" };
  if (folded.split(" ").length > MAX_HEADER_WORDS) return null;
  return HEADER_RULES.find(({ test }) => test(folded))?.meaning ?? null;
}

/**
 * Whether a column must never be read: it holds passwords, transfer codes, keys, or the data of
 * registrants and contacts.
 */
export function isSecretHeader(header: string): boolean {
  return isSecret(foldHeader(header));
}

/** Whether a header is one of a place where names are sold. */
export function isMarketHeader(header: string): boolean {
  return isMarketWord(foldHeader(header));
}

function isSecret(folded: string): boolean {
  return SECRET_HEADERS.some((pattern) => pattern.test(folded));
}
