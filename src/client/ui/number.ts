import { memoize } from "../../shared/memoize.ts";
import { getPreferences } from "./preferences.ts";

/** Kept by locale, currency and digits: creating a format takes far longer than using it. */
const numberFormat = memoize((key) => {
  const [locale, currency, digits] = key.split(" ");
  return new Intl.NumberFormat(locale || undefined, {
    ...(currency && { style: "currency", currency }),
    ...(digits && { minimumFractionDigits: Number(digits) }),
  });
});

/**
 * Formats a number by the person's choice of format: `4,000`. With a currency (ISO 4217) it is an
 * amount of that; `digits` is the least number of decimals.
 */
export function formatNumber(
  value: number,
  { currency = "", digits }: { currency?: string; digits?: number } = {},
): string {
  const { numbers } = getPreferences();
  const locale = numbers === "browser" ? "" : numbers;
  return numberFormat(`${locale} ${currency} ${digits ?? ""}`).format(value);
}
