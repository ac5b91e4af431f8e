/**
 * Cells that a spreadsheet would run as a formula, or that our own guard has made harmless: an
 * equals, plus, minus or at sign (also full-width) at the start or after blanks, or a tab or line
 * break in front.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/**
 * Makes a cell harmless to spreadsheets by an apostrophe in front. A cell that already looks so is
 * given one too, so that `revealCell` gives back exactly what went in.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes `guardCell`. */
export function revealCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
