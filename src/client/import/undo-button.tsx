import { type ComponentProps, useState } from "react";
import type { Import } from "../../shared/import.ts";
import { ConfirmDialog } from "../session/confirm-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { changeImport, importPath } from "./import-api.ts";

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
  const { counts, fileName, id } = done;
  const effects = [
    counts.new > 0 && `removes ${formatDomainCount(counts.new)}`,
    counts.changed > 0 && `restores ${formatDomainCount(counts.changed)}`,
  ].filter((effect) => effect !== false);

  async function undo() {
    onUndone(await changeImport(`${importPath(id)}/undo`, { method: "POST" }));
    setAsking(false);
  }

  return (
    <>
      <Button onClick={() => setAsking(true)} {...button} />
      {asking && (
        <ConfirmDialog
          heading={`Undo ${fileName}?`}
          action="Undo import"
          busyAction="Undoing…"
          onConfirm={undo}
          onClose={() => setAsking(false)}
        >
          <p>
            Undoing this import {effects.join(" and ") || "changes nothing"}. Anything edited since
            then is kept.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
