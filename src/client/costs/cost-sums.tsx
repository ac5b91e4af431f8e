import type { CostRow } from "../../shared/costs.ts";
import { addUp, type Settings } from "../../shared/settings.ts";
import { Link } from "wouter";
import { formatMonth } from "../ui/format.ts";
import { formatAmount } from "../ui/money.ts";

/** Units of the chart's view box: a period with its gap, its bar, and the height. */
const [PERIOD_WIDTH, BAR_WIDTH, CHART_HEIGHT] = [10, 7, 40];

/** A period in words: `Nov 2026` or `2027`. */
export function formatPeriod(
  period: string,
  style: "mediumMonth" | "shortMonth" = "mediumMonth",
): string {
  return period.length > 4 ? formatMonth(period, style) : period;
}

/** Sums by currency, the one with most names first. */
export function sumByCurrency(rows: readonly CostRow[]) {
  const sums = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, of]) => ({
    currency,
    minor: of.reduce((sum, { minor }) => sum + minor, 0),
    renewing: of.reduce((sum, { renewing }) => sum + renewing, 0),
    names: of.reduce((sum, { names }) => sum + names, 0),
  }));
  return sums.toSorted((one, other) => other.names - one.names);
}

interface Props {
  totals: readonly CostRow[];
  settings: Settings;
}

/** The total of each currency, and one of all where exchange rates allow it. */
export function CostSums({ totals, settings }: Props) {
  const sums = sumByCurrency(totals);
  const all = sums.length > 1 ? addUp(sums, settings) : null;
  const missing = all?.missing.map((currency) => currency ?? "prices without a currency") ?? [];
  return (
    <div>
      <ul className="costs-sums">
        {all && missing.length === 0 && (
          <li>
            <b>{formatAmount(all.minor, all.currency)}</b> in all, at your exchange rates
          </li>
        )}
        {sums.map(({ currency, minor, renewing }) => (
          <li key={currency}>
            <b>{formatAmount(minor, currency)}</b>
            {renewing > 0 && `, of which ${formatAmount(renewing, currency)} renews automatically`}
          </li>
        ))}
      </ul>
      {sums.length > 1 && (all === null || missing.length > 0) && (
        <p className="costs-note">
          For one total, <Link href="/settings">set exchange rates</Link>
          {missing.length > 0 && ` for ${missing.join(", ")}`}.
        </p>
      )}
    </div>
  );
}

/** One bar for each period: all currencies as one where exchange rates allow it, else the first. */
export function CostChart({ totals, settings, periods }: Props & { periods: readonly string[] }) {
  const sums = sumByCurrency(totals);
  const terms =
    addUp(sums, settings)?.missing.length === 0
      ? settings
      : { currency: sums[0]?.currency ?? null, rates: {} };
  const bars = periods.map((period) => {
    const ofPeriod = totals.filter((row) => row.period === period);
    return { period, minor: addUp(ofPeriod, terms)?.minor ?? 0 };
  });
  const highest = Math.max(...bars.map(({ minor }) => minor), 1);
  if (terms.currency === null) return null;
  return (
    <figure className="costs-chart">
      <figcaption>
        {terms.currency} by {periods[0]?.length === 4 ? "year" : "month"}, up to{" "}
        {formatAmount(highest, terms.currency)}
      </figcaption>
      <svg
        viewBox={`0 0 ${periods.length * PERIOD_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map(({ period, minor }, at) => {
          const height = (minor / highest) * CHART_HEIGHT;
          const [x, y] = [at * PERIOD_WIDTH, CHART_HEIGHT - height];
          return (
            <rect key={period} x={x} y={y} width={BAR_WIDTH} height={height}>
              <title>{`${formatPeriod(period)}: ${formatAmount(minor, terms.currency)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="costs-periods" aria-hidden="true">
        {periods.map((period) => (
          <span key={period}>{formatPeriod(period, "shortMonth")}</span>
        ))}
      </div>
    </figure>
  );
}
