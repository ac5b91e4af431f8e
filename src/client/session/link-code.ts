import { useEffect } from "react";
import { createStore, useStore } from "../ui/store.ts";

const KINDS = ["set-up", "invitation", "reset", "sign-in"] as const;

/** The purpose of a link and its secret; of `sign-in`, why a single sign-on failed. */
interface LinkCode {
  kind: (typeof KINDS)[number];
  code: string;
  /** Whom it is for, if it says so. */
  email: string;
}

const link = createStore<LinkCode | null>(null);

/** The code of the page's link until it is used. A secret must not stay in the address or the history. */
export function useLinkCode(): LinkCode | null {
  useEffect(() => {
    takeFromAddress();
    // The link may be opened in a tab that shows this page.
    addEventListener("hashchange", takeFromAddress);
  }, []);
  return useStore(link);
}

/** Whether a link is for the person who opens it, signed in or not. */
export function isForNewPassword(of: LinkCode | null): boolean {
  return of?.kind === "invitation" || of?.kind === "reset";
}

export function forgetLinkCode(): void {
  link.set(null);
}

function takeFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const kind of KINDS) {
    const code = parameters.get(kind);
    if (!code) continue;
    history.replaceState(history.state, "", location.pathname + location.search);
    link.set({ kind, code, email: parameters.get("email") ?? "" });
  }
}
