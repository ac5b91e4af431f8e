import { Link } from "wouter";
import { type Day, daysBetween } from "../../shared/day.ts";
import { DECISION_LABELS, DECISIONS } from "../../shared/domain.ts";
import { sourceInWords } from "../../shared/source.ts";
import { fieldInWords } from "../../shared/fields.ts";
import { dueDay } from "../../shared/work.ts";
import type { RecentChange, Summary } from "../../shared/register.ts";
import { listDestinations } from "../screens.ts";
import { hasRole } from "../session/session-store.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import {
  formatDateTime,
  formatDay,
  formatDomainCount,
  formatNumber,
  formatRelative,
} from "../ui/format.ts";
import { listLink } from "./list-link.ts";
import { Year } from "./year.tsx";

/** The whole register: the next 12 months, saved views, gaps, and recent changes. */
export default function Board({ summary }: { summary: Summary }) {
  const { today, total, lapsed, unknown, conflicts, changes, domains, views } = summary;
  const heading = summary.person === null ? "All domains" : "My domains";
  const count = (label: string, filter: object, names: number) =>
    names > 0 ? [{ label, href: listLink(summary, filter), names }] : [];
  const links: { label: string; href: string; names?: number }[] = [
    { label: heading, href: listLink(summary), names: total - lapsed },
    ...count("Conflicting dates", { expires: "conflict" }, conflicts),
    ...count("No expiry date", { expires: "none" }, unknown),
    ...count("Lapsed", { lapsed: "true" }, lapsed),
    ...views.map(({ name, query }) => ({ label: name, href: `/domains?${query}` })),
    ...listDestinations(hasRole, "home"),
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
