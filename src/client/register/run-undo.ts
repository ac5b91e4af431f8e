import { fieldInWords } from "../../shared/fields.ts";
import { parseUndone, type Undone } from "../../shared/operations.ts";
import { callApi } from "../session/session-store.ts";
import { formatDomainCount, formatNumber } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { notifyUndoable, undoOperation, type Way } from "./undo.ts";

/** 200,000 domains take a minute or more on a busy machine. */
const UNDO_TIMEOUT_MS = 240_000;

const MAX_NAMED = 3;

const WORDS = {
  undo: { done: "Change undone for", kept: "Changed since, so kept" },
  redo: { done: "Change redone for", kept: "Changed since, so kept" },
  restore: { done: "Restored", kept: "Not restored" },
} as const satisfies Record<Way, unknown>;

const PATIENCE_MS = 1000;

/** Asks what an undo did or would do, and for patience if that takes long. */
function ask(path: string): Promise<Undone> {
  let dismiss = () => {};
  const wait = setTimeout(() => (dismiss = notify({ text: "Just a moment…" })), PATIENCE_MS);
  const options = { method: "POST", timeout: UNDO_TIMEOUT_MS, parse: parseUndone };
  return callApi(`/api/operations/${path}`, options).finally(() => {
    clearTimeout(wait);
    dismiss();
  });
}

export function foretellUndo(operations: string): Promise<Undone> {
  return ask(`${operations}/undo/foretell`);
}

/** Undoes operations for `undoOperation`, in a script that home loads only for this. */
export async function runUndo(operations: string, way: Way): Promise<void> {
  const { restored, kept, operation: redo } = await ask(`${operations}/undo`);
  const words = WORDS[way];
  const text = [
    restored > 0 ? `${words.done} ${formatDomainCount(restored)}.` : `Nothing to ${way}.`,
    ...(kept.length > 0 ? [`${words.kept}: ${keptInWords(kept, way)}.`] : []),
  ].join(" ");
  if (way === "redo" || redo === null) notifyUndoable(text, redo);
  else {
    notify({ text, action: { label: "Redo", onAction: () => void undoOperation(redo, "redo") } });
  }
}

/** The first domains that an undo leaves as they are, with the fields that changed since, or why they stay in the bin. */
export function keptInWords(kept: Undone["kept"], way: Way): string {
  const named = kept.slice(0, MAX_NAMED).map(({ unicode, fields }) => {
    const isTaken = way === "restore" && fields.join() === "name";
    const what = isTaken ? "added again since" : fields.map(fieldInWords).join(", ");
    return `${unicode} (${what || "deleted"})`;
  });
  const more = kept.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${formatNumber(more)} more` : ""}`;
}
