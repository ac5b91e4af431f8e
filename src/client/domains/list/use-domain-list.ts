import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { type Domain, parseDomainPage } from "../../../shared/domain.ts";
import { DOMAINS_PATH, listUrl } from "../../register/domains-api.ts";
import { isOld, watchUrl } from "../../register/resource.tsx";
import { registerChanged } from "../../register/undo.ts";
import { callApi } from "../../session/session-store.ts";
import {
  addRows,
  evictRows,
  findMissingPage,
  type Listing,
  LIST_PAGE_SIZE,
  putPage,
  putRow,
  removeRow,
  type ListingRow,
  shownListing,
  toRow,
} from "../listing.ts";

/** What is visible of another view, once it is there. */
const TOP = { first: 0, last: 0 };

const readPage = (view: string, offset: number, signal: AbortSignal) =>
  callApi(listUrl(view, LIST_PAGE_SIZE, offset), { signal, parse: parseDomainPage });

/**
 * Loads the rows of a view as they are scrolled to. Rows stay while others load, and if loading
 * fails; `settled` says whether they belong to this view.
 */
export function useDomainList(view: string) {
  const [listing, setListing] = useState(shownListing.get);
  const [failure, setFailure] = useState<{ view: string; partial: boolean; error: unknown }>();
  const running = useRef<AbortController>(null);
  const range = useRef<AbortController>(null);
  const askedAt = useRef(0);
  const visible = useRef(TOP);

  const show = useCallback((next: Listing) => {
    const isFirst = !shownListing.get();
    const kept = evictRows(next, visible.current.first, visible.current.last);
    shownListing.set(kept);
    setFailure(undefined);
    // Not in one task with all that is around the first rows.
    if (isFirst) startTransition(() => setListing(kept));
    else setListing(kept);
  }, []);

  /**
   * Loads visible rows page by page, and aborts the load before: those that are missing, or all, which
   * replace the old ones together.
   */
  const load = useCallback(
    (asked: string, isAll: boolean) => {
      running.current?.abort();
      const controller = new AbortController();
      const { signal } = controller;
      running.current = controller;

      async function read() {
        let fresh: Listing | undefined;
        if (isAll) askedAt.current = Date.now();
        for (;;) {
          const shown = shownListing.get();
          const { first, last } = shown?.view === asked ? visible.current : TOP;
          const offset = findMissingPage(isAll ? fresh : shown, first, last);
          if (offset === null) break;
          const page = await readPage(asked, offset, signal);
          if (signal.aborted) return;
          // Asking again would bring nothing either.
          const isVain = page.items.length === 0 && page.total > offset;
          if (isAll) fresh = putPage(fresh, asked, offset, page);
          else if (!isVain) show(putPage(shownListing.get(), asked, offset, page));
          if (isVain) break;
        }
        // At once: the next render may have another visible range.
        running.current = null;
        if (fresh) show(fresh);
      }

      read().catch((error: unknown) => {
        if (signal.aborted) return;
        running.current = null;
        askedAt.current = 0;
        setFailure({ view: asked, partial: !isAll, error });
      });
    },
    [show],
  );

  const refresh = useEffectEvent(() => load(view, true));

  useEffect(() => {
    load(view, true);
    return () => {
      running.current?.abort();
      range.current?.abort();
    };
  }, [view, load]);

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden && isOld({ askedAt: askedAt.current })) refresh();
    };
    document.addEventListener("visibilitychange", onVisible);
    const unwatch = watchUrl(DOMAINS_PATH, () => refresh());
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      unwatch();
    };
  }, []);

  const currentFailure = failure?.view === view ? failure : undefined;

  /** Loads missing rows of the visible range, unless that has just failed. */
  function setVisible(first: number, last: number) {
    visible.current = { first, last };
    if (!running.current && !currentFailure && listing?.view === view) load(view, false);
  }

  /**
   * Resolves to the ids of rows `first` to `last`, and loads missing ones; null if that fails, or
   * another view or other ids are asked for meanwhile. The listing takes them at once, in the end: it
   * is copied with each change.
   */
  async function readIds(first: number, last: number): Promise<string[] | null> {
    range.current?.abort();
    const controller = new AbortController();
    range.current = controller;
    const { signal } = controller;
    const found = new Map<number, ListingRow>();
    const ids: string[] = [];
    try {
      for (let at = first; at <= last; at += 1) {
        const known = shownListing.get();
        if (known?.view !== view) return null;
        if (at < known.total && !known.rows.has(at) && !found.has(at)) {
          const offset = at - (at % LIST_PAGE_SIZE);
          const { items } = await readPage(view, offset, signal);
          if (signal.aborted) return null;
          for (const [index, domain] of items.entries())
            found.set(offset + index, { ...toRow(domain), domain: null });
        }
        const row = known.rows.get(at) ?? found.get(at);
        if (row) ids.push(row.id);
      }
      const known = shownListing.get();
      if (found.size > 0 && known) show(addRows(known, found));
      return ids;
    } catch (error) {
      if (!signal.aborted) setFailure({ view, partial: true, error });
      return null;
    }
  }

  function retry() {
    setFailure(undefined);
    load(view, !currentFailure?.partial);
  }

  /** Changes rows at once, and reads all again that shows the domain. */
  function change(edit: (current: Listing) => Listing) {
    const known = shownListing.get();
    if (known) show(edit(known));
    registerChanged();
  }

  return {
    listing,
    settled: listing?.view === view,
    failure: currentFailure,
    setVisible,
    readIds,
    retry,
    put: (domain: Domain) => change((current) => putRow(current, domain)),
    remove: (id: string) => change((current) => removeRow(current, id)),
  };
}
