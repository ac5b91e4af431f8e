import { OIDC_FAILURES } from "../../shared/oidc.ts";
import { notify } from "../ui/notifications.ts";
import { forgetLinkCode, getLinkCode } from "./link-code.ts";

const FAILURES: Readonly<Record<string, string>> = OIDC_FAILURES;

/** Says why the single sign-on that led to this page failed, if it did. */
export function notifyFailure(): void {
  const link = getLinkCode();
  if (link?.kind !== "sign-in") return;
  notify({ text: FAILURES[link.code] ?? OIDC_FAILURES.refused });
  forgetLinkCode();
}
