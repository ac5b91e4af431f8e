import type { Account, AccountQuestion, Outcome } from "../../shared/accounts.ts";
import { formatDomainCount } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";

/** The address of an account's screen. */
export function accountPath(id: string): string {
  return `/registrars/accounts/${id}`;
}

/** Why a list could not be read, as the beginning of a sentence. */
const OUTCOMES: Readonly<Record<Outcome, string>> = {
  ok: "The list is complete",
  credentials: "The key is wrong or was revoked",
  address: "The registrar does not allow the address of this server",
  access: "The key lacks a right, or the plan has no API access",
  clock: "The clock of this server is off",
  limited: "The registrar wants fewer requests",
  broken: "No list of domains came",
  unstable: "The list changed while it was read",
};

/** Why a reading failed, with what the registrar said and what to do there. */
export function refusalInWords(outcome: Outcome | null, detail: string | null): string {
  return [outcome && `${OUTCOMES[outcome]}.`, detail].filter(Boolean).join(" ");
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
