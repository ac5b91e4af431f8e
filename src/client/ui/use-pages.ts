import { useCallback, useEffect, useState } from "react";

/**
 * Loads a list page by page: the first when the component appears and when the screen loads again,
 * the next one on demand.
 *
 * @param read Reads the page at a cursor; null is the first. The same function between renders.
 */
export function usePages<P extends { items: unknown[]; next: string | null }>(
  read: (after: string | null) => Promise<P>,
) {
  const [page, setPage] = useState<P>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  const load = useCallback(
    (after: string | null) =>
      read(after)
        .then((next) => {
          setError(undefined);
          const join = (now: P | undefined) => [...((after && now?.items) || []), ...next.items];
          return setPage((now) => ({ ...next, items: join(now) }));
        })
        .catch(setError)
        .finally(() => setBusy(false)),
    [read],
  );
  useEffect(() => {
    const reload = () => document.hidden || void load(null);
    document.addEventListener("visibilitychange", reload);
    reload();
    return () => document.removeEventListener("visibilitychange", reload);
  }, [load]);

  /** Loads the page after those that are shown, or the first once more. */
  function loadMore() {
    if (busy) return;
    setBusy(true);
    void load(page?.next ?? null);
  }

  return { page, error, busy, loadMore };
}
