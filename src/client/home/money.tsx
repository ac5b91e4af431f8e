import type { MonthCost } from "../../shared/register-contract.ts";
import { dayFromToday } from "../ui/expiry-date.tsx";
import { formatAmount } from "../ui/money.ts";

const MONTHS = 12;
/** Units of the drawing: a month is as wide as a bar and the gap behind it. */
const [STEP, BAR, HEIGHT] = [10, 7, 40];

/** What renewals cost in the next 12 months: a bar per month in each currency, and a table. */
export function Money({ costs, unpriced }: { costs: readonly MonthCost[]; unpriced: number }) {
  if (costs.length === 0 && unpriced === 0) return null;
  return (
    <section>
      <h2>Renewals in the next 12 months</h2>
      {[...Map.groupBy(costs, ({ currency }) => currency)].map(([currency, months]) => (
        <Currency key={currency} currency={currency} costs={months} />
      ))}
      {unpriced > 0 && (
        <p className="home-note">
          {unpriced.toLocaleString()} {unpriced === 1 ? "name expires" : "names expire"} in these
          months at a price that nobody knows.
        </p>
      )}
    </section>
  );
}

function Currency({ currency, costs }: { currency: string | null; costs: MonthCost[] }) {
  const byMonth = new Map(costs.map((cost) => [cost.month, cost]));
  const months = nextMonths().map((month) => ({ month, cost: byMonth.get(month) }));
  const most = Math.max(...costs.map(({ minor }) => minor), 1);
  const sum = costs.reduce((total, { minor }) => total + minor, 0);
  return (
    <figure className="home-money">
      <figcaption>
        <b>{formatAmount(sum, currency)}</b> {currency}
      </figcaption>
      <svg viewBox={`0 0 ${MONTHS * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {months.map(({ month, cost }, at) => {
          const height = ((cost?.minor ?? 0) / most) * HEIGHT;
          return (
            <rect key={month} x={at * STEP} y={HEIGHT - height} width={BAR} height={height}>
              <title>{`${month}: ${formatAmount(cost?.minor ?? 0, currency)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="home-months" aria-hidden="true">
        {months.map(({ month }) => (
          <span key={month}>{monthInWords(month, { month: "short" })}</span>
        ))}
      </div>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Renewals</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, cost }) => (
              <tr key={month}>
                <th scope="row">{monthInWords(month, { month: "long", year: "numeric" })}</th>
                <td>{(cost?.names ?? 0).toLocaleString()}</td>
                <td>{formatAmount(cost?.minor ?? 0, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** This month and the eleven after, as `YYYY-MM`. */
function nextMonths(): string[] {
  const [year = 0, month = 0] = dayFromToday(0).split("-").map(Number);
  return Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(year, month - 1 + at)).toISOString().slice(0, 7),
  );
}

function monthInWords(month: string, format: Intl.DateTimeFormatOptions): string {
  return new Date(`${month}-01`).toLocaleDateString(undefined, { ...format, timeZone: "UTC" });
}
