import { unitsOf } from "../../shared/money.ts";
import type { Settings } from "../../shared/settings.ts";
import { addUp } from "../../shared/total.ts";
import { formatAmount, formatShortDay } from "./format.ts";

/** An amount of some domains; `renewing` is the part of `minor` that renews automatically. */
interface Amount {
  currency: string | null;
  minor: number;
  renewing: number;
  names: number;
}

/** Sums by currency, the largest first. */
export function sumByCurrency(amounts: readonly Amount[]): Amount[] {
  const sums = [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, of]) => ({
    currency,
    minor: of.reduce((sum, { minor }) => sum + minor, 0),
    renewing: of.reduce((sum, { renewing }) => sum + renewing, 0),
    names: of.reduce((sum, { names }) => sum + names, 0),
  }));
  return sums.toSorted((one, other) => unitsOf(other) - unitsOf(one));
}

interface Props {
  amounts: readonly Amount[];
  settings: Settings | undefined;
  /** They are renewals to come, some of which are automatic. */
  isComing: boolean;
}

export function ratesInWords({ reference: { on, day } }: Settings): string {
  return on && day !== null
    ? `at the European Central Bank’s rates of ${formatShortDay(day)}`
    : "at your exchange rates";
}

/** The total of each currency, and one of all if exchange rates allow it. */
export function Totals({ amounts, settings, isComing }: Props) {
  const sums = sumByCurrency(amounts);
  const all = settings && sums.length > 1 ? addUp(sums, settings) : null;
  return (
    <ul className="totals">
      {settings && all?.missing.length === 0 && (
        <li>
          <b>{formatAmount(all.minor, all.currency)}</b> in all, {ratesInWords(settings)}
        </li>
      )}
      {sums.map(({ currency, minor, renewing }) => (
        <li key={currency}>
          <b>{formatAmount(minor, currency)}</b>{" "}
          {isComing &&
            (renewing > 0 ? `${formatAmount(renewing, currency)} automatic` : "all by hand")}
        </li>
      ))}
    </ul>
  );
}
