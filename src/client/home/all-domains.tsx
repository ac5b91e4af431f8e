import { useCallback } from "react";
import { parseDomainPage } from "../../shared/domain.ts";
import { Failure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { DomainLinks } from "./domain-links.tsx";

/** Every domain of a small register, soonest expiry first. */
export default function AllDomains({ count }: { count: number }) {
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
