const CURRENCY = /^[A-Z]{3}$/;

/** Digits after the point that a currency is written with: ISO 4217's, or two where none is known. */
export function digitsOf(currency: string | null): number {
  if (currency === null || !CURRENCY.test(currency)) return 2;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * An amount of the currency's smallest unit as this device writes money; one of no known currency
 * is a number marked as such.
 */
export function amountInWords(minor: number, currency: string | null): string {
  const digits = digitsOf(currency);
  const amount = minor / 10 ** digits;
  if (currency === null || !CURRENCY.test(currency)) {
    return `${amount.toLocaleString(undefined, { minimumFractionDigits: digits })} ¤`;
  }
  return amount.toLocaleString(undefined, { style: "currency", currency });
}
