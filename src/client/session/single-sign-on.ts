import { useEffect } from "react";
import { OIDC_FAILURES } from "../../shared/oidc.ts";
import { notify } from "../ui/notifications.ts";
import { forgetLinkCode, useLinkCode } from "./link-code.ts";

const FAILURES: Readonly<Record<string, string>> = OIDC_FAILURES;

/** Says why the single sign-on that led to this page failed, if it did. */
export function useSingleSignOnFailure(): void {
  const link = useLinkCode();
  useEffect(() => {
    if (link?.kind !== "sign-in") return;
    notify({ text: FAILURES[link.code] ?? OIDC_FAILURES.refused });
    forgetLinkCode();
  }, [link]);
}
