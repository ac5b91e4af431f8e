import type { DateOrder, ImportField, RowClass } from "../../shared/import-contract.ts";

/** What a column can mean, in the order in which it is offered, and what that is called. */
export const fieldWords: Readonly<Record<ImportField, string>> = {
  name: "Domain name",
  expires: "Expires on",
  autoRenew: "Auto-renew",
  renewalPrice: "Renewal price",
  currency: "Currency",
  years: "Years per renewal",
  registrar: "Registrar",
  account: "Account",
  owner: "Owner",
  tags: "Tags",
  decision: "Decision",
  notes: "Notes",
};

export const fieldNames: readonly ImportField[] = Object.keys(fieldWords).filter(isField);

/** Whether a text names something that a column can mean. */
export function isField(text: string): text is ImportField {
  return Object.hasOwn(fieldWords, text);
}

/** The classes of rows, in the order of the preview: what would happen comes first. */
export const rowClasses: readonly RowClass[] = [
  "new",
  "changed",
  "same",
  "duplicate",
  "invalid",
  "missing",
];

/** What a class is called, and what a commit does with its rows. */
export const classWords: Readonly<Record<RowClass, { name: string; meaning: string }>> = {
  new: { name: "New", meaning: "These names are not in the register yet. They will be added." },
  changed: {
    name: "Changed",
    meaning: "These names are in the register, and the file says something else of them.",
  },
  same: { name: "Same", meaning: "The file says of these names what is known. They stay." },
  duplicate: {
    name: "Repeated",
    meaning: "Another row of the file has the same name already. These rows are left out.",
  },
  invalid: { name: "Not readable", meaning: "These rows have no domain name. They are left out." },
  missing: {
    name: "Missing from the file",
    meaning:
      "These names are in the register at the same registrar, and not in the file. They stay as they are: you may want to look where they went.",
  },
};

/** How `05/01/2027` is meant, in words. */
export const orderWords: Readonly<Record<DateOrder, string>> = {
  dmy: "Day first",
  mdy: "Month first",
  ymd: "Year first",
};
