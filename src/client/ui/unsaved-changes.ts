import { useEffect } from "react";

/** One entry for each reason why leaving the page would lose something. */
const reasons = new Set<symbol>();

/**
 * Registers something that is only in this page's memory, such as a file on its way to the server.
 * Until it is released, the page does not reload by itself and the browser asks before it leaves.
 *
 * @returns Releases it.
 */
export function addUnsavedChanges(): () => void {
  const reason = Symbol();
  reasons.add(reason);
  // Only while it is needed: some browsers keep no page with this listener in the back cache.
  addEventListener("beforeunload", askBeforeLeaving);
  return () => {
    reasons.delete(reason);
    if (reasons.size === 0) removeEventListener("beforeunload", askBeforeLeaving);
  };
}

/** As `addUnsavedChanges`, for as long as a component has some. */
export function useUnsavedChanges(dirty: boolean): void {
  useEffect(() => (dirty ? addUnsavedChanges() : undefined), [dirty]);
}

/** Whether leaving the page would lose something. */
export function hasUnsavedChanges(): boolean {
  return reasons.size > 0;
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
