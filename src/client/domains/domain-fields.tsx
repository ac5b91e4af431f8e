import type { ComponentProps } from "react";
import { IMPORT_FIELDS } from "../../shared/fields.ts";
import { Field } from "../ui/field.tsx";
import {
  CHOICES,
  type DomainValues,
  type FormField,
  type Options,
  type ValueErrors,
} from "./domain-values.ts";
import "./domain-fields.css";

interface Props {
  values: DomainValues;
  errors: ValueErrors;
  onChange: (name: FormField, value: string) => void;
}

/** A control for every field of a domain. Only the name is required. */
export function DomainFields({ values, errors, onChange }: Props) {
  const bind = (name: FormField) => ({
    name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
  });
  const field = (name: FormField, hint?: string) => ({
    label: IMPORT_FIELDS[name].label,
    hint,
    error: errors[name],
  });
  const text = (name: FormField, hint?: string, more?: ComponentProps<"input">) => (
    <Field {...field(name, hint)}>
      {(control) => <input {...control} {...bind(name)} autoComplete="off" {...more} />}
    </Field>
  );
  const choice = (name: keyof typeof CHOICES) => (
    <Field {...field(name)}>
      {(control) => (
        <select {...control} {...bind(name)}>
          <OptionList options={CHOICES[name]} />
        </select>
      )}
    </Field>
  );

  return (
    <div className="domain-fields">
      <div className="wide">
        {text("name", "For example example.com or bücher.de", {
          autoCapitalize: "none",
          spellCheck: false,
        })}
      </div>
      {text("registrar")}
      {text("account", "Your login at the registrar")}
      {text("expires", "Overrides dates from imports", { type: "date" })}
      {choice("autoRenew")}
      {text("owner")}
      {choice("decision")}
      <div className="wide price">
        {text("renewalPrice", undefined, { inputMode: "decimal" })}
        {text("currency", undefined, { maxLength: 3, placeholder: "EUR", spellCheck: false })}
        {text("years", undefined, { inputMode: "numeric", maxLength: 3 })}
      </div>
      <div className="wide">{text("tags", "Separate with commas")}</div>
      <div className="wide">
        <Field {...field("notes")}>
          {(control) => <textarea {...control} {...bind("notes")} rows={3} dir="auto" />}
        </Field>
      </div>
    </div>
  );
}

/** The options of a `<select>`. */
export function OptionList({ options }: { options: Options }) {
  return options.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
