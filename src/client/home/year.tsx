import { Link } from "wouter";
import { type Day, firstOfMonth } from "../../shared/day.ts";
import type { MonthExpiries, Summary } from "../../shared/register.ts";
import { RequireRole } from "../session/gate.tsx";
import { formatDomainCount, formatMonth, formatNumber, formatAmount } from "../ui/format.ts";
import { Totals } from "../ui/totals.tsx";
import { listLink } from "./list-link.ts";
import "./year.css";

/** Units of a bar's view box. */
const BAR_HEIGHT = 100;

interface Month extends MonthExpiries {
  cost: string;
  href: string;
}

/** The expiries of the next 12 months, each month a link to its domains, and what they cost. */
export function Year({ summary }: { summary: Summary }) {
  const { today, expiries, dropping, costs, unpriced, settings } = summary;
  const link = (from: Day, before: Day, more = {}) =>
    listLink(summary, {
      ...more,
      decision: "!drop",
      sold: "false",
      expiresFrom: from < today ? today : from,
      expiresBefore: before,
    });
  const months = expiries.map(({ month, ...counts }): Month => {
    const first = `${month}-01`;
    const amounts = costs.filter((cost) => cost.month === month);
    const cost = amounts.map(({ minor, currency }) => formatAmount(minor, currency)).join(" + ");
    return { month, ...counts, cost, href: link(first, firstOfMonth(first, 1)) };
  });
  const highest = Math.max(...expiries.map(({ names }) => names), 1);
  const names = expiries.reduce((sum, month) => sum + month.names, 0);
  const renewing = expiries.reduce((sum, month) => sum + month.renewing, 0);
  const unpricedLink = link(today, firstOfMonth(today, expiries.length), { price: "none" });
  if (names === 0) return null;
  return (
    <section className="home-year">
      <h2>Next 12 months</h2>
      <p>
        {formatNumber(names)} {names === 1 ? "renewal" : "renewals"} due:{" "}
        <span className="renewing">
          {renewing === 0 ? "none" : formatNumber(renewing)} automatic
        </span>
        {dropping > 0 && `, without the ${formatNumber(dropping)} to drop`}.
      </p>
      <ol className="home-months">
        {months.map((month) => (
          <li key={month.month}>
            <Bar {...month} highest={highest} />
          </li>
        ))}
      </ol>
      <Totals amounts={costs} settings={settings} />
      {unpriced > 0 && (
        <p>
          {formatNumber(unpriced)} {unpriced === 1 ? "renewal has" : "renewals have"} no price yet.{" "}
          <RequireRole least="editor">
            <Link href={unpricedLink}>Add prices</Link>
          </RequireRole>
        </p>
      )}
    </section>
  );
}

/** The domains of a month as a bar; those that renew automatically are at the bottom. */
function Bar({ month, names, renewing, cost, href, highest }: Month & { highest: number }) {
  const height = (names / highest) * BAR_HEIGHT;
  const part = (renewing / highest) * BAR_HEIGHT;
  // A bar is as wide as three digits.
  const short =
    names < 1000 ? formatNumber(names) : `${formatNumber(Math.round(names / 100) / 10)}k`;
  const bar = (
    <>
      <span aria-hidden="true">{names > 0 && short}</span>
      <svg viewBox={`0 0 1 ${BAR_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <rect y={BAR_HEIGHT - height} width="1" height={height - part} />
        <rect className="renewing" y={BAR_HEIGHT - part} width="1" height={part} />
      </svg>
      <small aria-hidden="true">{formatMonth(month, "shortMonth")}</small>
    </>
  );
  if (names === 0) return <span>{bar}</span>;
  const count = `${formatMonth(month)}: ${formatDomainCount(names)}`;
  const title = `${count}, ${formatNumber(renewing)} renewing automatically${cost && `, ${cost}`}`;
  return (
    <Link href={href} title={title}>
      {bar}
      <b className="unseen">{title}</b>
    </Link>
  );
}
