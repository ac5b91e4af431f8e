import { useEffect } from "react";
import { notify } from "../ui/notifications.ts";
import { forgetLinkCode, useLinkCode } from "./link-code.ts";
import { actInBackground } from "./use-action.ts";

/** Says why the single sign-on that led to this page failed, if it did. */
export function useSingleSignOnFailure(): void {
  const link = useLinkCode();
  useEffect(() => {
    if (link?.kind !== "sign-in") return;
    forgetLinkCode();
    void actInBackground("Single sign-on failed.", async () => {
      const { OIDC_FAILURES } = await import("../../shared/oidc.ts");
      const failures: Readonly<Record<string, string>> = OIDC_FAILURES;
      notify({ text: failures[link.code] ?? OIDC_FAILURES.refused });
    });
  }, [link]);
}
