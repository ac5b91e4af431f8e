import { useCallback, useEffect, useRef, useState } from "react";
import type { DomainDetail } from "../../../shared/contract.ts";
import { readDetail } from "./detail-api.ts";

/** One name as it was last read; `error` where the last reading failed, whatever is shown. */
export function useDetail(name: string) {
  const [detail, setDetail] = useState<DomainDetail>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(null);

  const load = useCallback((wanted: string) => {
    running.current?.abort();
    const leaving = new AbortController();
    running.current = leaving;
    readDetail(wanted, leaving.signal)
      .then(setDetail)
      .then(() => setError(undefined))
      .catch((problem: unknown) => leaving.signal.aborted || setError(problem));
  }, []);

  useEffect(() => {
    load(name);
    // Another tab, or another person, may have changed it meanwhile.
    const onVisible = () => document.hidden || load(name);
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      running.current?.abort();
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [name, load]);

  return { detail, error, setDetail, reload: load };
}
