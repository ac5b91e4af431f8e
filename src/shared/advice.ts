import type { Domain } from "./domain.ts";
import type { FindingCode } from "./findings.ts";
import type { Work } from "./work.ts";

/** What an expiry that has passed explains: a domain is on hold as its registrar waits for the renewal. */
export const HOLDS: readonly string[] = [
  "registrar-on-hold",
  "client-hold",
  "server-hold",
] satisfies readonly FindingCode[];

/**
 * Why a domain needs attention, and what to do about its expiry, each without its full stop, for every
 * place that says it; null where nothing is to be done.
 *
 * @param isOver Its due day has passed.
 */
export function expiryAdvice(
  {
    registrar,
    autoRenew,
    decision,
    findingCodes,
  }: Pick<Domain, "registrar" | "autoRenew" | "decision" | "findingCodes">,
  isOver: boolean,
): readonly [why: string, todo: string] | null {
  const where = registrar ?? "the registrar";
  const flag = autoRenew === null ? "unknown" : autoRenew ? "on" : "off";
  if (decision === "drop") {
    const todo = autoRenew ? "Turn off auto-renew" : "Check that auto-renew is off";
    if (autoRenew === false) return null;
    return [`You want to drop it, but auto-renew is ${flag}`, `${todo} at ${where}`];
  }
  if (isOver) {
    const isHeld = findingCodes.some((code) => HOLDS.includes(code));
    if (isHeld) return ["Expired and on hold", `Renew it at ${where} now`];
    return autoRenew
      ? ["Expired, though auto-renew is on", `Check at ${where} why it hasn’t renewed`]
      : ["Expired", `Renew it at ${where} now; that may still be possible`];
  }
  if (decision === "transfer") return ["", `Start the transfer from ${where}: it can take a week`];
  if (autoRenew) return null;
  return decision === "keep"
    ? [`Auto-renew is ${flag}`, `Renew it at ${where}`]
    : [`Undecided, auto-renew ${flag}`, `Renew it at ${where}, or drop it`];
}

/** What can be done with many domains at once, and the work that it ends. */
export const GROUP_ACTIONS = {
  renewed: ["expired", "renew"],
  keep: ["undecided"],
  "switch-off": ["switch-off"],
  transfer: ["transfer"],
} as const satisfies Readonly<Record<string, readonly Work[]>>;
