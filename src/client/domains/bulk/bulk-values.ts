import type { BulkOperation } from "../../../shared/register-contract.ts";
import { decisions } from "../../../shared/domain-json.ts";
import { toTags } from "../../../shared/tags.ts";

type Edit = Extract<BulkOperation, { kind: "edit" }>;

/** Fields of the bulk form that are typed; what is left empty stays as it is. */
export const bulkTexts = ["registrar", "account", "owner"] as const;

const names = [...bulkTexts, "decision", "autoRenew", "addTags", "removeTags"] as const;

export type BulkText = (typeof bulkTexts)[number];
export type BulkName = (typeof names)[number];

/** What the bulk form holds: texts as they are typed or chosen, and the fields to make unknown. */
export interface BulkValues extends Record<BulkName, string> {
  clear: readonly BulkText[];
}

/** What stands for "make it unknown" in a choice, where empty means "leave it". */
export const UNKNOWN = "unknown";

/** The form as it is opened: everything stays as it is. */
export const NO_CHANGE: BulkValues = {
  registrar: "",
  account: "",
  owner: "",
  decision: "",
  autoRenew: "",
  addTags: "",
  removeTags: "",
  clear: [],
};

/** Whether anything is filled in, be it of use or not. */
export function isFilledIn(values: BulkValues): boolean {
  return values.clear.length > 0 || names.some((name) => values[name].trim() !== "");
}

/** What a filled-in bulk form asks for; null where that is nothing at all. */
export function toBulkEdit(values: BulkValues): Edit | null {
  const edit: Edit = { kind: "edit" };
  for (const name of bulkTexts) {
    const text = values[name].trim();
    if (values.clear.includes(name)) edit[name] = null;
    else if (text) edit[name] = text;
  }
  const { decision, autoRenew } = values;
  if (decision) edit.decision = decisions.find((known) => known === decision) ?? null;
  if (autoRenew) edit.autoRenew = autoRenew === UNKNOWN ? null : autoRenew === "true";
  const [addTags, removeTags] = [toTags(values.addTags), toTags(values.removeTags)];
  if (addTags.length > 0) edit.addTags = addTags;
  if (removeTags.length > 0) edit.removeTags = removeTags;
  return Object.keys(edit).length > 1 ? edit : null;
}
