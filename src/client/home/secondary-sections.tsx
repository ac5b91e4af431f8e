import { Link } from "wouter";
import { fieldInWords } from "../../shared/fields.ts";
import type { MonthCost, Summary } from "../../shared/register.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { dayFromToday } from "../ui/expiry-date.tsx";
import { formatDateTime } from "../ui/format.ts";
import { formatAmount } from "../ui/money.ts";

/** Months that the chart shows, this one included. */
const MONTHS = 12;
/** Units of the chart's view box: the width of a month with its gap, the width of a bar, the height. */
const [MONTH_WIDTH, BAR_WIDTH, CHART_HEIGHT] = [10, 7, 40];

/** The less urgent parts of the home screen: counts, renewal costs and recent changes. */
export default function SecondarySections(summary: Summary) {
  const { total, unknown, conflicts, costs, unpriced, changes } = summary;
  return (
    <>
      <div>
        <ul className="home-stats">
          <Stat href="/domains" count={total} label={total === 1 ? "domain" : "domains"} />
          <Stat href="/domains?expires=none" count={unknown} label="with no expiry date" />
          <Stat
            href="/domains?expires=conflict"
            count={conflicts}
            label="with conflicting expiry dates"
          />
        </ul>
        {(costs.length > 0 || unpriced > 0) && <RenewalCosts costs={costs} unpriced={unpriced} />}
      </div>
      {changes.length > 0 && (
        <section>
          <h2>Recent changes</h2>
          <ol className="home-list">
            {changes.map((change) => (
              <RecentChange key={change.items[0]?.id} change={change} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Stat({ href, count, label }: { href: string; count: number; label: string }) {
  return (
    <li>
      <Link href={href}>
        <b>{count.toLocaleString()}</b> {label}
      </Link>
    </li>
  );
}

function RecentChange({ change }: { change: Summary["changes"][number] }) {
  const { at, by, action, items, names } = change;
  const { name = "", fields = [] } = items[0] ?? {};
  const fieldsChanged = fields.map(({ field }) => fieldInWords(field)).join(", ");
  const ascii = toAscii(name);
  return (
    <li>
      <span>
        {action === "deleted" ? name : <Link href={`/domains/${ascii}`}>{name}</Link>}
        <AsciiName name={ascii} unicode={name} />
        <small>
          {names > 1 && `and ${names - 1} more `}
          {(action === "edited" && fieldsChanged) || action} · {by}
        </small>
      </span>
      <time dateTime={at}>{formatDateTime(at)}</time>
    </li>
  );
}

/** The A-label form, which the address of a domain's page uses. */
function toAscii(unicode: string): string {
  return URL.parse(`http://${unicode}`)?.hostname ?? encodeURIComponent(unicode);
}

function RenewalCosts({ costs, unpriced }: Pick<Summary, "costs" | "unpriced">) {
  return (
    <section>
      <h2>Renewals in the next 12 months</h2>
      {[...Map.groupBy(costs, ({ currency }) => currency)].map(([currency, months]) => (
        <CurrencyCosts key={currency} currency={currency} costs={months} />
      ))}
      {unpriced > 0 && (
        <p className="home-note">
          {unpriced.toLocaleString()} {costs.length > 0 && "more "}
          {unpriced === 1 ? "renewal has" : "renewals have"} no price yet.
        </p>
      )}
    </section>
  );
}

function CurrencyCosts({ currency, costs }: { currency: string | null; costs: MonthCost[] }) {
  const byMonth = new Map(costs.map((cost) => [cost.month, cost]));
  const months = nextMonths().map((month) => byMonth.get(month) ?? { month, minor: 0, names: 0 });
  const highest = Math.max(...costs.map(({ minor }) => minor), 1);
  const sum = costs.reduce((total, { minor }) => total + minor, 0);
  return (
    <figure className="home-money">
      <figcaption>
        <b>{formatAmount(sum, currency)}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${MONTHS * MONTH_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {months.map(({ month, minor }, at) => {
          const height = (minor / highest) * CHART_HEIGHT;
          const [x, y] = [at * MONTH_WIDTH, CHART_HEIGHT - height];
          return (
            <rect key={month} x={x} y={y} width={BAR_WIDTH} height={height}>
              <title>{`${month}: ${formatAmount(minor, currency)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="home-months" aria-hidden="true">
        {months.map(({ month }) => (
          <span key={month}>{formatMonth(month, { month: "short" })}</span>
        ))}
      </div>
      <details>
        <summary>Show table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Renewals</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, minor, names }) => (
              <tr key={month}>
                <th scope="row">{formatMonth(month, { month: "long", year: "numeric" })}</th>
                <td>{names.toLocaleString()}</td>
                <td>{formatAmount(minor, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** This month and the eleven after it, as `YYYY-MM`. */
function nextMonths(): string[] {
  const [year = 0, month = 0] = dayFromToday(0).split("-").map(Number);
  return Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(year, month - 1 + at)).toISOString().slice(0, 7),
  );
}

function formatMonth(month: string, format: Intl.DateTimeFormatOptions): string {
  return new Date(`${month}-01`).toLocaleDateString(undefined, { ...format, timeZone: "UTC" });
}
