import { useEffect, useEffectEvent, useRef } from "react";
import type { Domain } from "../../../shared/domain.ts";
import type { Filter } from "../../../shared/filter.ts";
import { withoutLapsed } from "../../../shared/view.ts";
import { invalidate } from "../../register/resource.tsx";
import { notifyUndoable, registerChanged } from "../../register/undo.ts";
import { ConfirmDialog } from "../../session/action-dialog.tsx";
import { callApi } from "../../session/session-store.ts";
import { notify } from "../../ui/notifications.ts";
import { DeleteDialog } from "../form/delete-dialog.tsx";
import { DomainDialog } from "../form/domain-dialog.tsx";
import { type Draft, readDraft, toValues } from "../form/domain-values.ts";
import { BulkRenameDialog } from "./bulk-dialogs.tsx";
import { BulkEditDialog, readBulkDraft } from "./bulk-edit.tsx";
import { type OpenDialog, useList } from "./list-context.ts";
import "../../common-editing.ts";

export { BulkBar } from "./bulk-bar.tsx";

/** The dialogs of the list, as a script that the rows do not wait for. */
export default function ListDialogs(props: { open: OpenDialog | null; onClose: () => void }) {
  const { open, onClose } = props;
  const list = useList();
  /** The id of what gets the focus once the dialog has closed; empty: the heading. */
  const focusNext = useRef<string>(null);
  /** Notifications held back until the dialog closes: Undo cannot be pressed below it. */
  const untold = useRef<(() => void)[]>([]);

  const restore = useEffectEvent(() => {
    const restored = restoreDialog(withoutLapsed(list.view).filter);
    if (open || !restored) return;
    list.ask(restored);
    if (restored.kind !== "bulk") return;
    const { ids } = restored.target;
    list.select(() => ids && new Set(ids));
  });
  useEffect(() => restore(), []);

  useEffect(() => {
    // The closing dialog restores the focus first; then it moves to the resulting row.
    if (open || focusNext.current === null) return;
    const row = document.getElementById(focusNext.current);
    const target = row ?? document.querySelector<HTMLElement>("h1");
    target?.focus({ preventScroll: true });
    focusNext.current = null;
  }, [open]);

  function close() {
    for (const tell of untold.current.splice(0)) tell();
    onClose();
  }

  function onSaved(domain: Domain, added: boolean, operation: string | null) {
    if (!added) focusNext.current = `domain-${domain.id}`;
    list.put(domain);
    notifyUndoable(`${added ? "Added" : "Saved"} ${domain.unicode}.`, operation);
    close();
  }

  function onDeleted({ id, name }: Domain) {
    const row = document.getElementById(`domain-${id}`)?.closest("tr");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    focusNext.current = neighbour?.querySelector("[id^=domain-]")?.id ?? "";
    list.remove(id);
    if (name === list.opened) list.closePanel();
    close();
  }

  function onBulkDone(text: string, operation: string | null) {
    focusNext.current = document.querySelector(".domain-table .selected .row-link")?.id ?? "";
    list.onBulkDone(text, operation);
    close();
  }

  switch (open?.kind) {
    case undefined:
      return null;
    case "edit":
      return (
        <DomainDialog
          draft={open.draft ?? draftOf(open.domain)}
          onSaved={onSaved}
          onAnother={(domain, operation) => {
            registerChanged();
            untold.current.push(() => notifyUndoable(`Added ${domain.unicode}.`, operation));
          }}
          onGone={(domain) => {
            notify({ text: `Someone else deleted ${domain.unicode}.` });
            onDeleted(domain);
          }}
          onClose={close}
        />
      );
    case "delete":
      return <DeleteDialog domain={open.domain} onDeleted={onDeleted} onClose={close} />;
    case "delete-view": {
      const { id, name } = open.saved;
      return (
        <ConfirmDialog
          heading={`Delete the view “${name}”?`}
          action="Delete"
          busyAction="Deleting…"
          done={`View “${name}” deleted.`}
          onConfirm={async () => {
            await callApi(`/api/views/${id}`, { method: "DELETE" });
            invalidate("/api/views");
          }}
          onClose={close}
        >
          Everyone shares it. Its domains stay, but people who may see only this view see nothing.
        </ConfirmDialog>
      );
    }
    case "rename": {
      const { renamed, target } = open;
      return <BulkRenameDialog {...renamed} target={target} onDone={onBulkDone} onClose={close} />;
    }
    case "bulk": {
      const { dialog: Asked, target } = open;
      return <Asked target={target} onDone={onBulkDone} onClose={close} />;
    }
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
  return (
    bulk && {
      kind: "bulk",
      dialog: (props) => <BulkEditDialog {...props} draft={bulk} />,
      target: bulk.target,
    }
  );
}
