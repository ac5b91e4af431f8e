import type { Domain } from "./domain.ts";

/** Why a domain needs somebody, and what to do about it, each without its full stop. */
export interface ExpiryAdvice {
  why: string;
  todo: string;
}

/**
 * What to do about the expiry of a domain, for every place that says it; null where nothing is.
 *
 * @param isOver Its due day has passed.
 */
export function expiryAdvice(
  { registrar, autoRenew, decision }: Pick<Domain, "registrar" | "autoRenew" | "decision">,
  isOver: boolean,
): ExpiryAdvice | null {
  const where = registrar ?? "the registrar";
  const isAuto = autoRenew === null ? "unknown" : autoRenew ? "on" : "off";
  if (decision === "drop") {
    if (autoRenew === false) return null;
    return autoRenew
      ? {
          why: `You want to drop it, but auto-renew is on`,
          todo: `Turn off auto-renew at ${where}`,
        }
      : { why: "You want to drop it", todo: `Check that auto-renew is off at ${where}` };
  }
  if (isOver) {
    return autoRenew
      ? { why: "Expired, though auto-renew is on", todo: `Check at ${where} why it hasn’t renewed` }
      : { why: "Expired", todo: `Renew it at ${where} now; that may still be possible` };
  }
  if (decision === "transfer") {
    return { why: "", todo: `Start the transfer from ${where}: it can take a week` };
  }
  if (autoRenew) return { why: "Set to renew", todo: `Check the payment at ${where}` };
  return decision === "keep"
    ? { why: `Auto-renew is ${isAuto}`, todo: `Renew it at ${where}` }
    : { why: `Undecided, auto-renew ${isAuto}`, todo: `Renew it at ${where}, or drop it` };
}
