import type { ComponentProps } from "react";
import { Field } from "../../ui/field.tsx";
import { type DomainValues, labels, type ValueErrors, type ValueName } from "../domain-values.ts";
import { decisions } from "../../../shared/domain-json.ts";
import "./domain-fields.css";

/** Every field of a domain. Nothing but the name has to be known. */
export function DomainFields({
  values,
  errors,
  onChange,
}: {
  values: DomainValues;
  errors: ValueErrors;
  onChange: (name: ValueName, value: string) => void;
}) {
  const bind = (name: ValueName) => ({
    name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
  });
  const text = (name: ValueName, hint?: string, more?: ComponentProps<"input">) => (
    <Field label={labels[name]} hint={hint} error={errors[name]}>
      {(control) => <input {...control} {...bind(name)} autoComplete="off" {...more} />}
    </Field>
  );
  const select = (name: ValueName, choices: Readonly<Record<string, string>>) => (
    <Field label={labels[name]} error={errors[name]}>
      {(control) => (
        <select {...control} {...bind(name)}>
          {Object.entries(choices).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );

  return (
    <div className="domain-fields">
      <div className="wide">
        {text("name", "As it is written, such as example.com or bücher.example", {
          autoCapitalize: "none",
          spellCheck: false,
        })}
      </div>
      {text("registrar")}
      {text("account")}
      {text("expires", "Outranks what other sources say", { type: "date" })}
      {select("autoRenew", { "": "unknown", true: "on", false: "off" })}
      {text("owner")}
      {select("decision", {
        "": "open",
        ...Object.fromEntries(decisions.map((decision) => [decision, decision])),
      })}
      <div className="wide price">
        {text("price", undefined, { inputMode: "decimal" })}
        {text("currency", undefined, { maxLength: 3, placeholder: "EUR", spellCheck: false })}
        {text("years", undefined, { inputMode: "numeric", maxLength: 3 })}
      </div>
      <div className="wide">{text("tags", "Separated by commas")}</div>
      <div className="wide">
        <Field label={labels.notes} error={errors.notes}>
          {(control) => <textarea {...control} {...bind("notes")} rows={3} />}
        </Field>
      </div>
    </div>
  );
}
