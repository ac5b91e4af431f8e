import { useCallback, useEffect, useRef, useState } from "react";
import type { ImportRow, RowClass } from "../../shared/import-contract.ts";
import { listRows } from "./import-api.ts";

/** A page of rows. Far from what is looked at they are let go: their place stays. */
export interface RowPage {
  /** The cursor that it was asked for with. */
  after: string | null;
  /** How many rows it has. */
  count: number;
  rows: readonly ImportRow[] | null;
  /** Pixels that the rows took before they were let go. */
  height: number;
}

interface Listed {
  pages: readonly RowPage[];
  /** The cursor of the page after the last; null at the end. */
  next: string | null;
}

/** The rows of one class of an import, a page at a time; only those near the window are kept. */
export function useRows(id: string, shown: RowClass) {
  const [listed, setListed] = useState<Listed>();
  const [failed, setFailed] = useState<{ error: unknown; after: string | null }>();
  const leaving = useRef(new AbortController());
  /** Cursors that are being asked for. */
  const asked = useRef(new Set<string | null>());

  /** Fetches the page of a cursor: the next one, or one whose rows were let go. */
  const read = useCallback(
    async (after: string | null) => {
      if (asked.current.has(after)) return;
      const { signal } = leaving.current;
      asked.current.add(after);
      setFailed(undefined);
      try {
        const { items, next } = await listRows(id, { class: shown, after }, signal);
        const page = { after, count: items.length, rows: items, height: 0 };
        setListed((now) => putPage(now, page, next));
      } catch (error) {
        if (!signal.aborted) setFailed({ error, after });
      } finally {
        asked.current.delete(after);
      }
    },
    [id, shown],
  );

  useEffect(() => {
    leaving.current = new AbortController();
    asked.current = new Set();
    void read(null);
    return () => leaving.current.abort();
  }, [read]);

  /** Lets the rows of a page go, which takes so many pixels. */
  const letGo = useCallback((after: string | null, height: number) => {
    setListed((now) => now && replace(now, after, { rows: null, height }));
  }, []);

  return { listed, failed, read, letGo };
}

function putPage(now: Listed | undefined, page: RowPage, next: string | null): Listed {
  if (!now) return { pages: [page], next };
  if (!now.pages.some(({ after }) => after === page.after)) {
    return { pages: [...now.pages, page], next };
  }
  return replace(now, page.after, { rows: page.rows });
}

function replace(now: Listed, after: string | null, change: Partial<RowPage>): Listed {
  const pages = now.pages.map((page) => (page.after === after ? { ...page, ...change } : page));
  return { ...now, pages };
}
