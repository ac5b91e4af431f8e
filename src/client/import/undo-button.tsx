import { type ComponentProps, useState } from "react";
import type { Import } from "../../shared/import.ts";
import { explain } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { undoImport } from "./import-api.ts";

/** A button that explains what an undo does, and does it after confirmation. */
export function UndoButton({
  done,
  onUndone,
  ...button
}: {
  done: Import;
  onUndone: (undone: Import) => void;
} & ComponentProps<typeof Button>) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { counts, fileName, id } = done;
  const effects = [
    counts.new > 0 && `removes ${formatDomainCount(counts.new)}`,
    counts.changed > 0 && `restores ${formatDomainCount(counts.changed)}`,
  ].filter((effect) => effect !== false);

  function ask() {
    setFailure(undefined);
    setAsking(true);
  }

  async function undo() {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      onUndone(await undoImport(id));
      setAsking(false);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button onClick={ask} {...button} />
      {asking && (
        <Dialog heading={`Undo ${fileName}?`} onClose={() => setAsking(false)}>
          <div className="import-dialog">
            <p>
              Undoing this import {effects.join(" and ") || "changes nothing"}. Anything edited
              since then is kept.
            </p>
            {failure !== undefined && <Notice>{explain(failure)}</Notice>}
            <div className="dialog-actions">
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button look="danger" aria-disabled={busy} onClick={() => void undo()}>
                {busy ? "Undoing…" : "Undo import"}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
