import { useEffect, useEffectEvent } from "react";
import type { Domain } from "../../../shared/domain.ts";
import type { Filter } from "../../../shared/filter.ts";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import HandledDialog from "../../register/dialogs/handled-dialog.tsx";
import RenewedDialog from "../../register/dialogs/renewed-dialog.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { DeleteDialog } from "../form/delete-dialog.tsx";
import { DomainDialog } from "../form/domain-dialog.tsx";
import { type Draft, readDraft, toValues } from "../form/domain-values.ts";
import { bulkResultInWords } from "./bulk-actions.ts";
import {
  BulkArchiveDialog,
  BulkDecideDialog,
  BulkDeleteDialog,
  BulkDoneDialog,
  BulkRenameDialog,
  BulkSettleDialog,
  BulkTagDialog,
} from "./bulk-dialogs.tsx";
import { BulkEditDialog, NO_CHANGE, readBulkDraft } from "./bulk-edit.tsx";
import { type OpenDialog, useList } from "./list-context.ts";
import { findDomains } from "../listing.ts";
import "../../common-editing.ts";

export { BulkBar } from "./bulk-bar.tsx";

interface Props {
  open: OpenDialog | null;
  filter: Filter;
  /** Receives the dialog that was being filled in before a reload, if it belongs to this view. */
  onRestore: (open: OpenDialog) => void;
  onSaved: (domain: Domain, added: boolean, operation: string | null) => void;
  onAnother: (domain: Domain, operation: string | null) => void;
  onMissing: (domain: Domain) => void;
  onDeleted: (domain: Domain) => void;
  onBulkDone: (text: string, operation: string | null) => void;
  onClose: () => void;
}

/** The dialogs of the list, as a script that the rows do not wait for. */
export default function ListDialogs({ open, filter, ...on }: Props) {
  const restore = useEffectEvent(() => {
    const restored = restoreDialog(filter);
    if (restored) on.onRestore(restored);
  });
  useEffect(() => restore(), []);

  switch (open?.kind) {
    case undefined:
      return null;
    case "edit":
      return (
        <DomainDialog
          draft={open.draft ?? draftOf(open.domain)}
          onSaved={on.onSaved}
          onAnother={on.onAnother}
          onGone={on.onMissing}
          onClose={on.onClose}
        />
      );
    case "delete":
      return <DeleteDialog domain={open.domain} onDeleted={on.onDeleted} onClose={on.onClose} />;
    case "bulk":
      return <BulkDialog {...open} {...on} />;
  }
}

type BulkProps = Extract<OpenDialog, { kind: "bulk" }> & Omit<Props, "open" | "filter">;

function BulkDialog({ question, target, draft, ...on }: BulkProps) {
  const { listing, bulk } = useList();
  const onDone = (result: BulkResult, op: BulkOperation) =>
    on.onBulkDone(bulkResultInWords(op, result), result.operation);
  const props = { target, onDone, onClose: on.onClose };
  switch (question) {
    case "edit":
      return <BulkEditDialog draft={draft ?? { target, values: NO_CHANGE }} {...props} />;
    case "tag":
      return <BulkTagDialog {...props} />;
    case "delete":
      return <BulkDeleteDialog {...props} />;
    case "done":
      return <BulkDoneDialog {...props} />;
    case "settle":
      return <BulkSettleDialog {...props} />;
    case "renewed":
      return (
        <RenewedDialog
          {...props}
          {...(target.ids && { domains: findDomains(listing, target.ids) })}
          onDone={(result) => onDone(result, { kind: "renewed" })}
        />
      );
    case "handle":
      return (
        <HandledDialog
          of={formatDomainCount(target.count)}
          onChoose={(until) => void bulk.run(target, { kind: "handle", until }, bulkResultInWords)}
          onClose={on.onClose}
        />
      );
    default:
      if ("archivedOn" in question) return <BulkArchiveDialog {...props} {...question} />;
      if ("field" in question) return <BulkRenameDialog {...props} {...question} />;
      return <BulkDecideDialog {...props} {...question} />;
  }
}

/** A form for a domain. That for a new one restores its draft. */
function draftOf(domain: Domain | null): Draft {
  const draft = domain === null ? readDraft() : null;
  return draft?.base === null ? draft : { base: domain, values: toValues(domain) };
}

function restoreDialog(filter: Filter): OpenDialog | null {
  const draft = readDraft();
  if (draft?.base) return { kind: "edit", domain: draft.base, draft };
  const bulk = readBulkDraft(filter);
  return bulk && { kind: "bulk", question: "edit", target: bulk.target, draft: bulk };
}
