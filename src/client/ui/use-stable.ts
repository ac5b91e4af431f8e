import { useCallback, useLayoutEffect, useRef } from "react";

/**
 * A function that stays the same between renders and calls that of the last one, so that what
 * receives it renders only when it has to. Not to be called while rendering.
 */
export function useStable<A extends unknown[], R>(act: (...args: A) => R): (...args: A) => R {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
