import { fieldInWords } from "../../shared/fields.ts";
import { parseUndone, type Undone } from "../../shared/operations.ts";
import { formatDomainCount, formatNumber } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { callApi } from "../session/session-store.ts";
import { actInBackground } from "../session/use-action.ts";
import { invalidate } from "./resource.tsx";

/** 200,000 domains take a minute or more on a busy machine. */
const UNDO_TIMEOUT_MS = 240_000;

/** Reads again what is shown, because domains have changed. */
export function registerChanged(): void {
  invalidate("/api/");
}

const UNDONE = "Change undone for";
const REDONE = "Change redone for";

const MAX_NAMED = 3;

/**
 * Notifies of a change, with a button that undoes it; null: nothing was changed.
 *
 * @returns Dismisses it.
 */
export function notifyUndoable(text: string, operation: string | null): () => void {
  const onAction = () => void undoOperation(operation ?? "");
  return notify({ text, action: operation === null ? undefined : { label: "Undo", onAction } });
}

/**
 * Undoes an operation, and notifies of what was restored and what was kept, with a button that
 * undoes the undo. A failure is a notification too.
 *
 * @param done The beginning of the sentence, before the number of domains.
 */
export function undoOperation(operation: string, done = UNDONE): Promise<void> {
  return actInBackground("Not undone.", async () => {
    const dismiss = notify({ text: "Just a moment…" });
    const options = { method: "POST", timeout: UNDO_TIMEOUT_MS, parse: parseUndone };
    const path = `/api/operations/${operation}/undo`;
    const undone = await callApi(path, options).finally(dismiss);
    const [label, next] = done === REDONE ? ["Undo", UNDONE] : ["Redo", REDONE];
    const onAction = () => void undoOperation(undone.operation ?? "", next);
    const action = undone.operation === null ? undefined : { label, onAction };
    notify({ text: describe(undone, done), action });
    registerChanged();
  });
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
