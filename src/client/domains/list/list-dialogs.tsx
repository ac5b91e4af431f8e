import type { Domain } from "../../../shared/domain.ts";
import type { BulkResult } from "../../../shared/register.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { DomainDialog } from "../domain-dialog.tsx";
import type { Draft } from "../domain-values.ts";
import { BulkDeleteDialog, BulkEditDialog } from "./bulk-dialogs.tsx";
import type { BulkDraft, BulkTarget } from "./bulk-edit.ts";

/** The dialog that is open over the list; at most one is. */
export type OpenDialog =
  | { kind: "edit"; draft: Draft }
  | { kind: "delete"; domain: Domain }
  | { kind: "bulk-edit"; draft: BulkDraft }
  | { kind: "bulk-delete"; target: BulkTarget };

interface Props {
  open: OpenDialog;
  onSaved: (domain: Domain, added: boolean) => void;
  onGone: (domain: Domain, byUs: boolean) => void;
  onBulkDone: (result: BulkResult, action: "Changed" | "Deleted") => void;
  onClose: () => void;
}

/** Renders the open dialog. */
export function ListDialog({ open, onSaved, onGone, onBulkDone, onClose }: Props) {
  switch (open.kind) {
    case "edit":
      return (
        <DomainDialog
          draft={open.draft}
          onSaved={onSaved}
          onGone={(domain) => onGone(domain, false)}
          onClose={onClose}
        />
      );
    case "delete":
      return <DeleteDialog domain={open.domain} onDeleted={onGone} onClose={onClose} />;
    case "bulk-edit":
      return (
        <BulkEditDialog
          draft={open.draft}
          onDone={(result) => onBulkDone(result, "Changed")}
          onClose={onClose}
        />
      );
    case "bulk-delete":
      return (
        <BulkDeleteDialog
          target={open.target}
          onDone={(result) => onBulkDone(result, "Deleted")}
          onClose={onClose}
        />
      );
  }
}
