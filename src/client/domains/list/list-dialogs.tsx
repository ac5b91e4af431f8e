import { useEffect, useEffectEvent } from "react";
import type { Domain } from "../../../shared/domain.ts";
import type { Filter } from "../../../shared/filter.ts";
import type { BulkResult } from "../../../shared/register.ts";
import type { BulkTarget } from "../../register/domains-api.ts";
import HandledDialog from "../../register/handled-dialog.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { DeleteDialog } from "../delete-dialog.tsx";
import { DomainDialog } from "../domain-dialog.tsx";
import { readDraft, toValues } from "../domain-values.ts";
import type { Describe } from "./bulk-bar.tsx";
import { BulkDeleteDialog, BulkEditDialog } from "./bulk-dialogs.tsx";
import { NO_CHANGE, readBulkDraft } from "./bulk-edit.ts";
import type { OpenDialog } from "./domain-list.tsx";
import "../../common-editing.ts";

interface Props {
  /** Undefined until `onRestore` was called. */
  open: OpenDialog | null | undefined;
  filter: Filter;
  /** Receives the dialog that was being filled in before a reload, if it belongs to this view. */
  onRestore: (open: OpenDialog | null) => void;
  onSaved: (domain: Domain, added: boolean, operation: string | null) => void;
  onAnother: (domain: Domain, operation: string | null) => void;
  onMissing: (domain: Domain) => void;
  onDeleted: (domain: Domain) => void;
  onHandle: (target: BulkTarget, until: string | null) => void;
  onBulkDone: (describe: Describe, result: BulkResult) => void;
  onClose: () => void;
}

/** The dialogs of the list, of which one is open: a script of their own, which the rows do not wait for. */
export default function ListDialogs({ open, filter, ...on }: Props) {
  const restore = useEffectEvent(() => on.onRestore(restoreDialog(filter)));
  useEffect(() => restore(), []);

  switch (open?.kind) {
    case undefined:
      return null;
    case "edit":
      return (
        <DomainDialog
          draft={open.draft ?? { base: open.domain, values: toValues(open.domain) }}
          onSaved={on.onSaved}
          onAnother={on.onAnother}
          onGone={on.onMissing}
          onClose={on.onClose}
        />
      );
    case "delete":
      return <DeleteDialog domain={open.domain} onDeleted={on.onDeleted} onClose={on.onClose} />;
    case "bulk-handle":
      return (
        <HandledDialog
          of={formatDomainCount(open.target.count)}
          onChoose={(until) => on.onHandle(open.target, until)}
          onClose={on.onClose}
        />
      );
    case "bulk-edit":
      return (
        <BulkEditDialog
          draft={open.draft ?? { target: open.target, values: NO_CHANGE }}
          onDone={(result) => on.onBulkDone((domains) => `Changed ${domains}.`, result)}
          onClose={on.onClose}
        />
      );
    case "bulk-delete":
      return (
        <BulkDeleteDialog
          target={open.target}
          onDone={(result) => on.onBulkDone((domains) => `Deleted ${domains}.`, result)}
          onClose={on.onClose}
        />
      );
  }
}

function restoreDialog(filter: Filter): OpenDialog | null {
  const draft = readDraft();
  if (draft) return { kind: "edit", domain: draft.base, draft };
  const bulkDraft = readBulkDraft(filter);
  return bulkDraft && { kind: "bulk-edit", target: bulkDraft.target, draft: bulkDraft };
}
