import { useInsertionEffect, useRef, useState } from "react";

/**
 * What wouter takes from React, for the React that is installed: it stands in for wouter's own
 * `react-deps.js`, which also serves versions before 18 and therefore keeps all of React in the
 * bundle, and a replacement of `useSyncExternalStore` beside it.
 */
export {
  cloneElement,
  createContext,
  createElement,
  forwardRef,
  Fragment,
  isValidElement,
  useContext,
  useInsertionEffect,
  useLayoutEffect as useIsomorphicLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from "react";

type Callback = (...args: unknown[]) => unknown;

/** A function that stays the same and always calls the latest one that was given. */
export function useEvent(callback: Callback): Callback {
  const latest = useRef(callback);
  const [stable] = useState(
    (): Callback =>
      (...args) =>
        latest.current(...args),
  );
  useInsertionEffect(() => {
    latest.current = callback;
  });
  return stable;
}
