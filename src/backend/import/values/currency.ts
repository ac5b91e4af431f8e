import cellWords from "../data/cell-words.json" with { type: "json" };

/** Signs that mean one currency. `$`, `kr` and the like mean several, and none is chosen. */
const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries(cellWords.signs));

/** Signs of several currencies: they tell that this is money, but not which. */
const SHARED: ReadonlySet<string> = new Set(cellWords.sharedSigns);

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** The mark beside an amount: a currency, a sign that several share, or null for an unknown one. */
export type CurrencyMark = { code: string } | { shared: string } | null;

/**
 * Reads a sign or an ISO 4217 code. `¥` is the yen for a whole amount and the yuan for one with
 * decimals, because the yen has none.
 */
export function parseCurrency(text: string, hasDecimals = false): CurrencyMark {
  const mark = text.normalize("NFKC").trim().toLowerCase();
  const code = mark.toUpperCase();
  if (CODES.has(code)) return { code };
  if (mark === "¥") return { code: hasDecimals ? "CNY" : "JPY" };
  const known = SIGNS.get(mark);
  if (known !== undefined) return { code: known };
  return SHARED.has(mark) ? { shared: mark } : null;
}

/** Longer headers are looked at to here: normalisation is not linear. */
const MAX_HEADER_LENGTH = 300;

/** The currency that a header names, as in `Price (EUR)` or `Renewal €`, or null. */
export function currencyOfHeader(header: string): string | null {
  for (const word of header.slice(0, MAX_HEADER_LENGTH).split(/[^\p{L}\p{Sc}]+/u)) {
    // Only capitals: in a header "all" and "try" are words before they are currencies.
    if (/\p{Lu}{3}/u.test(word) && CODES.has(word)) return word;
    const mark = /\p{Sc}|[^\p{ASCII}]/u.test(word) ? parseCurrency(word) : null;
    if (mark !== null && "code" in mark) return mark.code;
  }
  return null;
}
