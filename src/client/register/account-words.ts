import type { Account, AccountQuestion } from "../../shared/accounts.ts";
import { formatDomainCount } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";

/** The address of an account's screen. */
export function accountPath(id: string): string {
  return `/registrars/accounts/${id}`;
}

/** How many names, as part of a sentence: `1 new name`. */
function namesInWords(count: number, kind: string): string {
  return `${formatNumber(count)} ${kind} ${count === 1 ? "name" : "names"}`;
}

/** How much of an account its list still has. */
export function lossInWords({ now, was }: AccountQuestion): string {
  return `Only ${formatNumber(now)} of ${formatDomainCount(was)} still listed`;
}

/** What an account wants a person to look at, the gravest first. */
export function wantsOf({ state, question, counts }: Account): string[] {
  return [
    state === "refused" && "No longer read: the registrar refuses it",
    question && lossInWords(question),
    counts.new > 0 && namesInWords(counts.new, "new"),
    counts.vanished > 0 && namesInWords(counts.vanished, "vanished"),
  ].flatMap((text) => text || []);
}
