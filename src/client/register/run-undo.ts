import { fieldInWords } from "../../shared/fields.ts";
import { parseUndone, type Undone } from "../../shared/operations.ts";
import { callApi } from "../session/session-store.ts";
import { formatDomainCount, formatNumber } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { notifyUndoable, undoOperation } from "./undo.ts";

/** 200,000 domains take a minute or more on a busy machine. */
const UNDO_TIMEOUT_MS = 240_000;

const MAX_NAMED = 3;

const WORDS = {
  undo: "Change undone for",
  redo: "Change redone for",
  restore: "Restored",
} as const;

const pathOf = (operations: string) => `/api/operations/${operations}/undo`;

/** Reads what an undo would do now. */
export function foretellUndo(operations: string): Promise<Undone> {
  const dismiss = notify({ text: "Just a moment…" });
  const options = { method: "POST", timeout: UNDO_TIMEOUT_MS, parse: parseUndone };
  return callApi(`${pathOf(operations)}/foretell`, options).finally(dismiss);
}

/** Undoes operations for `undoOperation`, in a script that home loads only for this. */
export async function runUndo(
  operations: string,
  as: "undo" | "redo" | "restore" = "undo",
): Promise<void> {
  const dismiss = notify({ text: "Just a moment…" });
  const options = { method: "POST", timeout: UNDO_TIMEOUT_MS, parse: parseUndone };
  const undone = await callApi(pathOf(operations), options).finally(dismiss);
  const text = describe(undone, WORDS[as]);
  const redo = undone.operation;
  if (as === "redo" || redo === null) notifyUndoable(text, redo);
  else {
    notify({ text, action: { label: "Redo", onAction: () => void undoOperation(redo, "redo") } });
  }
}

function describe({ restored, kept }: Undone, words: string): string {
  const done = restored > 0 ? `${words} ${formatDomainCount(restored)}.` : "Nothing to undo.";
  return kept.length === 0 ? done : `${done} Changed since, so kept: ${keptInWords(kept)}.`;
}

/** The first domains that an undo leaves as they are, with the fields that changed since. */
export function keptInWords(kept: Undone["kept"]): string {
  const named = kept.slice(0, MAX_NAMED).map(({ unicode, fields }) => {
    const what = fields.map(fieldInWords).join(", ");
    return `${unicode} (${what || "deleted"})`;
  });
  const more = kept.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${formatNumber(more)} more` : ""}`;
}
