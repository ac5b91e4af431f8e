import { useCallback, useEffect, useRef, useState } from "react";
import type { ImportRow, ImportRowPage, RowClass } from "../../import-contract.ts";
import { listRows } from "./import-api.ts";

interface Listed {
  class: RowClass;
  /** As they came: a page never changes, so that what shows it need not be made anew. */
  pages: readonly ImportRow[][];
  next: string | null;
}

const add = (page: ImportRowPage, to: Listed): Listed => ({
  ...to,
  pages: [...to.pages, page.items],
  next: page.next,
});

/** The rows of one class of an import, a page at a time. */
export function useRows(id: string, shown: RowClass) {
  const [known, setListed] = useState<Listed>();
  const [failed, setFailed] = useState<{ class: RowClass; error: unknown }>();
  const [loadingMore, setLoadingMore] = useState(false);
  const running = useRef<AbortController>(null);
  const listed = known?.class === shown ? known : undefined;

  const load = useCallback(() => {
    const leaving = new AbortController();
    running.current = leaving;
    listRows(id, { class: shown, after: null }, leaving.signal)
      .then((page) => {
        setFailed(undefined);
        return setListed(add(page, { class: shown, pages: [], next: null }));
      })
      .catch((error: unknown) => leaving.signal.aborted || setFailed({ class: shown, error }));
    return () => running.current?.abort();
  }, [id, shown]);
  useEffect(load, [load]);

  /** Adds the next page, and returns its first row. */
  async function loadMore(): Promise<ImportRow | undefined> {
    if (!listed?.next || loadingMore) return undefined;
    const leaving = new AbortController();
    running.current = leaving;
    setLoadingMore(true);
    setFailed(undefined);
    try {
      const page = await listRows(id, { class: shown, after: listed.next }, leaving.signal);
      setListed(add(page, listed));
      return page.items[0];
    } catch (error) {
      if (!leaving.signal.aborted) setFailed({ class: shown, error });
      return undefined;
    } finally {
      setLoadingMore(false);
    }
  }

  const error = failed?.class === shown ? failed.error : undefined;
  return { listed, error, loadingMore, loadMore, load };
}
