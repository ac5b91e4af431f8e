import { useEffect } from "react";

/** One entry for each reason why leaving the page would lose something. */
const reasons = new Set<symbol>();

/**
 * Registers something that is only in this page's memory. Until it is released, the page does not
 * reload by itself and the browser asks before it leaves. @returns Releases it.
 */
export function addUnsavedChanges(): () => void {
  const reason = Symbol();
  reasons.add(reason);
  // Only while needed: some browsers keep no page with this listener in the back cache.
  addEventListener("beforeunload", askBeforeLeaving);
  return () => {
    reasons.delete(reason);
    if (reasons.size === 0) removeEventListener("beforeunload", askBeforeLeaving);
  };
}

export function useUnsavedChanges(dirty: boolean): void {
  useEffect(() => (dirty ? addUnsavedChanges() : undefined), [dirty]);
}

export function hasUnsavedChanges(): boolean {
  return reasons.size > 0;
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
