import type { RowFilter } from "../../shared/import.ts";

/** Labels of the classes of rows, and what a commit does with each. */
export const rowClassTexts: Readonly<Record<RowFilter, { label: string; explanation: string }>> = {
  new: { label: "New", explanation: "Not in your register yet." },
  changed: {
    label: "Changed",
    explanation: "The file replaces these values, even those set by hand.",
  },
  same: { label: "Unchanged", explanation: "Already up to date." },
  duplicate: { label: "Duplicate", explanation: "Skipped: an earlier row has the same domain." },
  invalid: { label: "Invalid", explanation: "Skipped: no valid domain name." },
  missing: {
    label: "Not in this file",
    explanation:
      "At the same registrar in your register, but not in the file: transferred or deleted? They stay as they are.",
  },
  partly: {
    label: "Partly read",
    explanation: "One of the values can’t be read: that field stays empty.",
  },
  skipped: { label: "Left out", explanation: "You left these rows out." },
};
