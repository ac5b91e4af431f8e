import { Link } from "wouter";
import { ExpiryDate } from "../ui/expiry-date.tsx";
import { AsciiForm } from "./ascii-form.tsx";
import type { Row } from "./read-summary.ts";

/** Names with the day that each expires; every one leads to its own screen. */
export function NameList({ items }: { items: readonly Row[] }) {
  return (
    <ol className="home-names">
      {items.map(({ id, name, unicode, registrar, autoRenew, day }) => (
        <li key={id}>
          <span>
            <Link href={`/domains/${name}`}>{unicode}</Link>
            <AsciiForm name={name} unicode={unicode} />
            <small>
              {[
                registrar,
                autoRenew !== true && `auto-renew ${autoRenew === false ? "off" : "unknown"}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </span>
          {day ? <ExpiryDate day={day} /> : <span>no date known</span>}
        </li>
      ))}
    </ol>
  );
}
