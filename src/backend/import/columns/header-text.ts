/** A text without the marks on its letters: "é" is "e", and "ド" is "ト". */
export function foldMarks(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "");
}

/**
 * A header in the form that words are looked up in: no diacritics, lower case, camelCase and
 * punctuation as single spaces. "Date d’échéance" is "date d echeance", "autoRenew" "auto renew".
 */
export function foldHeader(header: string): string {
  return foldMarks(header)
    .replaceAll("ß", "ss")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim();
}

/** A header as a layout's table spells it: trimmed and lower case, nothing else. */
export function plainHeader(header: string): string {
  return header.trim().toLowerCase();
}
