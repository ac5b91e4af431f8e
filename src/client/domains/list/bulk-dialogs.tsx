import { type ReactNode, type SubmitEvent, useEffect, useState } from "react";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { HttpError } from "../../http.ts";
import { explain } from "../../session/failure.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { dayFromToday } from "../../ui/today.ts";
import { Field } from "../../ui/field.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number.ts";
import { DeleteConfirmation } from "../delete-dialog.tsx";
import { DiscardNotice } from "../discard-notice.tsx";
import { OptionList } from "../domain-fields.tsx";
import { CHOICES, type Options } from "../domain-values.ts";
import { changeDomains } from "../domains-api.ts";
import {
  BULK_TEXT_FIELDS,
  type BulkControl,
  type BulkDraft,
  type BulkTarget,
  type BulkTextField,
  type BulkValues,
  isFilledIn,
  storeBulkDraft,
  toBulkOperation,
  UNKNOWN,
} from "./bulk-edit.ts";

const NO_CHANGE_LABEL = "No change";

interface Props {
  onDone: (result: BulkResult) => void;
  onClose: () => void;
}

/** Edits many domains at once. Fields left alone do not change; the form survives a reload. */
export function BulkEditDialog({ draft, onDone, onClose }: Props & { draft: BulkDraft }) {
  const { target } = draft;
  const [values, setValues] = useState(draft.values);
  const [untouched, setUntouched] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const { busy, domains, outcome, change } = useBulkChange(target, (result) => {
    storeBulkDraft(null);
    onDone(result);
  });
  const dirty = isFilledIn(values);

  useEffect(() => storeBulkDraft(dirty ? { target, values } : null), [dirty, target, values]);

  function discard() {
    storeBulkDraft(null);
    onClose();
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const operation = toBulkOperation(values);
    setUntouched(operation === null);
    setLeaving(false);
    if (operation) void change(operation);
  }

  const leave = () => (dirty ? setLeaving(true) : discard());
  return (
    <Dialog heading={`Edit ${domains}`} onClose={leave}>
      <form className="domain-form" onSubmit={submit}>
        <BulkFields values={values} onChange={setValues} />
        <div className="dialog-foot">
          {untouched && <Notice tone="warn">Change at least one field.</Notice>}
          {outcome}
          {leaving && <DiscardNotice onStay={() => setLeaving(false)} onDiscard={discard} />}
          <div className="dialog-actions">
            <Button onClick={leave}>Cancel</Button>
            <Button type="submit" look="primary" aria-disabled={busy}>
              {busy ? "Saving…" : `Save ${domains}`}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  values: BulkValues;
  onChange: (values: BulkValues) => void;
}

function BulkFields({ values, onChange }: FieldsProps) {
  const bind = (name: BulkControl) => ({
    name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...values, [name]: target.value }),
  });
  const choice = (name: "decision" | "autoRenew") => (
    <Field label={FIELDS[name].label}>
      {(control) => (
        <select {...control} {...bind(name)}>
          <OptionList options={bulkOptions(CHOICES[name])} />
        </select>
      )}
    </Field>
  );
  const tags = (name: "addTags" | "removeTags", label: string) => (
    <Field label={label} hint="Separate with commas">
      {(control) => <input {...control} {...bind(name)} autoComplete="off" />}
    </Field>
  );

  function setCleared(field: BulkTextField, on: boolean) {
    const clear = BULK_TEXT_FIELDS.filter((each) =>
      each === field ? on : values.clear.includes(each),
    );
    onChange({ ...values, clear });
  }

  const text = (field: BulkTextField): ReactNode => (
    <div key={field}>
      <Field label={FIELDS[field].label}>
        {(control) => (
          <input {...control} {...bind(field)} placeholder={NO_CHANGE_LABEL} autoComplete="off" />
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={values.clear.includes(field)}
          onChange={({ target }) => setCleared(field, target.checked)}
        />
        Clear this field
      </label>
    </div>
  );

  return (
    <div className="domain-fields">
      {BULK_TEXT_FIELDS.map(text)}
      {choice("decision")}
      {choice("autoRenew")}
      {tags("addTags", "Add tags")}
      {tags("removeTags", "Remove tags")}
    </div>
  );
}

/** The options of the form of one domain, with "no change" first and "unknown" last. */
function bulkOptions([unknown, ...known]: Options): Options {
  return [["", NO_CHANGE_LABEL], ...known, [UNKNOWN, unknown?.[1] ?? ""]];
}

export function BulkDeleteDialog({ target, onDone, onClose }: Props & { target: BulkTarget }) {
  const { busy, domains, outcome, change } = useBulkChange(target, onDone);
  return (
    <DeleteConfirmation
      what={domains}
      action={`Delete ${domains}`}
      busy={busy}
      onConfirm={() => void change({ kind: "delete" })}
      onClose={onClose}
    >
      {outcome}
    </DeleteConfirmation>
  );
}

/**
 * Runs a bulk change. If the number of matches differs from the expected one, the server changes
 * nothing: `outcome` names the new number, and the next attempt expects that.
 */
function useBulkChange(target: BulkTarget, onDone: (result: BulkResult) => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [newCount, setNewCount] = useState<number>();
  const count = newCount ?? target.count;

  async function change(op: BulkOperation) {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { ids, filter } = target;
      const select = ids
        ? { ids: [...ids] }
        : { filter, today: dayFromToday(0), expectedCount: count };
      onDone(await changeDomains({ select, op }));
    } catch (error) {
      const { status, problem } = error instanceof HttpError ? error : {};
      if (status === 409 && Number.isInteger(problem?.count)) setNewCount(Number(problem?.count));
      // After a 401 the sign-in form replaces this dialog until the session is renewed.
      else if (status !== 401) setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  let outcome: ReactNode = null;
  if (failure !== undefined) outcome = <Notice>{explain(failure)}</Notice>;
  else if (newCount !== undefined) {
    outcome = (
      <Notice tone="warn">
        {formatDomainCount(newCount)} {newCount === 1 ? "matches" : "match"} now, not{" "}
        {formatNumber(target.count)}. Nothing was changed. Continue with{" "}
        {newCount === 1 ? "this one" : "these"}?
      </Notice>
    );
  }
  return { busy, domains: formatDomainCount(count), outcome, change };
}
