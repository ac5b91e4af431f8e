import type { Renewal } from "../contract.ts";
import { amountInWords, digitsOf } from "../ui/money.ts";

/** A price as this device writes money, with the years that it is for where that is not one. */
export function moneyInWords({ minor, currency, years }: Renewal): string {
  const period = years === null || years === 1 ? "" : ` for ${years} years`;
  return amountInWords(minor, currency) + period;
}

/** A price as it is typed: digits and a point, without a currency. */
export function moneyToText({ minor, currency }: Renewal): string {
  const digits = digitsOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/**
 * Reads a typed price such as `12`, `12.5` or `12,50` into the smallest unit of its currency; null
 * where it is none, or finer than the currency is.
 */
export function parseMoney(text: string, currency: string | null): number | null {
  const [, whole, part = ""] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  const digits = digitsOf(currency);
  if (whole === undefined || part.length > digits) return null;
  return Number(whole + part.padEnd(digits, "0"));
}
