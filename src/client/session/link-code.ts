import { useSyncExternalStore } from "react";

/** What a printed link is for, and its secret. */
interface LinkCode {
  kind: "set-up" | "reset";
  code: string;
}

let link: LinkCode | null = null;
const listeners = new Set<() => void>();

/**
 * The code in the fragment of the link with which the page was opened, until it was used. It is taken
 * out of the address: a secret must not stay there or in the history.
 */
export function useLinkCode(): LinkCode | null {
  return useSyncExternalStore(
    subscribe,
    () => link,
    () => null,
  );
}

/** Forgets the code: it was used. */
export function forgetLinkCode(): void {
  become(null);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  takeFromAddress();
  // The link may be opened in a tab that shows this page already.
  addEventListener("hashchange", takeFromAddress);
  return () => listeners.delete(listener);
}

function takeFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const kind of ["set-up", "reset"] as const) {
    const code = parameters.get(kind);
    if (!code) continue;
    history.replaceState(history.state, "", location.pathname + location.search);
    become({ kind, code });
  }
}

function become(next: LinkCode | null): void {
  link = next;
  for (const listener of listeners) listener();
}
