import type { BulkOperation } from "../register-contract.ts";
import { decisions } from "./domains-api.ts";

type Edit = Extract<BulkOperation, { kind: "edit" }>;

/** Fields of the bulk form that are typed; what is left empty stays as it is. */
export const bulkTexts = ["registrar", "account", "owner"] as const;

/** What stands for "make it unknown" in a choice, where empty means "leave it". */
export const UNKNOWN = "unknown";

/**
 * What a filled-in bulk form asks for; null where that is nothing at all. The boxes named `clear`
 * hold the typed fields that are to become unknown.
 */
export function readBulkForm({ elements }: HTMLFormElement): Edit | null {
  const text = (name: string) => {
    const control = elements.namedItem(name);
    const typed = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    return typed ? control.value.trim() : "";
  };
  const edit: Edit = { kind: "edit" };
  const boxes = [...elements].filter((each) => each instanceof HTMLInputElement);
  const clears = (field: string) =>
    boxes.some(({ name, checked, value }) => name === "clear" && checked && value === field);
  for (const name of bulkTexts) {
    if (clears(name)) edit[name] = null;
    else if (text(name)) edit[name] = text(name);
  }
  const decision = text("decision");
  if (decision) edit.decision = decisions.find((known) => known === decision) ?? null;
  const autoRenew = text("autoRenew");
  if (autoRenew) edit.autoRenew = autoRenew === UNKNOWN ? null : autoRenew === "true";
  const [addTags, removeTags] = [toTags(text("addTags")), toTags(text("removeTags"))];
  if (addTags.length > 0) edit.addTags = addTags;
  if (removeTags.length > 0) edit.removeTags = removeTags;
  return Object.keys(edit).length > 1 ? edit : null;
}

/** Tags as they are typed: separated by commas, each once. */
function toTags(text: string): string[] {
  const tags = text.split(",").map((tag) => tag.trim());
  return [...new Set(tags)].filter((tag) => tag !== "");
}
