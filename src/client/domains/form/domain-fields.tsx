import { type ReactNode, useState } from "react";
import {
  facetOf,
  type Field,
  IMPORT_LABELS,
  type ImportField,
  importFieldsOf,
  LABEL_FIELDS,
  recordOf,
} from "../../../shared/fields.ts";
import type { Facets } from "../../../shared/facets.ts";
import { toSuggestions } from "../../ui/text-box.tsx";
import { type DomainValues, FORM_FIELDS, type ValueErrors } from "./domain-values.ts";
import type { Surroundings } from "./field-controls.tsx";
import { type DomainFormField, FORM_KIND_OF, RARE_FIELDS } from "./field-kinds.tsx";
import "./form.css";

const SUGGESTED: { readonly [F in Field]?: Exclude<keyof Facets, "currencies"> } = {
  ...recordOf(LABEL_FIELDS, facetOf),
  tags: "tags",
  custom: "custom",
};

interface Props {
  values: DomainValues;
  errors?: ValueErrors;
  facets: Facets | undefined;
  onChange: (name: ImportField, value: string) => void;
}

/** The controls of a field. `form` says how they differ from those of one domain. */
export function renderControls(
  field: DomainFormField,
  { values, errors, facets, onChange }: Props,
  form: Partial<Surroundings>,
): ReactNode {
  const [first, ...others] = importFieldsOf(field).map((name) => ({
    name,
    label: IMPORT_LABELS[name],
    value: values[name],
    error: errors?.[name],
    onChange: (value: string) => onChange(name, value),
  }));
  const used = SUGGESTED[field];
  if (first === undefined) return null;
  return FORM_KIND_OF[field].controls([first, ...others], {
    suggestions: used && toSuggestions(facets?.[used]),
    currencies: toSuggestions(facets?.currencies.filter(({ value }) => value !== "-")),
    ...form,
  });
}

const HINTS: { readonly [F in Field]?: string } = {
  account: "Your login at the registrar",
  expires: ". Overrides dates from imports",
  status: "As the registrar reports it",
};

/** Fields that most domains lack are folded away until one has a value. */
const isDetail = (field: DomainFormField) => RARE_FIELDS.includes(field);
const DETAILS = FORM_FIELDS.filter(isDetail).flatMap(importFieldsOf);

/** A control for every field of a domain. Only the name is required. */
export function DomainFields(props: Props) {
  const { values, errors } = props;
  const [detailed, setDetailed] = useState(() => DETAILS.some((name) => values[name] !== ""));
  const hasError = DETAILS.some((name) => errors?.[name]);
  const render = (field: DomainFormField) => {
    const controls = renderControls(field, props, { hint: HINTS[field] });
    return FORM_KIND_OF[field].isWide ? (
      <div key={field} className="wide">
        {controls}
      </div>
    ) : (
      controls
    );
  };
  // The name, then two columns, then what takes a whole line.
  const inOrder = (fields: readonly DomainFormField[]) => [
    ...fields.filter((field) => !FORM_KIND_OF[field].isWide),
    ...fields.filter((field) => FORM_KIND_OF[field].isWide),
  ];
  const main = FORM_FIELDS.filter(
    (field) => field !== "name" && field !== "archivedOn" && !isDetail(field),
  );
  return (
    <div className="field-grid">
      {render("name")}
      {inOrder(main).map(render)}
      <details
        className="wide"
        open={detailed || hasError}
        onToggle={({ currentTarget }) => setDetailed(currentTarget.open)}
      >
        <summary>More details</summary>
        <div className="field-grid">{inOrder(FORM_FIELDS.filter(isDetail)).map(render)}</div>
      </details>
    </div>
  );
}
