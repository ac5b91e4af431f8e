import { useRef, useState } from "react";
import { notify } from "../ui/notifications.ts";
import { addUnsavedChanges } from "../ui/unsaved-changes.ts";
import { explain, failedResponse } from "./failure.tsx";
import { isUnproven } from "./session-store.ts";

/**
 * Runs something that a person starts and the server does, one at a time. The page does not reload
 * by itself meanwhile.
 *
 * @param isShown Whether a failure becomes the `error`.
 */
export function useAction<A extends unknown[], R>(
  act: (...args: A) => Promise<R>,
  isShown = isForForm,
) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const running = useRef(false);

  /** Undefined: it failed, or was running. */
  async function run(...args: A): Promise<R | undefined> {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setError(undefined);
    const release = addUnsavedChanges();
    try {
      return await act(...args);
    } catch (problem) {
      if (isShown(problem)) setError(problem);
      return undefined;
    } finally {
      release();
      running.current = false;
      setBusy(false);
    }
  }

  return { run, isBusy, error, clear: () => setError(undefined) };
}

/** No 401, after which the sign-in form covers the screen, and no declined password. */
function isForForm(problem: unknown): boolean {
  return failedResponse(problem).status !== 401 && !isUnproven(problem);
}

/** Does what outlives its component. A failure is a notification, which begins with `failed`. */
export async function actInBackground(failed: string, act: () => Promise<void>): Promise<void> {
  const release = addUnsavedChanges();
  try {
    await act();
  } catch (error) {
    if (!isUnproven(error)) notify({ text: `${failed} ${explain(error)}` });
  } finally {
    release();
  }
}
