import { useState } from "react";
import type { Import } from "../../shared/import.ts";
import { explain } from "../session/explain.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { undoImport } from "./import-api.ts";
import { formatDomainCount } from "../ui/format.ts";

/** Says what taking an import back does, and does it when told to. */
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
          {counts.new > 0 &&
            `${formatDomainCount(counts.new)} that it added will leave the register. `}
          {counts.changed > 0 &&
            `${formatDomainCount(counts.changed)} that it changed will be as before. `}
          What somebody has edited since stays, and is listed.
        </p>
        {failure !== undefined && <Notice>{explain(failure)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" aria-disabled={busy} onClick={confirm}>
            {busy ? "Undoing…" : "Undo the import"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
