import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Domain } from "../../../shared/contract.ts";
import { listDomains } from "../domains-api.ts";
import {
  addPage,
  countKnown,
  findGap,
  letGo,
  type Listing,
  putRow,
  refill,
  removeRow,
  startListing,
} from "./listing.ts";

/** Rows of the first answer, which somebody waits for, and of every other: the most there may be. */
const FIRST = 100;
const MORE = 200;
/** Milliseconds after which a list that is looked at again is asked for again. */
const FRESH = 60_000;

interface Failed {
  query: string;
  /** The rows that are there are as they should be; others could not be had. */
  more: boolean;
  error: unknown;
}

/** The rows of a person's last visit, so that coming back shows them at once. */
let remembered: { email: string; listed: Listing } | undefined;

/**
 * The names that answer a query; `want` says which rows are looked at. Rows stay while others are on
 * their way and when those do not come; `settled` says whether they answer what is asked now.
 */
export function useDomainList(query: string, email: string) {
  const [listed, setListed] = useState(remembered?.email === email ? remembered.listed : undefined);
  const [failed, setFailed] = useState<Failed>();
  const latest = useRef(listed);
  const running = useRef<AbortController>(null);
  const loadedAt = useRef(0);
  const wanted = useRef({ first: 0, last: 0 });

  const show = useCallback((listing: Listing) => {
    latest.current = letGo(listing, wanted.current.first, wanted.current.last);
    setListed(latest.current);
    setFailed(undefined);
  }, []);

  /** Runs one errand at a time; a later one calls the earlier off. */
  const run = useCallback(
    (asked: string, more: boolean, errand: (signal: AbortSignal) => Promise<void>) => {
      running.current?.abort();
      const leaving = new AbortController();
      running.current = leaving;
      errand(leaving.signal)
        .catch((error: unknown) => {
          if (!leaving.signal.aborted) setFailed({ query: asked, more, error });
        })
        .finally(() => {
          if (running.current === leaving) running.current = null;
        });
    },
    [],
  );

  /** Fetches the rows that are looked at and not there, one stretch after the other. */
  const fill = useCallback(
    (asked: string) =>
      run(asked, true, async (signal) => {
        for (;;) {
          const before = latest.current;
          const { first, last } = wanted.current;
          const gap = before?.query === asked ? findGap(before, first, last) : null;
          if (!before || !gap) return;
          const end = gap.at === before.stretches.length;
          const limit = end ? MORE : (before.stretches[gap.at]?.ids.length ?? MORE);
          const page = await listDomains(withCursor(asked, limit || 1, gap.after), signal);
          if (signal.aborted) return;
          show(end ? addPage(before, page) : refill(before, gap.at, page));
        }
      }),
    [run, show],
  );

  /** Asks for everything anew; what is looked at is replaced once its successor is there. */
  const load = useCallback(
    (asked: string) =>
      run(asked, false, async (signal) => {
        const page = await listDomains(withCursor(asked, FIRST, null), signal);
        let listing = startListing(asked, page);
        while (
          latest.current?.query === asked &&
          listing.next !== null &&
          countKnown(listing) <= wanted.current.last
        ) {
          const after = await listDomains(withCursor(asked, MORE, listing.next), signal);
          listing = addPage(listing, after);
        }
        if (signal.aborted) return;
        loadedAt.current = Date.now();
        show(listing);
        fill(asked);
      }),
    [fill, run, show],
  );

  const refresh = useEffectEvent(() => {
    if (!document.hidden && Date.now() - loadedAt.current >= FRESH) load(query);
  });

  useEffect(() => {
    load(query);
    return () => running.current?.abort();
  }, [query, load]);

  useEffect(() => {
    if (listed) remembered = { email, listed };
  }, [email, listed]);

  useEffect(() => {
    const onVisible = () => refresh();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);

  const failedNow = failed?.query === query ? failed : undefined;

  /** Says which rows are looked at. While a failure stands, nothing is asked for on its own. */
  function want(first: number, last: number) {
    wanted.current = { first, last };
    if (!running.current && !failedNow && listed?.query === query) fill(query);
  }

  function retry() {
    setFailed(undefined);
    if (failedNow?.more) fill(query);
    else load(query);
  }

  /** Changes the rows. An answer on its way may have been made before: it is not waited for. */
  function change(how: (now: Listing) => Listing) {
    const now = latest.current;
    if (!now) return;
    show(how(now));
    if (now.query === query) fill(query);
    else load(query);
  }

  return {
    listed,
    settled: listed?.query === query,
    failed: failedNow,
    want,
    retry,
    reload: () => load(query),
    put: (domain: Domain) => change((now) => putRow(now, domain)),
    remove: (id: string) => change((now) => removeRow(now, id)),
  };
}

function withCursor(query: string, limit: number, after: string | null): string {
  const sized = `${query}&limit=${limit}`;
  return after === null ? sized : `${sized}&after=${encodeURIComponent(after)}`;
}
