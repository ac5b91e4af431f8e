import { type ComponentProps, type ReactNode, type SubmitEvent, useEffect, useState } from "react";
import type { BulkOperation, BulkResult } from "../../../shared/register.ts";
import { fieldInWords, FIELDS, fieldsOf } from "../../../shared/fields.ts";
import { explain, failedResponse } from "../../session/failure.tsx";
import { useSuggestions } from "../../register/suggestions.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { DayBox, dayHint } from "../../ui/day-box.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number.ts";
import { DeleteConfirmation } from "../delete-dialog.tsx";
import { OptionList } from "../domain-fields.tsx";
import { CHOICES, type Options } from "../domain-values.ts";
import { changeDomains } from "../../register/domains-api.ts";
import {
  type BulkControl,
  type BulkDraft,
  type BulkTarget,
  type BulkValues,
  CLEARABLE,
  type Clearable,
  findFault,
  isFilledIn,
  storeBulkDraft,
  toBulkOperation,
  toBulkSelection,
  UNKNOWN,
} from "./bulk-edit.ts";

const NO_CHANGE_LABEL = "No change";

/** More domains than this are deleted only after their number was typed. */
const MAX_UNTYPED = 50;

interface Props {
  onDone: (result: BulkResult) => void;
  onClose: () => void;
}

/** Edits many domains at once. Fields left alone do not change; the form survives a reload. */
export function BulkEditDialog({ draft, onDone, onClose }: Props & { draft: BulkDraft }) {
  const { target } = draft;
  const [values, setValues] = useState(draft.values);
  const [fault, setFault] = useState<string | null>(null);
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
    const found = findFault(values);
    const operation = found === null ? toBulkOperation(values) : null;
    setFault(found);
    if (operation) void change(operation);
  }

  return (
    <Dialog heading={`Edit ${domains}`} isDirty={dirty} onClose={discard}>
      <form className="domain-form" onSubmit={submit}>
        <BulkFields values={values} onChange={setValues} />
        <div className="dialog-foot">
          {fault && <Notice tone="warn">{fault}</Notice>}
          {outcome}
          <DialogActions>
            <Button type="submit" look="primary" aria-disabled={busy}>
              {busy ? "Saving…" : `Save ${domains}`}
            </Button>
          </DialogActions>
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
  const input = (name: BulkControl, label: string, more?: ComponentProps<"input">) => (
    <Field label={label} hint={name.endsWith("Tags") ? "Separate with commas" : undefined}>
      {(control) => (
        <input
          {...control}
          {...bind(name)}
          {...more}
          placeholder={NO_CHANGE_LABEL}
          autoComplete="off"
        />
      )}
    </Field>
  );
  const { facets } = useSuggestions();
  const used = { registrar: facets?.registrars, account: facets?.accounts, owner: facets?.owners };
  const combobox = (name: keyof typeof used) => (
    <Field label={FIELDS[name].label}>
      {(control) => (
        <Combobox
          {...control}
          {...bind(name)}
          suggestions={used[name]}
          placeholder={NO_CHANGE_LABEL}
        />
      )}
    </Field>
  );
  const clear = (field: Clearable) => (
    <label className="check">
      <input
        type="checkbox"
        checked={values.clear.includes(field)}
        aria-label={`Clear ${fieldInWords(field)}`}
        onChange={({ target }) =>
          onChange({
            ...values,
            clear: CLEARABLE.filter((each) =>
              each === field ? target.checked : values.clear.includes(each),
            ),
          })
        }
      />
      Clear this field
    </label>
  );
  const choice = (name: keyof typeof CHOICES) => (
    <Field key={name} label={FIELDS[name].label}>
      {(control) => (
        <select {...control} {...bind(name)}>
          <OptionList options={bulkOptions(CHOICES[name])} />
        </select>
      )}
    </Field>
  );

  return (
    <div className="domain-fields">
      {fieldsOf("choice", "flag").map(choice)}
      {input("addTags", "Add tags")}
      {input("removeTags", "Remove tags")}
      {fieldsOf("label").map((field) => (
        <div key={field}>
          {combobox(field)}
          {clear(field)}
        </div>
      ))}
      <div>
        <Field label={FIELDS.expires.label} hint={dayHint(values.expires)}>
          {(control) => (
            <DayBox
              {...control}
              value={values.expires}
              onChange={(expires) => onChange({ ...values, expires })}
            />
          )}
        </Field>
        {clear("expires")}
      </div>
      <div className="wide price">
        {input("renewalPrice", FIELDS.renewal.label, { inputMode: "decimal" })}
        {input("currency", "Currency", { maxLength: 3, spellCheck: false })}
        {input("years", "Period (years)", { inputMode: "numeric", maxLength: 3 })}
      </div>
      <div className="wide">{clear("renewal")}</div>
      <div className="wide">
        <Field label={FIELDS.notes.label} hint="Replaces the notes of all of them">
          {(control) => <textarea {...control} {...bind("notes")} rows={2} />}
        </Field>
        {clear("notes")}
      </div>
    </div>
  );
}

/** The options of the form of one domain, with "no change" first and "unknown" last. */
function bulkOptions([unknown, ...known]: Options): Options {
  return [["", NO_CHANGE_LABEL], ...known, [UNKNOWN, unknown?.[1] ?? ""]];
}

/** Deletes many domains; of more than a few the number has to be typed. */
export function BulkDeleteDialog({ target, onDone, onClose }: Props & { target: BulkTarget }) {
  const { count, domains, outcome, change } = useBulkChange(target, onDone);
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState(false);
  const confirmed = count <= MAX_UNTYPED || typed.replaceAll(/\D/g, "") === String(count);
  return (
    <DeleteConfirmation
      what={domains}
      action={`Delete ${domains}`}
      onConfirm={() => {
        setRefused(!confirmed);
        return confirmed ? change({ kind: "delete" }) : undefined;
      }}
      onClose={onClose}
    >
      {count > MAX_UNTYPED && (
        <Field
          label={`Type ${formatNumber(count)} to confirm`}
          error={
            refused && !confirmed
              ? `Enter the number of domains: ${formatNumber(count)}.`
              : undefined
          }
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ target: box }) => setTyped(box.value)}
            />
          )}
        </Field>
      )}
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
      onDone(await changeDomains({ select: toBulkSelection({ ...target, count }), op }));
    } catch (error) {
      const { status, problem } = failedResponse(error);
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
  return { busy, count, domains: formatDomainCount(count), outcome, change };
}
