import { currencyDigits } from "./money.ts";
import type { Settings } from "./settings.ts";

export type Rates = Pick<Settings, "currency" | "rates"> & Partial<Pick<Settings, "reference">>;

/** Amounts of several currencies as one, where the owner's rates allow it. */
interface Total {
  /** In the smallest unit of the settings' currency. */
  minor: number;
  currency: string;
  /** Currencies without a rate, whose amounts are not in the total; null for amounts without one. */
  missing: (string | null)[];
}

/** The owner's rates; for other currencies, the reference rates. */
export function ratesOf({ rates, reference }: Omit<Rates, "currency">): Settings["rates"] {
  return { ...reference?.rates, ...rates };
}

/** Adds up amounts in the register's currency; null where the settings name none. */
export function addUp(
  amounts: readonly { minor: number; currency: string | null }[],
  { currency, ...rates }: Rates,
): Total | null {
  if (currency === null) return null;
  const digits = currencyDigits(currency);
  let minor = 0;
  const known = ratesOf(rates);
  const missing = new Set<string | null>();
  for (const amount of amounts) {
    const rate = amount.currency === currency ? 1 : known[amount.currency ?? ""];
    if (rate === undefined) missing.add(amount.currency);
    else minor += amount.minor * rate * 10 ** (digits - currencyDigits(amount.currency));
  }
  return { minor: Math.round(minor), currency, missing: [...missing] };
}
