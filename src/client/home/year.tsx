import { Link } from "wouter";
import { firstOfMonth } from "../../shared/day.ts";
import type { Summary } from "../../shared/register.ts";
import { addUp, type Settings } from "../../shared/settings.ts";
import { formatDomainCount, formatMonth } from "../ui/format.ts";
import { formatAmount } from "../ui/money.ts";
import { formatNumber } from "../ui/number.ts";
import "./year.css";

/** Months that are shown, this one included. */
const MONTHS = 12;
/** Units of a bar's view box. */
const BAR_HEIGHT = 100;

interface Amount {
  currency: string | null;
  minor: number;
}

/** What expires in one month. */
interface Month {
  month: string;
  names: number;
  renewing: number;
  costs: Amount[];
  href: string;
}

/** The expiries of the next 12 months, each month a link to its domains, and what they cost. */
export function Year({ summary, settings }: { summary: Summary; settings: Settings | undefined }) {
  const { today, expiries, costs, unpriced } = summary;
  const months = Array.from({ length: MONTHS }, (_, at): Month => {
    const first = firstOfMonth(today, at);
    const month = first.slice(0, 7);
    const { names = 0, renewing = 0 } = expiries.find((each) => each.month === month) ?? {};
    const href = `/domains?expiresFrom=${first}&expiresBefore=${firstOfMonth(today, at + 1)}`;
    return { month, names, renewing, href, costs: costs.filter((cost) => cost.month === month) };
  });
  const highest = Math.max(...months.map(({ names }) => names), 1);
  const renewing = months.reduce((sum, month) => sum + month.renewing, 0);
  const names = months.reduce((sum, month) => sum + month.names, 0);
  const unpricedQuery = new URLSearchParams({
    price: "none",
    decision: "!drop",
    expiresFrom: firstOfMonth(today),
    expiresBefore: firstOfMonth(today, MONTHS),
  });
  return (
    <section className="home-year">
      <h2>Next 12 months</h2>
      <p>
        {formatDomainCount(names)} expire: <mark className="renewing" /> {formatNumber(renewing)}{" "}
        renew by themselves, <mark /> {formatNumber(names - renewing)} don’t.
      </p>
      <ol className="home-months">
        {months.map((month) => (
          <li key={month.month}>
            <Bar {...month} highest={highest} />
          </li>
        ))}
      </ol>
      <Sums summary={summary} settings={settings} />
      {unpriced > 0 && (
        <p>
          {formatNumber(unpriced)} {unpriced === 1 ? "renewal has" : "renewals have"} no price yet.{" "}
          <Link href={`/domains?${unpricedQuery}`}>Add prices</Link>
        </p>
      )}
      <details>
        <summary>Show table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Domains</th>
              <th scope="col">Renew by themselves</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month.month}>
                <th scope="row">{formatMonth(month.month)}</th>
                <td>{formatNumber(month.names)}</td>
                <td>{formatNumber(month.renewing)}</td>
                <td>{formatCosts(month.costs) || "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

/** The domains of a month as a bar, from the ground up those that renew by themselves. */
function Bar({ month, names, renewing, costs, href, highest }: Month & { highest: number }) {
  const height = (names / highest) * BAR_HEIGHT;
  const part = (renewing / highest) * BAR_HEIGHT;
  const content = (
    <>
      <span>{names > 0 && formatNumber(names)}</span>
      <svg viewBox={`0 0 1 ${BAR_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect y={BAR_HEIGHT - height} width="1" height={height - part} />
        <rect className="renewing" y={BAR_HEIGHT - part} width="1" height={part} />
      </svg>
      <small>{formatMonth(month, "shortMonth")}</small>
    </>
  );
  if (names === 0) return <span>{content}</span>;
  const cost = formatCosts(costs);
  const title = `${formatMonth(month)}: ${formatDomainCount(names)}, ${formatNumber(renewing)} renew by themselves${cost && `, ${cost}`}`;
  return (
    <Link href={href} aria-label={title} title={title}>
      {content}
    </Link>
  );
}

/** A total for each currency, and one in the owner's currency where exchange rates allow it. */
function Sums({ summary, settings }: { summary: Summary; settings: Settings | undefined }) {
  const sums = [...Map.groupBy(summary.costs, ({ currency }) => currency)].map(
    ([currency, costs]) => ({
      currency,
      minor: costs.reduce((sum, { minor }) => sum + minor, 0),
      renewing: costs.reduce((sum, { renewing }) => sum + renewing, 0),
    }),
  );
  const all = settings && sums.length > 1 ? addUp(sums, settings) : null;
  return (
    <ul className="home-sums">
      {all && all.missing.length === 0 && (
        <li>
          <b>{formatAmount(all.minor, all.currency)}</b> in all, at your exchange rates
        </li>
      )}
      {sums.map(({ currency, minor, renewing }) => (
        <li key={currency}>
          <b>{formatAmount(minor, currency)}</b>{" "}
          {renewing > 0 && <>of this, {formatAmount(renewing, currency)} renews by itself</>}
        </li>
      ))}
    </ul>
  );
}

function formatCosts(costs: readonly Amount[]): string {
  return costs.map(({ minor, currency }) => formatAmount(minor, currency)).join(" + ");
}
