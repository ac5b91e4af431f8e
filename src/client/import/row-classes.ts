import type { RowFilter } from "../../shared/import.ts";
import { formatDomainCount } from "../ui/format.ts";

/** Labels of the classes of rows, and what a commit does with each. */
export const rowClassTexts: Readonly<Record<RowFilter, { label: string; explanation: string }>> = {
  new: {
    label: "New",
    explanation: "These domains are not in your register yet. They will be added.",
  },
  changed: {
    label: "Changed",
    explanation:
      "The file replaces these values, those that you set by hand too. Leave out what should stay.",
  },
  same: { label: "Unchanged", explanation: "These domains are already up to date." },
  duplicate: {
    label: "Duplicate",
    explanation: "An earlier row has the same domain. These rows are skipped.",
  },
  invalid: {
    label: "Invalid",
    explanation: "These rows have no valid domain name. They are skipped.",
  },
  missing: {
    label: "Not in this file",
    explanation:
      "Your register has these domains at the same registrar, but the file does not. They stay unchanged, but may have been transferred or deleted.",
  },
  partly: {
    label: "Partly read",
    explanation: "These rows have a value that couldn’t be read. That field stays empty.",
  },
  skipped: {
    label: "Left out",
    explanation: "You left these rows out. They will not be imported.",
  },
};

/** Counts domains by what happens to them: `3 domains added, 1 domain updated.` */
export function summarizeCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verb, count]) => `${formatDomainCount(count)} ${verb}`);
  return parts.length > 0 ? `${parts.join(", ")}.` : "no changes.";
}
