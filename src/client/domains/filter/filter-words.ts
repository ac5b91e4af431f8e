import { decisions } from "../../../shared/domain-json.ts";
import type { FilterName } from "./view.ts";

/** What each filter is called. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  registrar: "Registrar",
  account: "Account",
  owner: "Owner",
  tag: "Tag",
  tld: "Ending",
  decision: "Decision",
  autoRenew: "Auto-renew",
  expiry: "Expiry",
  expiresFrom: "Expires from",
  expiresBefore: "Expires before",
};

/** What can be chosen for the filters that have a few values only. */
export const filterChoices = {
  decision: {
    ...Object.fromEntries(decisions.map((decision) => [decision, decision])),
    none: "open",
    "not-drop": "anything but drop",
  },
  autoRenew: { true: "on", false: "off", unknown: "unknown", "not-on": "off or unknown" },
  expiry: { known: "known", unknown: "unknown", conflict: "sources disagree" },
} as const satisfies Partial<Record<FilterName, Record<string, string>>>;

/** The value of a filter as the menu says it. */
export function filterInWords(name: FilterName, value: string): string {
  const choices: Partial<Record<FilterName, Record<string, string>>> = filterChoices;
  return choices[name]?.[value] ?? value;
}
