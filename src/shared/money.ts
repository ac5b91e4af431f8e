import * as p from "./parse.ts";

export const MAX_YEARS = 100;

const CURRENCY = /^[A-Z]{3}$/;

/**
 * Currencies whose decimals are not two (ISO 4217), by that number. Stored amounts depend on it, so `Intl`
 * will not do: browsers and Bun disagree about twenty currencies, such as HUF.
 */
export const OTHER_DIGITS: Readonly<Record<number, string>> = {
  0: "BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF",
};

/** Decimal digits of a currency's smallest unit (ISO 4217): 0 for JPY, 3 for KWD; 2 if it is unknown. */
export function currencyDigits(currency: string | null): number {
  return [0, 3, 4].find((digits) => OTHER_DIGITS[digits]?.includes(currency || "none")) ?? 2;
}

/** An amount in units of its currency, such as 12.5 for 1250 cents. */
export function unitsOf({ minor, currency }: { minor: number; currency: string | null }): number {
  return minor / 10 ** currencyDigits(currency);
}

/** Whether a text has the form of an ISO 4217 code; which of them exist today is not checked. */
export function isCurrencyCode(text: string): boolean {
  return CURRENCY.test(text);
}

/** Reads an ISO 4217 code; whether the currency exists today is not checked. @throws {ParseError} */
export const parseCurrency = p.textLike(CURRENCY, "currency", "an ISO 4217 code such as EUR");
