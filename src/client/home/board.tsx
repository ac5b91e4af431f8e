import { Link } from "wouter";
import { sourceInWords } from "../../shared/source.ts";
import { fieldInWords } from "../../shared/fields.ts";
import type { RecentChange, Summary } from "../../shared/register.ts";
import { listDestinations } from "../screens.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { ExpiryDate } from "../ui/expiry-date.tsx";
import { formatDateTime, formatDomainCount } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";
import { Year } from "./year.tsx";

/** The register as a whole: the next 12 months, saved views, what is missing, and recent changes. */
export default function Board({ summary }: { summary: Summary }) {
  const { total, unknown, conflicts, changes, domains, views } = summary;
  return (
    <>
      {domains.length > 0 && (
        <section>
          <h2>All domains</h2>
          <ol className="list home-list">
            {domains.map(({ id, name, unicode, registrar, expires }) => (
              <li key={id}>
                <span>
                  <Link href={`/domains/${name}`}>{unicode}</Link>
                  <AsciiName name={name} unicode={unicode} />
                  <small>{registrar}</small>
                </span>
                {expires ? <ExpiryDate day={expires.date} /> : <span>No expiry date</span>}
              </li>
            ))}
          </ol>
        </section>
      )}
      <div className="stack home-side">
        <Year summary={summary} />
        {views.length > 0 && (
          <LinkList
            heading="Saved views"
            links={views.map(({ name, query }) => [name, `/domains?${query}`])}
          />
        )}
        <LinkList
          heading="Register"
          links={[
            [formatDomainCount(total), "/domains"],
            unknown > 0 && [
              `${formatNumber(unknown)} with no expiry date`,
              "/domains?expires=none",
            ],
            conflicts > 0 && [
              `${formatNumber(conflicts)} with conflicting expiry dates`,
              "/domains?expires=conflict",
            ],
            ...listDestinations("home").map(({ label, href }): NamedLink => [label, href]),
          ]}
        />
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

type NamedLink = [label: string, href: string];

function LinkList({ heading, links }: { heading: string; links: (NamedLink | false)[] }) {
  return (
    <section>
      <h2>{heading}</h2>
      <ul className="row home-links">
        {links
          .filter((link) => link !== false)
          .map(([label, href]) => (
            <li key={href}>
              <Link href={href}>{label}</Link>
            </li>
          ))}
      </ul>
    </section>
  );
}

/** One line for an import, for what was done to many domains at once, or for a change of one. */
function Change({ at, by, action, names, items, fileName, ...change }: RecentChange) {
  const [first] = items;
  const fields = first?.fields.map(({ field }) => fieldInWords(field)).join(", ");
  const detail =
    names > 1
      ? items.map(({ name }) => name).join(", ")
      : (action === "edited" && fields) || action;
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
          `${formatDomainCount(names)} ${action}`
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
  // The A-label form, which the address of a domain's page uses.
  const ascii = URL.parse(`http://${name}`)?.hostname ?? encodeURIComponent(name);
  return (
    <>
      {isGone ? name : <Link href={`/domains/${ascii}`}>{name}</Link>}
      <AsciiName name={ascii} unicode={name} />
    </>
  );
}
