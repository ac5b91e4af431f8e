import { Link } from "wouter";
import { type Day, daysBetween, firstOfMonth } from "../../shared/day.ts";
import { DECISION_LABELS, DECISIONS } from "../../shared/domain.ts";
import { fieldInWords } from "../../shared/fields.ts";
import type { MonthExpiries, RecentChange, Summary } from "../../shared/register.ts";
import { sourceInWords } from "../../shared/source.ts";
import { dueDay } from "../../shared/work.ts";
import { listPath } from "../screens.ts";
import { RequireRole } from "../session/gate.tsx";
import { AsciiName } from "../ui/ascii-name.tsx";
import {
  formatAmount,
  formatCount,
  formatDateTime,
  formatDay,
  formatDomainCount,
  formatMonth,
  formatNumber,
  formatRelative,
} from "../ui/format.ts";
import { Totals } from "../ui/totals.tsx";
import "./year.css";

/** The whole register: the next 12 months, saved views, gaps, and recent changes. */
export default function Board({ summary }: { summary: Summary }) {
  const { today, total, lapsed, unknown, conflicts, changes, domains, views } = summary;
  const heading = summary.person === null ? "All domains" : "My domains";
  const count = (label: string, filter: Record<string, string>, names: number) =>
    names > 0 ? [{ label, href: listPath(filter, summary.person), names }] : [];
  const links: { label: string; href: string; names?: number }[] = [
    { label: heading, href: listPath({}, summary.person), names: total - lapsed },
    ...count("Conflicting dates", { expires: "conflict" }, conflicts),
    ...count("No expiry date", { expires: "none" }, unknown),
    ...count("Lapsed", { lapsed: "true" }, lapsed),
    ...views.map(({ name, query }) => ({ label: name, href: `/domains?${query}` })),
  ];
  return (
    <>
      {domains.length > 0 && (
        <section>
          <h2>{heading}</h2>
          <ol className="list home-list">
            {domains.map((domain) => (
              <li key={domain.id}>
                <span>
                  <Link href={`/domains/${domain.name}`}>{domain.unicode}</Link>
                  <AsciiName {...domain} />
                  <small>{domain.registrar}</small>
                </span>
                <span>{expiryInWords(dueDay(domain), today)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <div className="stack home-side">
        <Year summary={summary} />
        <section>
          <h2>Register</h2>
          <ul className="home-links">
            {links.map(({ label, href, names }) => (
              <li key={href}>
                <Link href={href}>{label}</Link>
                {names !== undefined && <span>{formatNumber(names)}</span>}
              </li>
            ))}
          </ul>
        </section>
        {changes.length > 0 && (
          <section>
            <h2>Recent changes</h2>
            <ol className="list home-list">
              {changes.map((change) => (
                <Change
                  key={`${change.at} ${change.operation ?? change.items[0]?.id}`}
                  {...change}
                />
              ))}
            </ol>
          </section>
        )}
      </div>
    </>
  );
}

function expiryInWords(due: Day | null, today: Day): string {
  if (due === null) return "No expiry date";
  return `${formatDay(due, "medium")}, ${formatRelative(daysBetween(today, due), "day")}`;
}

/** One line for an import, a bulk change, or a change of one domain. */
function Change({ at, by, action, names, items, fileName, ...change }: RecentChange) {
  const [first] = items;
  const fields = first?.fields.map(({ field }) => fieldInWords(field)).join(", ");
  const marked = DECISIONS.find((decision) => decision === action);
  const done = marked ? `marked ${DECISION_LABELS[marked]}` : action;
  const what = action === "undone" ? "change undone" : done;
  const detail =
    names > 1
      ? items.map(({ name }) => name).join(", ")
      : [/^(?:edited|undone)$/.test(action) && fields, action !== "edited" && what]
          .filter(Boolean)
          .join(": ");
  return (
    <li>
      <span>
        {change.import !== null ? (
          <Link href={`/domains?import=${change.import}`}>
            {fileName}:{" "}
            {action === "undone" ? "import undone" : `${formatDomainCount(names)} ${action}`}
          </Link>
        ) : names === 1 && first ? (
          <ChangedDomain name={first.name} isGone={action === "deleted"} />
        ) : (
          `${formatDomainCount(names)}${action === "undone" ? ":" : ""} ${what}`
        )}
        <small>
          {detail} · {sourceInWords(by)}
        </small>
      </span>
      <time dateTime={at}>{formatDateTime(at)}</time>
    </li>
  );
}

function ChangedDomain({ name, isGone }: { name: string; isGone: boolean }) {
  // The A-label form, for the address of the page.
  const ascii = URL.parse(`http://${name}`)?.hostname ?? encodeURIComponent(name);
  return (
    <>
      {isGone ? name : <Link href={`/domains/${ascii}`}>{name}</Link>}
      <AsciiName name={ascii} unicode={name} />
    </>
  );
}

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
    listPath(
      {
        ...more,
        decision: "!drop",
        sold: "false",
        expiresFrom: from < today ? today : from,
        expiresBefore: before,
      },
      summary.person,
    );
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
        {formatCount(names, "renewal")} due:{" "}
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
          {formatCount(unpriced, "renewal has", "renewals have")} no price yet.{" "}
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
