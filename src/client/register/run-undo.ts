import { fieldInWords } from "../../shared/fields.ts";
import { parseUndone, type Undone } from "../../shared/operations.ts";
import { callApi } from "../session/session-store.ts";
import { formatDomainCount, formatNumber } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { notifyUndoable, undoOperation } from "./undo.ts";

/** 200,000 domains take a minute or more on a busy machine. */
const UNDO_TIMEOUT_MS = 240_000;

const REDONE = "Change redone for";

const MAX_NAMED = 3;

/** Undoes an operation for `undoOperation`, in a script that home loads only for this. */
export async function runUndo(operation: string, done = "Change undone for"): Promise<void> {
  const dismiss = notify({ text: "Just a moment…" });
  const options = { method: "POST", timeout: UNDO_TIMEOUT_MS, parse: parseUndone };
  const path = `/api/operations/${operation}/undo`;
  const undone = await callApi(path, options).finally(dismiss);
  const text = describe(undone, done);
  const redo = undone.operation;
  if (done === REDONE || redo === null) notifyUndoable(text, redo);
  else
    notify({ text, action: { label: "Redo", onAction: () => void undoOperation(redo, REDONE) } });
}

function describe({ restored, kept }: Undone, words: string): string {
  const done = restored > 0 ? `${words} ${formatDomainCount(restored)}.` : "Nothing to undo.";
  if (kept.length === 0) return done;
  const named = kept.slice(0, MAX_NAMED).map(({ unicode, fields }) => {
    const what = fields.map(fieldInWords).join(", ");
    return `${unicode} (${what || "deleted"})`;
  });
  const more = kept.length - named.length;
  const others = more > 0 ? ` and ${formatNumber(more)} more` : "";
  return `${done} Changed since, so kept: ${named.join(", ")}${others}.`;
}
