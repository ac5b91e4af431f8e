import { useCallback } from "react";
import { Link } from "wouter";
import { parseDomainPage, type Domain } from "../../shared/domain.ts";
import { Failure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { ExpiryDate } from "../ui/expiry-date.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useLoaded } from "../ui/use-loaded.ts";

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

/** Every domain of a small register, soonest expiry first. */
export function AllDomains({ count }: { count: number }) {
  const load = useCallback(
    (signal: AbortSignal) =>
      callApi("/api/domains", { query: { limit: count }, signal, parse: parseDomainPage }),
    [count],
  );
  const { value: page, error, reload } = useLoaded(load);
  return (
    <section>
      <h2>All domains</h2>
      {page && <DomainLinks domains={page.items} />}
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!page && error === undefined && <Skeleton lines={count} />}
    </section>
  );
}
