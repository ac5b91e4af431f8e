import type { Account, AccountQuestion } from "../../shared/accounts.ts";
import { formatCount, formatDomainCount, formatNumber } from "../ui/format.ts";

export function accountPath(id: string): string {
  return `/registrars/accounts/${id}`;
}

export function lossInWords({ now, was }: AccountQuestion): string {
  return `Only ${formatNumber(now)} of ${formatDomainCount(was)} still listed`;
}

/** What a person should look at in an account, the gravest first. */
export function wantsOf({ state, question, counts }: Account): string[] {
  return [
    state === "refused" && "No longer read: the registrar refuses it",
    question && lossInWords(question),
    counts.new > 0 && formatCount(counts.new, "new name"),
    counts.vanished > 0 && formatCount(counts.vanished, "vanished name"),
  ].flatMap((text) => text || []);
}
