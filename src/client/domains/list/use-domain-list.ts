import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Domain } from "../../../shared/domain.ts";
import { DOMAINS_PATH, listDomains } from "../../register/domains-api.ts";
import { isOld, watchUrl } from "../../register/resource.tsx";
import { registerChanged } from "../../register/undo.ts";
import {
  addRows,
  evictRows,
  findMissingPage,
  type Listing,
  PAGE_SIZE,
  putPage,
  putRow,
  removeRow,
  type Row,
  shownListing,
  toRow,
} from "../listing.ts";

/**
 * Loads the rows of a view as they are scrolled to. Rows stay while others load, and if loading
 * fails; `settled` says whether they belong to this view.
 */
export function useDomainList(view: string) {
  const [listing, setListing] = useState(shownListing.get);
  const [failure, setFailure] = useState<{ view: string; partial: boolean; error: unknown }>();
  const latest = useRef(listing);
  const running = useRef<AbortController>(null);
  const range = useRef<AbortController>(null);
  const askedAt = useRef(0);
  const visible = useRef({ first: 0, last: 0 });

  const show = useCallback((next: Listing) => {
    const isFirst = !latest.current;
    latest.current = evictRows(next, visible.current.first, visible.current.last);
    shownListing.set(latest.current);
    setFailure(undefined);
    // Not in one task with all that is around the first rows.
    if (isFirst) startTransition(() => setListing(latest.current));
    else setListing(latest.current);
  }, []);

  /** Aborts the load before. */
  const run = useCallback(
    (asked: string, partial: boolean, load: (signal: AbortSignal) => Promise<void>) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      load(controller.signal)
        .catch((error: unknown) => {
          if (controller.signal.aborted) return;
          askedAt.current = 0;
          setFailure({ view: asked, partial, error });
        })
        .finally(() => {
          if (running.current === controller) running.current = null;
        });
    },
    [],
  );

  /** Loads missing visible rows, page by page. */
  const loadMissing = useCallback(
    (asked: string) =>
      run(asked, true, async (signal) => {
        for (;;) {
          const { first, last } = visible.current;
          const before = latest.current;
          const offset = before?.view === asked ? findMissingPage(before, first, last) : null;
          if (offset === null) {
            // At once: the next render may have another visible range.
            running.current = null;
            return;
          }
          const page = await listDomains(asked, PAGE_SIZE, offset, signal);
          if (signal.aborted) return;
          // It would bring nothing again.
          if (page.items.length === 0 && page.total > offset) return;
          show(putPage(latest.current, asked, offset, page));
        }
      }),
    [run, show],
  );

  /** Reloads the visible rows; the old ones stay until then. */
  const load = useCallback(
    (asked: string) =>
      run(asked, false, async (signal) => {
        askedAt.current = Date.now();
        const { first } = visible.current;
        const same = latest.current?.view === asked;
        const offset = same ? first - (first % PAGE_SIZE) : 0;
        const page = await listDomains(asked, PAGE_SIZE, offset, signal);
        if (signal.aborted) return;
        let next = putPage(undefined, asked, offset, page);
        const missing = same ? findMissingPage(next, first, visible.current.last) : null;
        if (missing !== null) {
          const more = await listDomains(asked, PAGE_SIZE, missing, signal);
          next = putPage(next, asked, missing, more);
          if (signal.aborted) return;
        }
        running.current = null;
        // Other visible rows are requested once this is rendered.
        show(next);
      }),
    [run, show],
  );

  const refresh = useEffectEvent(() => load(view));

  useEffect(() => {
    load(view);
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
    if (!running.current && !currentFailure && listing?.view === view) loadMissing(view);
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
    const found = new Map<number, Row>();
    const ids: string[] = [];
    try {
      for (let at = first; at <= last; at += 1) {
        const known = latest.current;
        if (known?.view !== view) return null;
        if (at < known.total && !known.rows.has(at) && !found.has(at)) {
          const offset = at - (at % PAGE_SIZE);
          const { items } = await listDomains(view, PAGE_SIZE, offset, signal);
          if (signal.aborted) return null;
          for (const [index, domain] of items.entries())
            found.set(offset + index, { ...toRow(domain), domain: null });
        }
        const row = known.rows.get(at) ?? found.get(at);
        if (row) ids.push(row.id);
      }
      if (found.size > 0 && latest.current) show(addRows(latest.current, found));
      return ids;
    } catch (error) {
      if (!signal.aborted) setFailure({ view, partial: true, error });
      return null;
    }
  }

  function retry() {
    setFailure(undefined);
    if (currentFailure?.partial) loadMissing(view);
    else load(view);
  }

  /** Changes rows at once, and reads all again that shows the domain. */
  function change(edit: (current: Listing) => Listing) {
    if (latest.current) show(edit(latest.current));
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
