import type { Renewal } from "../../shared/contract.ts";
import { currencyDigits, isCurrencyCode } from "../../shared/money.ts";

/**
 * An amount of the currency's smallest unit as this device writes money; one of no known currency
 * is a number marked as such.
 */
export function amountInWords(minor: number, currency: string | null): string {
  const digits = currencyDigits(currency);
  const amount = minor / 10 ** digits;
  if (currency === null || !isCurrencyCode(currency)) {
    return `${amount.toLocaleString(undefined, { minimumFractionDigits: digits })} ¤`;
  }
  return amount.toLocaleString(undefined, { style: "currency", currency });
}

/** A price as this device writes money, with the years that it is for where that is not one. */
export function moneyInWords({ minor, currency, years }: Renewal): string {
  const period = years === null || years === 1 ? "" : ` for ${years} years`;
  return amountInWords(minor, currency) + period;
}

/** A price as it is typed: digits and a point, without a currency. */
export function moneyToText({ minor, currency }: Renewal): string {
  const digits = currencyDigits(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/**
 * Reads a typed price such as `12`, `12.5` or `12,50` into the smallest unit of its currency; null
 * where it is none, or finer than the currency is.
 */
export function parseMoney(text: string, currency: string | null): number | null {
  const [, whole, part = ""] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  const digits = currencyDigits(currency);
  if (whole === undefined || part.length > digits) return null;
  return Number(whole + part.padEnd(digits, "0"));
}
