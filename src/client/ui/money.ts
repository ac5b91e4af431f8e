import type { Money, Renewal } from "../../shared/domain.ts";
import { currencyDigits, isCurrencyCode } from "../../shared/money.ts";
import { formatNumber } from "./number.ts";

/** Formats an amount for people. `minor` counts the currency's smallest unit. */
export function formatAmount(minor: number, currency: string | null): string {
  return formatRenewal({ minor, currency, years: null });
}

/** Formats a renewal price for people; a period other than one year is named. */
export function formatRenewal(renewal: Renewal): string {
  const { amount, period, missing } = formatRenewalParts(renewal);
  return amount + (period && ` ${period}`) + (missing && ` (${missing})`);
}

/** The parts of a renewal price, to put on lines of their own; empty where they do not apply. */
export function formatRenewalParts({ minor, currency, years }: Renewal) {
  const digits = currencyDigits(currency);
  const number = minor / 10 ** digits;
  const known = currency !== null && isCurrencyCode(currency);
  return {
    amount: formatNumber(number, known ? { currency } : { digits }),
    period: years === null || years === 1 ? "" : `for ${years} years`,
    missing: known ? "" : "no currency",
  };
}

/** Formats a price for a text box: digits and a decimal point, without the currency. */
export function formatPrice({ minor, currency }: Money): string {
  const digits = currencyDigits(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/**
 * Parses a typed price such as `12`, `12.5` or `12,50` into the currency's smallest unit. Returns
 * null for any other text, and for more decimals than the currency has.
 */
export function parsePrice(text: string, currency: string | null): number | null {
  const [, whole, part = ""] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  const digits = currencyDigits(currency);
  if (whole === undefined || part.length > digits) return null;
  return Number(whole + part.padEnd(digits, "0"));
}
