import type { Domain } from "../../../shared/contract.ts";
import { parseRecord, textOrNull } from "../../../shared/parse-json.ts";
import { type DomainValues, isValueName, toValues } from "../domain-values.ts";
import { parseDomain } from "../domains-api.ts";
import { store, readStoredJson } from "../../session/session-storage.ts";

/** What is typed in the dialog and not saved yet; `base` is the version that it started from. */
export interface Draft {
  base: Domain | null;
  values: DomainValues;
}

const KEY = "domain-draft";

/** Keeps a draft for this tab, across a reload. */
export function keepDraft(draft: Draft): void {
  store(KEY, JSON.stringify(draft));
}

/** Forgets the draft: it was saved, or given up. */
export function dropDraft(): void {
  store(KEY, null);
}

/** The draft of this tab, if there is one that can be read. */
export function readDraft(): Draft | null {
  return readStoredJson(KEY, parseDraft);
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
