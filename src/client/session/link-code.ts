import { useEffect } from "react";
import { createStore, useStore } from "../ui/store.ts";

const KINDS = ["set-up", "invitation", "reset"] as const;

/** What a link is for, and its secret. */
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

/** Forgets the code: it was used, or is of no use. */
export function forgetLinkCode(): void {
  link.set(null);
}

function takeFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  for (const kind of [...KINDS, "sign-in"] as const) {
    const code = parameters.get(kind);
    if (!code) continue;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (kind !== "sign-in") link.set({ kind, code });
    else void import("./single-sign-on.ts").then(({ notifyFailure }) => notifyFailure(code));
  }
}
