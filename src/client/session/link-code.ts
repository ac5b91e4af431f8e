import { useEffect } from "react";
import { createStore, useStore } from "../ui/store.ts";

/** What a printed link is for, and its secret. */
interface LinkCode {
  kind: "set-up" | "reset";
  code: string;
}

const link = createStore<LinkCode | null>(null);

/**
 * The code in the fragment of the link with which the page was opened, until it was used. It is taken
 * out of the address: a secret must not stay there or in the history.
 */
export function useLinkCode(): LinkCode | null {
  useEffect(() => {
    takeFromAddress();
    // The link may be opened in a tab that shows this page already.
    addEventListener("hashchange", takeFromAddress);
  }, []);
  return useStore(link);
}

/** Forgets the code: it was used. */
export function forgetLinkCode(): void {
  link.set(null);
}

function takeFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const kind of ["set-up", "reset"] as const) {
    const code = parameters.get(kind);
    if (!code) continue;
    history.replaceState(history.state, "", location.pathname + location.search);
    link.set({ kind, code });
  }
}
