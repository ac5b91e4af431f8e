import type { ReactNode } from "react";
import { Link } from "wouter";
import { type Day, firstOfMonth } from "../../shared/day.ts";
import type { MonthExpiries, Summary } from "../../shared/register.ts";
import { ChangeEntry } from "../register/change-entry.tsx";
import { listPath } from "../screens.ts";
import { RequireRole } from "../session/gate.tsx";
import {
  dayLanguage,
  formatAmount,
  formatCount,
  formatDomainCount,
  formatMonth,
  formatNumber,
  formatRenewal,
  formatShortDay,
  formatTimeOrDay,
} from "../ui/format.ts";
import { Totals } from "../ui/totals.tsx";

/** The whole register: the next 12 months, what renews by itself next, and recent changes. */
export default function Board(props: { summary: Summary; renewing: string }) {
  const { summary, renewing: path } = props;
  const { changes, renewing } = summary;
  return (
    <div className="stack under">
      <Year summary={summary} />
      {renewing.names > 0 && (
        <section className="renewing">
          <Head heading="Renewing by themselves">
            <Link href={path}>All {formatNumber(renewing.names)}</Link>
          </Head>
          <ol className="entries" aria-label="Renewing by themselves">
            {renewing.items.map(({ id, name, unicode, registrar, expires, ...prices }) => {
              const price = prices.renewal ?? prices.listPrice;
              return (
                <li key={id}>
                  <Link href={`/domains/${name}`}>
                    <bdi>{unicode}</bdi>
                  </Link>
                  <span className="meta">
                    {registrar && <span>{registrar}</span>}
                    {price && <span>{formatRenewal(price)}</span>}
                  </span>
                  <time lang={dayLanguage()}>{expires && formatShortDay(expires.date)}</time>
                </li>
              );
            })}
          </ol>
        </section>
      )}
      {changes.length > 0 && (
        <section>
          <Head heading="Recent changes">
            <Link href="/changes">All changes</Link>
          </Head>
          <ol className="entries" aria-label="Recent changes">
            {changes.map((change) => (
              <ChangeEntry
                key={change.changes[0]}
                change={change}
                time={formatTimeOrDay(change.at)}
              />
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Head({ heading, children }: { heading: string; children?: ReactNode }) {
  return (
    <div className="row work-head">
      <h2>{heading}</h2>
      {children}
    </div>
  );
}

/** The expiries of the next 12 months, each month a link to its domains, and what they cost. */
function Year({ summary }: { summary: Summary }) {
  const { today, expiries, costs, unpriced, settings, next } = summary;
  const link = (from: Day, expiresBefore: Day, more = {}) => {
    const expiresFrom = from < today ? today : from;
    const filter = { ...more, decision: "!drop", sold: "false", expiresFrom, expiresBefore };
    return listPath(filter, summary.person);
  };
  const sum = (figure: "names" | "renewing" | "dropping") =>
    expiries.reduce((all, month) => all + month[figure], 0);
  const [names, renewing, dropping] = [sum("names"), sum("renewing"), sum("dropping")];
  const highest = Math.max(...expiries.map((month) => month.names + month.dropping), 1);
  const unpricedLink = link(today, firstOfMonth(today, expiries.length), { price: "none" });
  if (names + dropping === 0) return null;
  return (
    <section className="year">
      <div className="row work-head">
        <h2>
          Next 12 months <span>{formatCount(names, "renewal")}</span>
        </h2>
        <ul className="row legend">
          <li data-part="self">{formatNumber(renewing)} automatic</li>
          <li data-part="hand">{formatNumber(names - renewing)} by hand</li>
          {dropping > 0 && <li data-part="gone">{formatNumber(dropping)} to drop, not counted</li>}
        </ul>
      </div>
      <div className="months">
        <ol aria-label="Months">
          {expiries.map(({ month, ...counts }) => {
            const first = `${month}-01`;
            const amounts = costs.filter((cost) => cost.month === month);
            return (
              <li key={month}>
                <Bar
                  month={month}
                  {...counts}
                  cost={amounts
                    .map(({ minor, currency }) => formatAmount(minor, currency))
                    .join(" + ")}
                  href={link(first, firstOfMonth(first, 1))}
                  highest={highest}
                />
              </li>
            );
          })}
        </ol>
        {next && <Until day={next.date} from={expiries[0]?.month ?? ""} />}
      </div>
      <div className="row money">
        <Totals amounts={costs} settings={settings} isComing />
        {unpriced > 0 && (
          <p className="note">
            {formatCount(unpriced, "renewal has", "renewals have")} no price.{" "}
            <RequireRole least="editor">
              <Link href={unpricedLink}>Add prices</Link>
            </RequireRole>
          </p>
        )}
      </div>
    </section>
  );
}

/** How far all is clear: a line along the foot of the bars, from the first month to a day. */
function Until({ day, from }: { day: Day; from: string }) {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const [firstYear = 0, firstMonth = 0] = from.split("-").map(Number);
  const months = (year - firstYear) * 12 + month - firstMonth;
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const end = `${Math.min(100, ((months + (date - 0.5) / length) / 12) * 100)}%`;
  return (
    <svg className="until" aria-hidden="true">
      <line x2={end} y1="50%" y2="50%" />
      <circle cx={end} cy="50%" r="3.5" />
    </svg>
  );
}

interface BarProps extends MonthExpiries {
  cost: string;
  href: string;
  highest: number;
}

/** The domains of a month as a bar: at the bottom what renews automatically, above what is dropped. */
function Bar({ month, names, renewing, dropping, cost, href, highest }: BarProps) {
  const percent = (count: number) => `${(count / highest) * 100}%`;
  const all = names + dropping;
  // A bar is as wide as three digits.
  const short =
    names < 1000 ? formatNumber(names) : `${formatNumber(Math.round(names / 100) / 10)}k`;
  const parts = [
    ["gone", dropping, all],
    ["hand", names - renewing, names],
    ["self", renewing, renewing],
  ] as const;
  const bar = (
    <>
      <svg aria-hidden="true">
        {parts.map(([part, count, top]) => (
          <rect
            key={part}
            data-part={part}
            y={percent(highest - top)}
            width="100%"
            height={percent(count)}
          />
        ))}
        {all > 0 && (
          <text x="50%" y={percent(highest - all)} dy="-5">
            {short}
          </text>
        )}
      </svg>
      <small aria-hidden="true" lang={dayLanguage()}>
        <span>{formatMonth(month, "shortMonth")}</span>
        <span>{formatMonth(month, "narrowMonth")}</span>
        {month.endsWith("-01") && <i> ’{month.slice(2, 4)}</i>}
      </small>
    </>
  );
  if (names === 0) return <span>{bar}</span>;
  const count = `${formatMonth(month)}: ${formatDomainCount(names)}`;
  const title = `${count}, ${formatNumber(renewing)} renewing automatically${cost && `, ${cost}`}`;
  return (
    <Link href={href} title={title}>
      {bar}
    </Link>
  );
}
