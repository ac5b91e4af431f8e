import { OIDC_FAILURES } from "../../shared/oidc.ts";
import { notify } from "../ui/notifications.ts";

const FAILURES: Readonly<Record<string, string>> = OIDC_FAILURES;

/** Says why a single sign-on, which has led back here, failed. */
export function notifyFailure(reason: string): void {
  notify({ text: FAILURES[reason] ?? OIDC_FAILURES.refused });
}
