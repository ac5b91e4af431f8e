import type { RowClass } from "../../shared/import.ts";

/** What each class of rows is called, and what a commit does with its rows. */
export const rowClassTexts: Readonly<Record<RowClass, { label: string; explanation: string }>> = {
  new: {
    label: "New",
    explanation: "These names are not in the register yet. They will be added.",
  },
  changed: {
    label: "Changed",
    explanation: "These names are in the register, and the file says something else of them.",
  },
  same: { label: "Same", explanation: "The file says of these names what is known. They stay." },
  duplicate: {
    label: "Repeated",
    explanation: "Another row of the file has the same name already. These rows are left out.",
  },
  invalid: {
    label: "Not readable",
    explanation: "These rows have no domain name. They are left out.",
  },
  missing: {
    label: "Missing from the file",
    explanation:
      "These names are in the register at the same registrar, and not in the file. They stay as they are: you may want to look where they went.",
  },
};
