const CURRENCY = /^[A-Z]{3}$/;

const digitsByCurrency = new Map<string, number>();

/**
 * Decimal digits of a currency's smallest unit (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD; 2 where
 * the currency is unknown.
 */
export function currencyDigits(currency: string | null): number {
  if (currency === null || !CURRENCY.test(currency)) return 2;
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    const format = new Intl.NumberFormat("en", { style: "currency", currency });
    digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/** Whether a text has the form of an ISO 4217 code; which of them exist today is not checked. */
export function isCurrencyCode(text: string): boolean {
  return CURRENCY.test(text);
}
