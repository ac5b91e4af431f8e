import type { ReactNode } from "react";
import { FIELDS } from "../../../shared/fields.ts";
import { Field } from "../../ui/field.tsx";
import { OptionList } from "../domain-fields.tsx";
import { CHOICES, type Options } from "../domain-values.ts";
import {
  BULK_TEXT_FIELDS,
  type BulkControl,
  type BulkTextField,
  type BulkValues,
  UNKNOWN,
} from "./bulk-edit.ts";

const NO_CHANGE_LABEL = "No change";

/** A control for every field that a bulk edit can change. */
export function BulkFields({
  values,
  onChange,
}: {
  values: BulkValues;
  onChange: (values: BulkValues) => void;
}) {
  const bind = (name: BulkControl) => ({
    name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...values, [name]: target.value }),
  });
  const choice = (name: keyof typeof CHOICES) => (
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
