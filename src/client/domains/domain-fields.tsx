import { type ComponentProps, useState } from "react";
import {
  FIELDS,
  IMPORT_FIELDS,
  type ImportField,
  importFieldsOf,
  RARE_FIELDS,
} from "../../shared/fields.ts";
import type { Facet, Facets } from "../../shared/register.ts";
import { readUrlHost } from "../../shared/url-host.ts";
import { Button } from "../ui/button.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { DayBox, dayHint } from "../ui/day-box.tsx";
import { Field } from "../ui/field.tsx";
import { TagBox } from "../ui/tag-box.tsx";
import {
  CHOICES,
  type CustomField,
  customText,
  type DomainValues,
  type Options,
  readCustomText,
  type ValueErrors,
} from "./domain-values.ts";
import "./domain-fields.css";

interface Props {
  values: DomainValues;
  errors: ValueErrors;
  facets: Facets | undefined;
  onChange: (name: ImportField, value: string) => void;
}

/** What most domains have no value of; shown when asked for, or when there is one. */
const DETAILS = RARE_FIELDS.flatMap(importFieldsOf);

/** A control for every field of a domain. Only the name is required. */
export function DomainFields({ values, errors, facets, onChange }: Props) {
  const bind = (name: ImportField) => ({
    name,
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
  });
  const field = (name: ImportField, hint?: string) => ({
    label: IMPORT_FIELDS[name].label,
    hint,
    error: errors[name],
  });
  const text = (name: ImportField, hint?: string, more?: ComponentProps<"input">) => (
    <Field {...field(name, hint)}>
      {(control) => <input {...control} {...bind(name)} autoComplete="off" dir="auto" {...more} />}
    </Field>
  );
  const combobox = (name: ImportField, used: readonly Facet[] | undefined, hint?: string) => (
    <Field {...field(name, hint)}>
      {(control) => <Combobox {...control} {...bind(name)} suggestions={used} />}
    </Field>
  );
  const day = (name: ImportField, hint = "") => (
    <Field {...field(name, `${dayHint(values[name])}${hint}`)}>
      {(control) => (
        <DayBox {...control} value={values[name]} onChange={(value) => onChange(name, value)} />
      )}
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
  const amount = (name: ImportField) => text(name, undefined, { inputMode: "decimal" });
  const currency = (name: ImportField) => (
    <Field {...field(name)}>
      {(control) => (
        <Combobox
          {...control}
          {...bind(name)}
          suggestions={facets?.currencies.filter(({ value }) => value !== "-")}
          maxLength={3}
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
    </Field>
  );

  const money = (price: ImportField, itsCurrency: ImportField) => (
    <div className="amount">
      {amount(price)}
      {currency(itsCurrency)}
    </div>
  );

  const host = readUrlHost(values.name);
  const [detailed, setDetailed] = useState(() => DETAILS.some((name) => values[name] !== ""));
  const hasError = DETAILS.some((name) => errors[name]);
  return (
    <div className="domain-fields">
      <div className="wide">
        {text("name", host ? `Read as ${host}` : "For example example.com or bücher.de", {
          autoCapitalize: "none",
          spellCheck: false,
          inputMode: "url",
        })}
      </div>
      {combobox("registrar", facets?.registrars)}
      {combobox("account", facets?.accounts, "Your login at the registrar")}
      {day("expires", ". Overrides dates from imports")}
      {choice("autoRenew")}
      {combobox("owner", facets?.owners)}
      {choice("decision")}
      <div className="wide price">
        {amount("renewalPrice")}
        {currency("currency")}
        {text("years", undefined, { inputMode: "numeric", maxLength: 3 })}
      </div>
      <div className="wide">
        <Field {...field("tags", "Press Enter or a comma after each tag")}>
          {(control) => (
            <TagBox
              {...control}
              value={values.tags}
              suggestions={facets?.tags}
              onChange={(value) => onChange("tags", value)}
            />
          )}
        </Field>
      </div>
      <div className="wide">
        <Field {...field("notes")}>
          {(control) => <textarea {...control} {...bind("notes")} rows={3} dir="auto" />}
        </Field>
      </div>
      <details
        className="wide"
        open={detailed || hasError}
        onToggle={({ currentTarget }) => setDetailed(currentTarget.open)}
      >
        <summary>More details</summary>
        <div className="domain-fields">
          {day("registeredOn")}
          {text("status", "As the registrar reports it")}
          {choice("locked")}
          {choice("privacy")}
          <div className="wide">
            {text("nameservers", "Separate with commas", { spellCheck: false })}
          </div>
          {money("purchasePrice", "purchaseCurrency")}
          {day("purchasedOn")}
          {money("soldPrice", "soldCurrency")}
          {day("soldOn")}
          {money("askingPrice", "askingCurrency")}
          <CustomFields
            fields={readCustomText(values.custom)}
            error={errors.custom}
            onChange={(fields) => onChange("custom", customText(fields))}
          />
        </div>
      </details>
    </div>
  );
}

interface CustomProps {
  fields: readonly CustomField[];
  error: string | undefined;
  onChange: (fields: CustomField[]) => void;
}

/** Texts under names of the owner's choice; one without a name or a text is not kept. */
function CustomFields({ fields, error, onChange }: CustomProps) {
  const put = (changed: CustomField) =>
    onChange(fields.map((field) => (field.id === changed.id ? changed : field)));
  const nextId = Math.max(...fields.map(({ id }) => id), 0) + 1;
  return (
    <fieldset className="wide custom-fields">
      <legend>{FIELDS.custom.label}</legend>
      {fields.map((field) => (
        <div key={field.id}>
          <Field label="Name">
            {(control) => (
              <input
                {...control}
                value={field.name}
                dir="auto"
                onChange={({ target }) => put({ ...field, name: target.value })}
              />
            )}
          </Field>
          <Field label="Text">
            {(control) => (
              <textarea
                {...control}
                value={field.text}
                rows={1}
                dir="auto"
                onChange={({ target }) => put({ ...field, text: target.value })}
              />
            )}
          </Field>
          <Button
            look="quiet"
            aria-label={`Remove ${field.name || "this field"}`}
            onClick={() => onChange(fields.filter(({ id }) => id !== field.id))}
          >
            ×
          </Button>
        </div>
      ))}
      {error && <p className="field-error">{error}</p>}
      <Button onClick={() => onChange([...fields, { id: nextId, name: "", text: "" }])}>
        Add a field
      </Button>
    </fieldset>
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
