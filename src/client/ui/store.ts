import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from "react";

interface Store<T> {
  readonly initial: T;
  get(): T;
  set(next: T): void;
  /** Calls `listener` after every `set`. @returns Ends that. */
  watch(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    get: () => current,
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store, kept up to date; the initial one while prerendering and hydrating. */
export function useStore<T>({ initial, get, watch }: Store<T>): T {
  return useSyncExternalStore(watch, get, () => initial);
}

/**
 * A function that stays the same between renders and calls the latest one. Never while rendering.
 */
export function useStable<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
