/**
 * What a text of another host becomes before anything here looks at it: control characters but tab and
 * line feeds, the NUL that Postgres does not store above all, and halves of surrogate pairs become
 * U+FFFD. Every reader of bytes calls it where they become text, and once more where a notation such as
 * JSON can spell such characters with others.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROL, "\uFFFD");
}

const CONTROL = /[^\P{Cc}\t\n\r]/gu;
