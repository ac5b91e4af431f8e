import { useCallback, useEffect, useRef, useState } from "react";

/**
 * Loads a value when the component appears, when `load` changes, and when the tab becomes visible
 * again: another tab or person may have changed it. After a failed reload the old value stays.
 *
 * @param load Has to be the same function between renders: from `useCallback`, or from a module.
 */
export function useLoaded<T extends object>(load: (signal: AbortSignal) => Promise<T>) {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(null);

  const reload = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    load(controller.signal)
      .then((loaded) => setValue(loaded))
      .then(() => setError(undefined))
      .catch((problem: unknown) => controller.signal.aborted || setError(problem));
  }, [load]);

  useEffect(() => {
    const onVisible = () => document.hidden || reload();
    document.addEventListener("visibilitychange", onVisible);
    reload();
    return () => {
      running.current?.abort();
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [reload]);

  return { value, error, reload, setValue };
}

/** Makes the screen that is open now load again, as it does when its tab becomes visible. */
export function reloadScreen(): void {
  document.dispatchEvent(new Event("visibilitychange"));
}
