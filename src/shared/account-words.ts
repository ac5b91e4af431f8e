import type { Outcome } from "./accounts.ts";

/** Why a list could not be read, as the beginning of a sentence. */
const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  ok: "The list is complete",
  credentials: "The key is wrong or was revoked",
  address: "The registrar does not allow the address of this server",
  access: "The key is missing a permission, or the plan has no API access",
  clock: "The clock of this server is off",
  limited: "The registrar wants fewer requests",
  broken: "The registrar sent no list of domains",
  unstable: "The list changed while it was read",
};

/** Why a reading failed, with what the registrar said and what to do there. */
export function refusalInWords(outcome: Outcome | null, detail: string | null): string {
  // What was broken, the detail says itself.
  const isSaid = outcome === "broken" && detail;
  return [!isSaid && outcome && `${OUTCOME_WORDS[outcome]}.`, detail].filter(Boolean).join(" ");
}
