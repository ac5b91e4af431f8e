import type { Domain } from "../contract.ts";
import { parseRecord, textOrNull } from "../session/parse-json.ts";
import { type DomainValues, isValueName, toValues } from "./domain-values.ts";
import { parseDomain } from "./domains-api.ts";

/** What is typed in the dialog and not saved yet; `base` is the version that it started from. */
export interface Draft {
  base: Domain | null;
  values: DomainValues;
}

const KEY = "domain-draft";

/** Keeps a draft for this tab, across a reload. A full or forbidden storage keeps none. */
export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // The text is still in the form: only a reload would lose it.
  }
}

/** Forgets the draft: it was saved, or given up. */
export function dropDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Where nothing can be stored, there is nothing to forget.
  }
}

/** The draft of this tab, if there is one that can be read. */
export function readDraft(): Draft | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? null : parseDraft(JSON.parse(text));
  } catch {
    return null;
  }
}

function parseDraft(json: unknown): Draft {
  const draft = parseRecord(json);
  const base = draft.base ? parseDomain(draft.base) : null;
  const values = toValues(base);
  for (const [name, value] of Object.entries(parseRecord(draft.values))) {
    if (isValueName(name)) values[name] = textOrNull(value) ?? "";
  }
  return { base, values };
}
