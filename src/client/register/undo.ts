import { loadCode } from "../ui/lazy-code.ts";
import { notify } from "../ui/notifications.ts";
import { failedResponse } from "../session/failure.tsx";
import { onPersonChange } from "../session/session-store.ts";
import { actInBackground } from "../session/use-action.ts";
import { invalidate } from "./resource.tsx";
import { areShortcutsEnabled } from "./shortcut-keys.ts";

/** Reads again what is shown, because domains have changed. */
export function registerChanged(): void {
  invalidate("/api/");
}

interface Undoable {
  text: string;
  operation: string;
  dismiss: () => void;
  /** The server has been asked, and may still be at it. */
  isAsked?: boolean;
}

/** What this person changed on this page and can undo, the newest last. */
let undoable: readonly Undoable[] = [];
onPersonChange(() => (undoable = []));

/** What `z` undoes next, with the sentence that told of it. */
export const lastUndoable = () => undoable.findLast(({ isAsked }) => !isAsked);

/** Notifies of a change, with a button and a key that undo it, unless it has none. @returns Dismisses it. */
export function notifyUndoable(text: string, operation: string | null): () => void {
  if (operation === null) return notify({ text });
  const onAction = () => void undoOperation(operation);
  const key = areShortcutsEnabled() ? "z" : undefined;
  const dismiss = notify({ text, action: { label: "Undo", onAction, key } });
  undoable = [...undoable, { text, operation, dismiss }];
  return dismiss;
}

/** The ways back: what their button says, and how the message of a failure begins. */
export const WAYS = {
  undo: { label: "Undo", failed: "Not undone." },
  redo: { label: "Redo", failed: "Not redone." },
  restore: { label: "Restore", failed: "Not restored." },
} as const;

export type Way = keyof typeof WAYS;

/**
 * Undoes an operation, or several by comma-separated ids, and notifies of what was restored and what was
 * kept, with a button that undoes the undo. A failure is a notification too.
 */
export function undoOperation(operation: string, way: Way = "undo"): Promise<void> {
  const ids = operation.split(",");
  const told = undoable.filter((each) => ids.includes(each.operation));
  for (const each of told) {
    each.dismiss();
    each.isAsked = true;
  }
  return actInBackground(WAYS[way].failed, async () => {
    try {
      const { runUndo } = await loadCode(() => import("./run-undo.ts"));
      await runUndo(operation, way);
      registerChanged();
    } catch (error) {
      // What can never be undone does not stand in the way of what was done before.
      for (const each of told) each.isAsked = failedResponse(error).status === 404;
      throw error;
    }
  });
}
