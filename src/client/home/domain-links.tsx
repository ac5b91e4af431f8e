import { Link } from "wouter";
import type { Domain } from "../../shared/domain.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { ExpiryDate } from "../ui/expiry-date.tsx";

/** Domains with their expiry dates. Each links to its page. */
export function DomainLinks({ domains }: { domains: readonly Domain[] }) {
  return (
    <ol className="home-list">
      {domains.map(({ id, name, unicode, registrar, autoRenew, expires }) => (
        <li key={id}>
          <span>
            <Link href={`/domains/${name}`}>{unicode}</Link>
            <AsciiName name={name} unicode={unicode} />
            <small>
              {[
                registrar,
                autoRenew !== true && `auto-renew ${autoRenew === false ? "off" : "unknown"}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </span>
          {expires ? <ExpiryDate day={expires.date} /> : <span>No expiry date</span>}
        </li>
      ))}
    </ol>
  );
}
