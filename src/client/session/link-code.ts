import { useEffect, useState } from "react";

/** What a printed link is for, and its secret. */
export interface LinkCode {
  kind: "set-up" | "reset";
  code: string;
}

/**
 * The code in the fragment of the link with which the page was opened, and what forgets it. It is taken
 * out of the address: a secret must not stay there or in the history.
 */
export function useLinkCode(): [LinkCode | null, () => void] {
  const [link, setLink] = useState<LinkCode | null>(null);
  useEffect(() => {
    const read = () => {
      const found = readLinkCode();
      if (found === null) return;
      setLink(found);
      history.replaceState(history.state, "", location.pathname + location.search);
    };
    read();
    // The link may be opened in a tab that shows this page already.
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return [link, () => setLink(null)];
}

function readLinkCode(): LinkCode | null {
  const [, kind, code = ""] = /^#(set-up|reset)=(.+)/.exec(location.hash) ?? [];
  if (kind !== "set-up" && kind !== "reset") return null;
  try {
    return { kind, code: decodeURIComponent(code) };
  } catch {
    return { kind, code };
  }
}
