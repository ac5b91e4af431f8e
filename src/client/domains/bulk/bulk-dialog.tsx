import { type ReactNode, type SubmitEvent, useEffect, useState } from "react";
import type { BulkResult } from "../../../shared/register-contract.ts";
import { explain } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import {
  type BulkDraft,
  type BulkNames,
  dropBulkDraft,
  keepBulkNames,
  keepBulkValues,
  toBulkSelection,
} from "./bulk-draft.ts";
import { BulkFields } from "./bulk-fields.tsx";
import { isFilledIn, toBulkEdit } from "./bulk-values.ts";
import { LeaveNotice } from "../edit/leave-notice.tsx";
import { useBulkChange } from "./use-bulk-change.ts";

interface Props {
  names: BulkNames;
  onDone: (result: BulkResult) => void;
  onClose: () => void;
}

/**
 * Edits many names at once. What is left alone stays as it is on each of them; what is filled in
 * survives a reload.
 */
export function BulkEditDialog({
  draft: { names, values: given },
  onDone,
  onClose,
}: { draft: BulkDraft } & Omit<Props, "names">) {
  const [values, setValues] = useState(given);
  const [nothing, setNothing] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const { busy, failure, count, change } = useBulkChange(toBulkSelection(names), (result) => {
    dropBulkDraft();
    onDone(result);
  });
  const dirty = isFilledIn(values);
  const words = formatDomainCount(count ?? names.selected);

  useEffect(() => {
    if (dirty) keepBulkNames(names);
  }, [dirty, names]);
  useEffect(() => {
    if (dirty) keepBulkValues(values);
    else dropBulkDraft();
  }, [dirty, values]);

  function discard() {
    dropBulkDraft();
    onClose();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const edit = toBulkEdit(values);
    setNothing(edit === null);
    setLeaving(false);
    if (edit) void change(edit);
  }

  const leave = () => (dirty ? setLeaving(true) : discard());
  return (
    <Dialog heading={`Edit ${words}`} onClose={leave}>
      <form className="domain-form" onSubmit={submit}>
        <BulkFields values={values} onChange={setValues} />
        <div className="dialog-foot">
          {nothing && <Notice tone="warn">Change at least one field.</Notice>}
          <Outcome failure={failure} count={count} selected={names.selected} />
          {leaving && <LeaveNotice onStay={() => setLeaving(false)} onDiscard={discard} />}
          <div className="dialog-actions">
            <Button onClick={leave}>Cancel</Button>
            <Button type="submit" look="primary" aria-disabled={busy}>
              {busy ? "Saving…" : `Save ${words}`}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before many names are deleted. */
export function BulkDeleteDialog({ names, onDone, onClose }: Props) {
  const { busy, failure, count, change } = useBulkChange(toBulkSelection(names), onDone);
  const words = formatDomainCount(count ?? names.selected);
  return (
    <Dialog heading={`Delete ${words}?`} onClose={onClose}>
      <div className="domain-form">
        <p>They leave the register, and cannot be brought back. Nothing happens at a registrar.</p>
        <Outcome failure={failure} count={count} selected={names.selected} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            aria-disabled={busy}
            onClick={() => void change({ kind: "delete" })}
          >
            {busy ? "Deleting…" : `Delete ${words}`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Outcome({
  failure,
  count,
  selected,
}: {
  failure: unknown;
  count: number | undefined;
  selected: number;
}): ReactNode {
  if (failure !== undefined) return <Notice>{explain(failure)}</Notice>;
  if (count === undefined) return null;
  return (
    <Notice tone="warn">
      By now {formatDomainCount(count)} match, and not {selected.toLocaleString()}. Nothing was
      changed. Go on with those?
    </Notice>
  );
}
