import type { ComponentProps } from "react";
import { GROUP_ACTIONS } from "../../shared/advice.ts";
import type { Filter } from "../../shared/filter.ts";
import { BulkConfirmation } from "../register/dialogs/bulk-change.tsx";
import RenewedDialog from "../register/dialogs/renewed-dialog.tsx";
import { notifyUndoable, registerChanged } from "../register/undo.ts";

/** An action for those of a group that it changes: of some days, and of one person or all. */
export interface Chosen {
  action: keyof typeof GROUP_ACTIONS;
  names: number;
  days: Pick<Filter, "expiresFrom" | "expiresBefore">;
  person: string | null;
}

interface Props extends Chosen {
  onClose: () => void;
}

type Way = Pick<ComponentProps<typeof BulkConfirmation>, "op" | "action" | "heading">;

const WAYS = {
  keep: {
    op: { kind: "edit", decision: "keep" },
    action: () => "Keep",
    heading: (domains) => `Keep ${domains}?`,
  },
  "switch-off": {
    op: { kind: "edit", autoRenew: false },
    action: () => "Auto-renew is off",
    heading: (domains) => `Is auto-renew off for ${domains}?`,
  },
  transfer: {
    op: { kind: "done" },
    action: () => "Done",
    heading: (domains) => `Is the transfer of ${domains} done?`,
  },
} as const satisfies Record<string, Way>;

export default function GroupDialog({ action, names, days, person, onClose }: Props) {
  const of = person === null ? {} : { person: [person] };
  const filter = { work: [...GROUP_ACTIONS[action]], ...days, ...of };
  const target = { filter, ids: null, count: names };
  function onDone(text: string, operation: string | null) {
    onClose();
    notifyUndoable(text, operation);
    registerChanged();
  }
  const props = { target, onDone, onClose };
  if (action === "renewed") return <RenewedDialog {...props} />;
  return <BulkConfirmation {...WAYS[action]} {...props} />;
}
