import { useState } from "react";
import type { Import } from "../../shared/import.ts";
import { explain } from "../session/explain.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { undoImport } from "./import-api.ts";
import { formatDomainCount } from "../ui/format.ts";

/** Explains what an undo does, and does it after confirmation. */
export function UndoDialog({
  done,
  onUndone,
  onClose,
}: {
  done: Import;
  onUndone: (undone: Import) => void;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { counts, fileName, id } = done;
  const effects = [
    counts.new > 0 && `removes ${formatDomainCount(counts.new)}`,
    counts.changed > 0 && `restores ${formatDomainCount(counts.changed)}`,
  ].filter((effect) => effect !== false);

  async function confirm() {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      onUndone(await undoImport(id));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <Dialog heading={`Undo ${fileName}?`} onClose={onClose}>
      <div className="import-dialog">
        <p>
          Undoing this import {effects.join(" and ") || "changes nothing"}. Anything edited since
          then is kept.
        </p>
        {failure !== undefined && <Notice>{explain(failure)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" aria-disabled={busy} onClick={confirm}>
            {busy ? "Undoing…" : "Undo import"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
