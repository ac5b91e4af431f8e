import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Domain } from "../../../shared/domain.ts";
import { onPersonChange } from "../../session/session-store.ts";
import { listDomains } from "../domains-api.ts";
import {
  addPage,
  countLoaded,
  evictRows,
  findMissingPage,
  type Listing,
  putRow,
  refillPage,
  removeRow,
  startListing,
} from "./listing.ts";

/** Rows of the first page, which is on the screen soonest, and of every other: the API's maximum. */
const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 200;
/** Age after which the list is reloaded when its tab becomes visible again. */
const MAX_AGE_MS = 60_000;

interface LoadFailure {
  view: string;
  /** Only further rows failed to load; those that are shown are up to date. */
  partial: boolean;
  error: unknown;
}

/** The listing shown last, so that returning to the list shows its rows at once. */
let lastListing: Listing | undefined;

onPersonChange(() => {
  lastListing = undefined;
});

/**
 * Loads the domains of a view, as far as they are scrolled to. Rows stay while others load and when
 * loading fails; `settled` says whether they belong to this view, which is as `formatView` writes it.
 */
export function useDomainList(view: string) {
  const [listing, setListing] = useState(lastListing);
  const [failure, setFailure] = useState<LoadFailure>();
  const latest = useRef(listing);
  const running = useRef<AbortController>(null);
  const loadedAt = useRef(0);
  const visible = useRef({ first: 0, last: 0 });

  const show = useCallback((next: Listing) => {
    latest.current = evictRows(next, visible.current.first, visible.current.last);
    lastListing = latest.current;
    setListing(latest.current);
    setFailure(undefined);
  }, []);

  /** Runs one load at a time: a new one aborts the one before. */
  const run = useCallback(
    (asked: string, partial: boolean, load: (signal: AbortSignal) => Promise<void>) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      load(controller.signal)
        .catch((error: unknown) => {
          if (!controller.signal.aborted) setFailure({ view: asked, partial, error });
        })
        .finally(() => {
          if (running.current === controller) running.current = null;
        });
    },
    [],
  );

  /** Loads the visible rows that are missing, one page after another. */
  const loadMissing = useCallback(
    (asked: string) =>
      run(asked, true, async (signal) => {
        for (;;) {
          const before = latest.current;
          const { first, last } = visible.current;
          const missing = before?.view === asked ? findMissingPage(before, first, last) : null;
          if (!before || !missing) return;
          const evicted = before.pages[missing.index];
          const limit = evicted ? evicted.ids.length || 1 : PAGE_SIZE;
          const page = await listDomains(asked, limit, missing.after, signal);
          if (signal.aborted) return;
          show(evicted ? refillPage(before, missing.index, page) : addPage(before, page));
        }
      }),
    [run, show],
  );

  /** Loads the view from its first row; the visible rows are replaced once the new ones are there. */
  const load = useCallback(
    (asked: string) =>
      run(asked, false, async (signal) => {
        const page = await listDomains(asked, FIRST_PAGE_SIZE, null, signal);
        let next = startListing(asked, page);
        while (
          latest.current?.view === asked &&
          next.next !== null &&
          countLoaded(next) <= visible.current.last
        ) {
          next = addPage(next, await listDomains(asked, PAGE_SIZE, next.next, signal));
        }
        if (signal.aborted) return;
        loadedAt.current = Date.now();
        show(next);
        loadMissing(asked);
      }),
    [loadMissing, run, show],
  );

  const refresh = useEffectEvent(() => {
    if (!document.hidden && Date.now() - loadedAt.current >= MAX_AGE_MS) load(view);
  });

  useEffect(() => {
    load(view);
    return () => running.current?.abort();
  }, [view, load]);

  useEffect(() => {
    const onVisible = () => refresh();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);

  const currentFailure = failure?.view === view ? failure : undefined;

  /** Loads missing rows of the visible range, unless loading them has just failed. */
  function onVisibleRangeChange(first: number, last: number) {
    visible.current = { first, last };
    if (!running.current && !currentFailure && listing?.view === view) loadMissing(view);
  }

  function retry() {
    setFailure(undefined);
    if (currentFailure?.partial) loadMissing(view);
    else load(view);
  }

  /** Changes the rows, and aborts a running load: its answer may be older than the change. */
  function change(edit: (current: Listing) => Listing) {
    const current = latest.current;
    if (!current) return;
    show(edit(current));
    if (current.view === view) loadMissing(view);
    else load(view);
  }

  return {
    listing,
    settled: listing?.view === view,
    failure: currentFailure,
    onVisibleRangeChange,
    retry,
    reload: () => load(view),
    put: (domain: Domain) => change((current) => putRow(current, domain)),
    remove: (id: string) => change((current) => removeRow(current, id)),
  };
}
