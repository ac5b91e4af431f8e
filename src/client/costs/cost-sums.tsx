import type { CostRow } from "../../shared/costs.ts";
import { addUp, type Settings } from "../../shared/settings.ts";
import { Link } from "wouter";
import { formatMonth } from "../ui/format.ts";
import { formatAmount } from "../ui/money.ts";
import { sumByCurrency, Totals } from "../ui/totals.tsx";

/** Units of the chart's view box: a period with its gap, its bar, and the height. */
const [PERIOD_WIDTH, BAR_WIDTH, CHART_HEIGHT] = [10, 7, 40];

/** A period in words: `Nov 2026` or `2027`. */
export function formatPeriod(
  period: string,
  style: "mediumMonth" | "shortMonth" = "mediumMonth",
): string {
  return period.length > 4 ? formatMonth(period, style) : period;
}

interface Props {
  totals: readonly CostRow[];
  settings: Settings;
}

/** The totals, and what is missing for one of all. */
export function CostSums({ totals, settings }: Props) {
  const sums = sumByCurrency(totals);
  const all = addUp(sums, settings);
  const missing = all?.missing.map((currency) => currency ?? "prices without a currency") ?? [];
  return (
    <div>
      <Totals amounts={totals} settings={settings} />
      {sums.length > 1 && (all === null || missing.length > 0) && (
        <p className="note">
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
    <figure className="stack costs-chart">
      <figcaption className="note">
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
