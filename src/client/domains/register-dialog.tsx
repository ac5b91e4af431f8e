import type { Domain } from "../../shared/contract.ts";
import type { BulkResult } from "../../shared/register-contract.ts";
import { BulkDeleteDialog, BulkEditDialog } from "./bulk/bulk-dialog.tsx";
import type { BulkDraft, BulkNames } from "./bulk/bulk-draft.ts";
import { DeleteDialog } from "./edit/delete-dialog.tsx";
import { DomainDialog } from "./edit/domain-dialog.tsx";
import type { Draft } from "./edit/draft.ts";
import { HelpDialog } from "./list/help-dialog.tsx";

/** What is asked or told over the list; one at a time. */
export type OpenDialog =
  | { form: Draft }
  | { deleting: Domain }
  | { editingMany: BulkDraft }
  | { deletingMany: BulkNames }
  | { help: true };

interface Props {
  open: OpenDialog | null;
  shortcuts: { on: boolean; turn: (on: boolean) => void };
  onSaved: (domain: Domain, added: boolean) => void;
  onGone: (domain: Domain, byUs: boolean) => void;
  onChangedMany: (result: BulkResult, word: string) => void;
  onClose: () => void;
}

/** The dialog that is open over the list, if one is. */
export function RegisterDialog(props: Props) {
  const { open, shortcuts, onSaved, onGone, onChangedMany, onClose } = props;
  if (!open) return null;
  if ("help" in open) {
    return <HelpDialog shortcuts={shortcuts.on} onTurn={shortcuts.turn} onClose={onClose} />;
  }
  if ("deleting" in open) {
    return <DeleteDialog domain={open.deleting} onDeleted={onGone} onClose={onClose} />;
  }
  if ("form" in open) {
    const leave = (domain: Domain) => onGone(domain, false);
    return <DomainDialog draft={open.form} onSaved={onSaved} onGone={leave} onClose={onClose} />;
  }
  if ("editingMany" in open) {
    const done = (result: BulkResult) => onChangedMany(result, "changed");
    return <BulkEditDialog draft={open.editingMany} onDone={done} onClose={onClose} />;
  }
  const done = (result: BulkResult) => onChangedMany(result, "deleted");
  return <BulkDeleteDialog names={open.deletingMany} onDone={done} onClose={onClose} />;
}
