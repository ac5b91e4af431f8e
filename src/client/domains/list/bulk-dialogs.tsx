import { type SubmitEvent, useEffect, useState } from "react";
import type { BulkResult } from "../../../shared/register.ts";
import { fieldInWords, fieldsOf } from "../../../shared/fields.ts";
import { explain } from "../../session/failure.tsx";
import { useAction } from "../../session/use-action.ts";
import { useSuggestions } from "../../register/suggestions.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, type Options } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number.ts";
import { DeleteConfirmation } from "../delete-dialog.tsx";
import { renderControls } from "../domain-fields.tsx";
import { KIND_OF } from "../field-kinds.tsx";
import { useBulkChange } from "../../register/bulk-change.tsx";
import type { BulkTarget } from "../../register/domains-api.ts";
import {
  type BulkDraft,
  type BulkField,
  type BulkValues,
  CLEARABLE,
  type Clearable,
  findFault,
  isFilledIn,
  storeBulkDraft,
  toBulkOperation,
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
  const { domains, outcome, change } = useBulkChange(target, (result) => {
    storeBulkDraft(null);
    onDone(result);
  });
  const { run, isBusy, error } = useAction(change);
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
    if (operation) void run(operation);
  }

  return (
    <Dialog heading={`Edit ${domains}`} isDirty={dirty} onClose={discard}>
      <form className="stack domain-form" onSubmit={submit}>
        <BulkFields values={values} onChange={setValues} />
        <div className="dialog-foot">
          {fault && <Notice tone="warn">{fault}</Notice>}
          {outcome}
          {error !== undefined && <Notice>{explain(error)}</Notice>}
          <DialogActions>
            <Button type="submit" look="primary" aria-disabled={isBusy}>
              {isBusy ? "Saving…" : `Save ${domains}`}
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
  const { facets } = useSuggestions();
  const set = (name: string, value: string) => onChange({ ...values, [name]: value });
  const render = (field: BulkField) => {
    const clearable = CLEARABLE.find((each) => each === field);
    return (
      <div key={field} className={KIND_OF[field].isWide && "wide"}>
        {renderControls(
          field,
          { values, facets, onChange: set },
          {
            hint: field === "notes" ? "Replaces the notes of all of them" : undefined,
            placeholder: NO_CHANGE_LABEL,
            toOptions: toBulkOptions,
          },
        )}
        {clearable && <Clear field={clearable} values={values} onChange={onChange} />}
      </div>
    );
  };
  const tags = (name: "addTags" | "removeTags", label: string) => (
    <Field label={label} hint="Separate with commas">
      {(control) => (
        <input
          {...control}
          value={values[name]}
          placeholder={NO_CHANGE_LABEL}
          autoComplete="off"
          onChange={({ target }) => set(name, target.value)}
        />
      )}
    </Field>
  );
  return (
    <div className="domain-fields">
      {fieldsOf("choice", "flag").map(render)}
      {tags("addTags", "Add tags")}
      {tags("removeTags", "Remove tags")}
      {CLEARABLE.map(render)}
      <div className="wide">
        {renderControls(
          "custom",
          { values, facets, onChange: set },
          { hint: "Leave a text empty to remove that field. Fields that you don’t name stay." },
        )}
      </div>
    </div>
  );
}

function Clear({ field, values, onChange }: FieldsProps & { field: Clearable }) {
  const toggle = (isChecked: boolean) =>
    CLEARABLE.filter((each) => (each === field ? isChecked : values.clear.includes(each)));
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={values.clear.includes(field)}
        aria-label={`Clear ${fieldInWords(field)}`}
        onChange={({ target }) => onChange({ ...values, clear: toggle(target.checked) })}
      />
      Clear this field
    </label>
  );
}

/** The options of the form of one domain, with "no change" first and "unknown" last. */
function toBulkOptions([unknown, ...known]: Options): Options {
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
