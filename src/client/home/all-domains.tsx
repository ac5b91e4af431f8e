import { useCallback, useEffect, useState } from "react";
import { type Domain, parseDomainPage } from "../../shared/domain.ts";
import { callApi } from "../session/session-store.ts";
import { Failure } from "../session/failure.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { DomainLinks } from "./domain-links.tsx";

/** Every domain of a small register, soonest expiry first. */
export default function AllDomains({ count }: { count: number }) {
  const [domains, setDomains] = useState<Domain[]>();
  const [error, setError] = useState<unknown>();

  const load = useCallback(() => {
    const controller = new AbortController();
    callApi("/api/domains", {
      query: { limit: count },
      signal: controller.signal,
      parse: parseDomainPage,
    })
      .then(({ items }) => setDomains(items))
      .then(() => setError(undefined))
      .catch((problem: unknown) => controller.signal.aborted || setError(problem));
    return () => controller.abort();
  }, [count]);
  useEffect(load, [load]);

  return (
    <section>
      <h2>All domains</h2>
      {domains && <DomainLinks domains={domains} />}
      {error !== undefined && <Failure error={error} onRetry={load} />}
      {!domains && error === undefined && <Skeleton lines={count} />}
    </section>
  );
}
