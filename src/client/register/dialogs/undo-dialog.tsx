import type { Undone } from "../../../shared/operations.ts";
import { ActionDialog } from "../../session/action-dialog.tsx";
import { DialogText } from "../../ui/dialog.tsx";
import { formatCount, formatDomainCount } from "../../ui/format.ts";
import { keptInWords } from "../run-undo.ts";
import { type Way, WAYS } from "../undo.ts";
import "../../common-editing.ts";

interface Props {
  way: Way;
  plan: Undone;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Says how many domains change back, and which stay as they are. */
export default function UndoDialog({ way, plan, onConfirm, onClose }: Props) {
  const { restored, kept } = plan;
  const { label } = WAYS[way];
  const isRestore = way === "restore";
  const domains = `${isRestore ? "" : "for "}${formatDomainCount(restored)}`;
  return (
    <ActionDialog
      heading={restored > 0 ? `${label} ${domains}?` : `Nothing to ${way}`}
      action={restored > 0 ? label : undefined}
      onAction={() => {
        onClose();
        void onConfirm();
      }}
      onClose={onClose}
    >
      {kept.length > 0 && (
        <DialogText>
          {formatCount(kept.length, "domain stays as it is", "domains stay as they are")}
          {!isRestore && ", changed since"}: {keptInWords(kept, way)}.
        </DialogText>
      )}
    </ActionDialog>
  );
}
