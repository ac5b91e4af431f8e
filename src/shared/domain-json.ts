import type { Decision, Renewal } from "./contract.ts";
import { parseRecord, textOrNull } from "./parse-json.ts";

/** What can be decided about a name, in the order in which it is offered. */
export const decisions: readonly Decision[] = ["keep", "watch", "transfer", "drop"];

/** Reads a price as the API writes it. @throws {TypeError} for anything else. */
export function parseRenewal(json: unknown): Renewal {
  const { minor, currency, years } = parseRecord(json);
  return {
    minor: Number(minor),
    currency: textOrNull(currency),
    years: typeof years === "number" ? years : null,
  };
}
