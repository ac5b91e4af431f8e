import { useCallback, useMemo, useSyncExternalStore } from "react";
import { isRecord, type Parser } from "../../shared/parse.ts";
import { failedResponse, Failure } from "../session/failure.tsx";
import { callApi, onPersonChange } from "../session/session-store.ts";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/notice.tsx";

/** What a component knows of a URL; without a value and an error, it is still loading. */
export interface Resource<T> {
  value: T | undefined;
  /** Why the latest request failed; a value beside it is older. */
  error: unknown;
  /** Reads it again, unless it is being read. */
  reload: () => void;
}

interface State<T> {
  pages: readonly T[];
  /** How many pages are to be shown. */
  wanted: number;
  error: unknown;
}

/** One URL with everybody who shows it. */
interface Entry<T> {
  readonly url: string;
  readonly parse: Parser<T>;
  readonly readers: Set<() => void>;
  readonly reload: () => void;
  state: State<T>;
  /** When its first page was requested last; 0: that failed, or has to be done again. */
  askedAt: number;
  running: AbortController | null;
}

/** A tab that is seen again, or another reader, asks for nothing that is younger. */
const LEAST_AGE_MS = 5_000;
const NOTHING = { pages: [], wanted: 1, error: undefined } as const;
/** What is shown. One that is not yet, or no longer, is held by its component alone. */
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
 * Loads what a URL answers. All who show it share one request and its value, which stays when a later
 * request fails. It is read again when the tab is seen again, and forgotten when the last one leaves.
 *
 * @param url Null: nothing to load.
 * @param parse The same function between renders, and for all who read the URL: from a module.
 */
export function useResource<T>(url: string | null, parse: Parser<T>) {
  const { entry, state } = useEntry(url, parse);
  return useMemo(() => toResource(entry, state.pages[0]), [entry, state]);
}

/** As `useResource`, for a list that comes page by page: `next` of a page leads to the next one. */
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
        // A request that is on its way reads on to that page.
        void load(entry, pages);
      },
    };
  }, [entry, state]);
}

/** Reads again what is shown of the URLs that begin with `prefix`: their answers have changed. */
export function invalidate(prefix: string): void {
  for (const entry of entries) {
    if (!entry.url.startsWith(prefix)) continue;
    stop(entry);
    if (entry.readers.size > 0) void load(entry);
  }
  for (const [listener, url] of watchers) if (url.startsWith(prefix)) listener();
}

/** Those who read a URL in a way of their own, such as the list by offset. */
const watchers = new Map<() => void, string>();

/** Calls `listener` when what a URL answers has changed. @returns Ends that. */
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

/** @returns Takes the reader away. */
function addReader<T>(entry: Entry<T>, reader: () => void): () => void {
  entries.add(entry);
  entry.readers.add(reader);
  if (isOld(entry)) void load(entry);
  return () => {
    entry.readers.delete(reader);
    // Another may take over in the same commit.
    queueMicrotask(() => {
      if (entry.readers.size === 0) stop(entry);
      // With it go those of renders that were never shown.
      for (const each of entries) if (each.readers.size === 0) entries.delete(each);
    });
  };
}

/** Reads from the first page on, or from the one after `pages`, as far as it is wanted. */
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
    // After a 401 the sign-in form covers the screen, and what comes back with it loads again.
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

/** Aborts the request of an entry; whoever shows it next asks again. */
function stop(entry: Entry<unknown>): void {
  entry.running?.abort();
  entry.running = null;
  entry.askedAt = 0;
}

/** Whether what was asked for then is to be read again when the tab is seen again. */
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
    /** Shows what the server answered to a write. */
    set: (next: T) => {
      stop(entry);
      entry.askedAt = Date.now();
      change(entry, { pages: [next], error: undefined });
    },
  };
}

interface Props<T> {
  of: Resource<T> & { hasMore?: boolean; isBusy?: boolean; loadMore?: () => void };
  /** Lines of the skeleton that is shown until the value is there. */
  lines: number;
  label?: string;
  /** Of a list that comes page by page: what the button of the next page is called. */
  more?: string;
  children: (value: T) => ReactNode;
}

/** What is loaded: a skeleton until it is there, and why it could not be read, or read again. */
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

/** Two resources as one, for what needs both. */
export function both<A, B>(one: Resource<A>, other: Resource<B>): Resource<readonly [A, B]> {
  const [a, b] = [one.value, other.value];
  return {
    value: a !== undefined && b !== undefined ? [a, b] : undefined,
    error: one.error ?? other.error,
    reload: () => [one, other].forEach(({ reload }) => reload()),
  };
}
