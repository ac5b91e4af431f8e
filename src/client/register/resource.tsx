import { useCallback, useMemo, useSyncExternalStore } from "react";
import { isRecord, type Parser } from "../../shared/parse.ts";
import { failedResponse, Failure } from "../session/failure.tsx";
import { callApi, onPersonChange } from "../session/session-store.ts";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/notice.tsx";

/** What a component knows of a URL. Without a value and an error, it is loading. */
export interface Loadable<T> {
  value: T | undefined;
  /** Why the latest request failed; a value beside it is older. */
  error: unknown;
  reload: () => void;
}

interface State<T> {
  pages: readonly T[];
  /** How many pages are to be shown. */
  wanted: number;
  error: unknown;
}

/** One URL with all its readers. */
interface Entry<T> {
  readonly url: string;
  readonly parse: Parser<T>;
  readonly readers: Set<() => void>;
  readonly reload: () => void;
  state: State<T>;
  /** Time of the last request for its first page; 0: it failed, or is out of date. */
  askedAt: number;
  running: AbortController | null;
}

/** Younger answers are not requested again when the tab is seen, or another reader comes. */
const LEAST_AGE_MS = 5_000;
const NOTHING = { pages: [], wanted: 1, error: undefined } as const;
/** The URLs on screen. Others are held by their component alone. */
const entries = new Set<Entry<unknown>>();

onPersonChange(() => {
  for (const entry of entries) {
    stop(entry);
    change(entry, NOTHING);
  }
});
// There is no document while the server renders.
globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const entry of entries) if (entry.readers.size > 0 && isOld(entry)) void load(entry);
});

/**
 * Reads a URL. All readers share one request and one value, which outlives later failures. It is
 * read again when the tab is seen again, and forgotten with its last reader.
 *
 * @param url Null: nothing to load.
 * @param parse The same function between renders and for all readers of the URL: from a module.
 */
export function useResource<T>(url: string | null, parse: Parser<T>) {
  const { entry, state } = useEntry(url, parse);
  return useMemo(() => toResource(entry, state.pages[0]), [entry, state]);
}

/** As `useResource`, for a list of pages, each with the cursor of the `next` one. */
export function usePages<P extends { items: unknown[] }>(url: string, parse: Parser<P>) {
  const { entry, state } = useEntry(url, parse);
  return useMemo(() => {
    const { pages, wanted, error } = state;
    const last = pages.at(-1);
    const all = last && { ...last, items: pages.flatMap(({ items }) => items) };
    return {
      ...toResource<P>(entry, all),
      hasMore: nextOf(last) !== null,
      isBusy: last !== undefined && wanted > pages.length && error === undefined,
      loadMore: () => {
        change(entry, { wanted: pages.length + 1, error: undefined });
        // A running request goes on to that page.
        void load(entry, pages);
      },
    };
  }, [entry, state]);
}

/** Reads URLs on screen again that begin with `prefix`, because their answers have changed. */
export function invalidate(prefix: string): void {
  for (const entry of entries) {
    if (!entry.url.startsWith(prefix)) continue;
    stop(entry);
    if (entry.readers.size > 0) void load(entry);
  }
  for (const [listener, url] of watchers) if (url.startsWith(prefix)) listener();
}

/** Readers with a cache of their own, such as the list. */
const watchers = new Map<() => void, string>();

/** Calls `listener` when the answer of a URL has changed. @returns Ends that. */
export function watchUrl(url: string, listener: () => void): () => void {
  watchers.set(listener, url);
  return () => watchers.delete(listener);
}

function useEntry<T>(url: string | null, parse: Parser<T>) {
  const entry = useMemo(() => findEntry(url ?? "", parse), [url, parse]);
  const join = useCallback((reader: () => void) => addReader(entry, reader), [entry]);
  const getState = () => entry.state;
  return { entry, state: useSyncExternalStore(join, getState, getState) };
}

