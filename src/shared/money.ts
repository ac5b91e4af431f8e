import { memoize } from "./memoize.ts";
import * as p from "./parse.ts";

export const MAX_YEARS = 100;

const CURRENCY = /^[A-Z]{3}$/;

const digitsOf = memoize((currency) => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
});

/** Decimal digits of a currency's smallest unit (ISO 4217): 0 for JPY, 3 for KWD; 2 if it is unknown. */
export function currencyDigits(currency: string | null): number {
  return currency !== null && CURRENCY.test(currency) ? digitsOf(currency) : 2;
}

/** Whether a text has the form of an ISO 4217 code; which of them exist today is not checked. */
export function isCurrencyCode(text: string): boolean {
  return CURRENCY.test(text);
}

/** Reads an ISO 4217 code; whether the currency exists today is not checked. @throws {ParseError} */
export const parseCurrency = p.described(
  (value) => (typeof value === "string" && CURRENCY.test(value) ? value : refuseCurrency(value)),
  () => ({ type: "string", pattern: CURRENCY.source }),
);

/** @throws {ParseError} Always. */
export function refuseCurrency(value: unknown): never {
  return p.refuse("currency", p.expected("an ISO 4217 code such as EUR", value));
}
