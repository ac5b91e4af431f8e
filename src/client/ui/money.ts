import type { Money } from "../../shared/domain.ts";
import { currencyDigits } from "../../shared/money.ts";

/** Formats a price for a text box: digits and a decimal point. */
export function formatPrice({ minor, currency }: Money): string {
  const digits = currencyDigits(currency);
  return (minor / 10 ** digits).toFixed(digits);
}

/**
 * Parses a typed price such as `12`, `12.5` or `12,50` into the smallest unit; null for other text,
 * and for more decimals than the currency has.
 */
export function parsePrice(text: string, currency: string | null): number | null {
  const [, whole, part = ""] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  const digits = currencyDigits(currency);
  if (whole === undefined || part.length > digits) return null;
  return Number(whole + part.padEnd(digits, "0"));
}
