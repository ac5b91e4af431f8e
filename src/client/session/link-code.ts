import { useEffect } from "react";
import { createStore, useStore } from "../ui/store.ts";

const KINDS = ["set-up", "invitation", "reset", "sign-in"] as const;

/** What a link is for, and its secret; of `sign-in`, why a single sign-on, which led here, failed. */
interface LinkCode {
  kind: (typeof KINDS)[number];
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

/** Whether a link is for whoever opens it, signed in or not. */
export function isForNewPassword(of: LinkCode | null): boolean {
  return of?.kind === "invitation" || of?.kind === "reset";
}

/** Forgets the code: it was used, or is of no use. */
export function forgetLinkCode(): void {
  link.set(null);
}

function takeFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const kind of KINDS) {
    const code = parameters.get(kind);
    if (!code) continue;
    history.replaceState(history.state, "", location.pathname + location.search);
    link.set({ kind, code });
  }
}