function findEntry<T>(url: string, parse: Parser<T>): Entry<T> {
  const isSame = (entry: Entry<unknown>): entry is Entry<T> =>
    entry.url === url && entry.parse === parse;
  const found = [...entries].find(isSame);
  if (found) return found;
  const entry: Entry<T> = {
    url,
    parse,
    readers: new Set(),
    reload: () => void load(entry),
    state: NOTHING,
    askedAt: 0,
    running: null,
  };
  entries.add(entry);
  return entry;
}

function addReader<T>(entry: Entry<T>, reader: () => void): () => void {
  entries.add(entry);
  entry.readers.add(reader);
  if (isOld(entry)) void load(entry);
  return () => {
    entry.readers.delete(reader);
    // Another reader may come in the same commit.
    queueMicrotask(() => {
      if (entry.readers.size === 0) stop(entry);
      // Also drops entries of renders that were never shown.
      for (const each of entries) if (each.readers.size === 0) entries.delete(each);
    });
  };
}

/** Reads all wanted pages, from the first one or from the one after `pages` on. */
async function load<T>(entry: Entry<T>, pages: readonly T[] = []): Promise<void> {
  if (entry.running !== null || entry.url === "") return;
  const controller = new AbortController();
  const { signal } = controller;
  entry.running = controller;
  if (pages.length === 0) entry.askedAt = Date.now();
  let outcome: Partial<State<T>>;
  try {
    const read = [...pages];
    do {
      const query = { after: nextOf(read.at(-1)) };
      read.push(await callApi(entry.url, { query, signal, parse: entry.parse }));
    } while (read.length < entry.state.wanted && nextOf(read.at(-1)) !== null);
    outcome = { pages: read, wanted: read.length, error: undefined };
  } catch (error) {
    // After a 401 the sign-in form covers the screen; then everything loads again.
    outcome = failedResponse(error).status === 401 ? {} : { error };
  }
  // A newer request has taken over, or no reader is left.
  if (entry.running !== controller) return;
  if (!("pages" in outcome)) entry.askedAt = 0;
  entry.running = null;
  change(entry, outcome);
}

function change<T>(entry: Entry<T>, changed: Partial<State<T>>): void {
  entry.state = { ...entry.state, ...changed };
  for (const reader of entry.readers) reader();
}

/** Aborts the request of an entry; its next reader requests it again. */
function stop(entry: Entry<unknown>): void {
  entry.running?.abort();
  entry.running = null;
  entry.askedAt = 0;
}

/** Whether something is old enough to be read again when the tab is seen. */
export function isOld({ askedAt }: { askedAt: number }): boolean {
  return Date.now() - askedAt >= LEAST_AGE_MS;
}

function nextOf(page: unknown): string | null {
  return isRecord(page) && typeof page.next === "string" ? page.next : null;
}

function toResource<T>(entry: Entry<T>, value: T | undefined) {
  const { error } = entry.state;
  return {
    value,
    error,
    reload: entry.reload,
    /** Shows the server's answer to a write. */
    set: (next: T) => {
      stop(entry);
      entry.askedAt = Date.now();
      change(entry, { pages: [next], error: undefined });
    },
  };
}

interface Props<T> {
  of: Loadable<T> & { hasMore?: boolean; isBusy?: boolean; loadMore?: () => void };
  lines: number;
  label?: string;
  /** For a list of pages: the label of the button for the next one. */
  more?: string;
  children: (value: T) => ReactNode;
}

/** A skeleton until the value is there, and the error of reading it. */
export function Loaded<T>({ of, lines, label, more, children }: Props<T>) {
  const { value, error, reload } = of;
  const failure = error !== undefined && <Failure error={error} onRetry={reload} />;
  return (
    <>
      {more === undefined && failure}
      {value !== undefined && children(value)}
      {value === undefined && error === undefined && (
        <Skeleton lines={lines} {...(label !== undefined && { label })} />
      )}
      {more !== undefined && failure}
      {of.hasMore && !failure && (
        <Button aria-disabled={of.isBusy} onClick={of.loadMore}>
          {more}
        </Button>
      )}
    </>
  );
}
