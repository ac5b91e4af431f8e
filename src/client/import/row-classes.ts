import type { RowFilter } from "../../shared/import.ts";
import { formatDomainCount } from "../ui/format.ts";

/** What each class of rows is called, and what a commit does with its rows. */
export const rowClassTexts: Readonly<Record<RowFilter, { label: string; explanation: string }>> = {
  new: {
    label: "New",
    explanation: "These domains are not in your register yet. They will be added.",
  },
  changed: {
    label: "Changed",
    explanation: "The file will update these domains.",
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
    explanation: "These rows have a value we couldn’t read. That field stays empty.",
  },
  skipped: {
    label: "Left out",
    explanation: "You left these rows out. They will not be imported.",
  },
};

/** What happens to how many domains: `3 domains added, 1 domain updated.`, without zeros. */
export function summarizeCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([verb, count]) => `${formatDomainCount(count)} ${verb}`);
  return parts.length > 0 ? `${parts.join(", ")}.` : "no changes.";
}
