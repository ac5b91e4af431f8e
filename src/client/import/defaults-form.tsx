import { useState } from "react";
import type { ImportDefaults } from "../../shared/import.ts";
import { IMPORT_FIELDS } from "../../shared/fields.ts";
import { splitTags } from "../../shared/text.ts";
import { Field } from "../ui/field.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";

const names = ["registrar", "account", "owner", "tags", "currency"] as const;
type Texts = Partial<Record<(typeof names)[number], string>>;

const CURRENCY = /^[A-Z]{3}$/;

/** The values for rows that have none of their own. Reported when a control loses the focus. */
export function DefaultsForm({
  defaults,
  format,
  onChange,
}: {
  defaults: ImportDefaults;
  format: string | null;
  onChange: (defaults: ImportDefaults) => void;
}) {
  const [wasOpen] = useState(Object.keys(defaults).length > 0);
  const [texts, setTexts] = useState<Texts>({ ...defaults, tags: defaults.tags?.join(", ") ?? "" });
  const [reported, setReported] = useState(texts);
  const { tags = "", currency = "", ...labels } = texts;
  const code = currency.trim().toUpperCase();
  const badCurrency = code !== "" && !CURRENCY.test(code);
  useUnsavedChanges(texts !== reported);

  function report() {
    if (badCurrency || texts === reported) return;
    setReported(texts);
    onChange({ ...labels, tags: splitTags(tags), ...(code && { currency: code }) });
  }

  const hints: Required<Texts> = {
    registrar: format ? `Leave empty for ${format}` : "The registrar this file is from",
    account: "Login at the registrar",
    owner: "Person responsible",
    tags: "Added to every domain, separated by commas",
    currency: "For prices without a currency, for example EUR",
  };

  return (
    <details className="import-defaults" open={wasOpen}>
      <summary>Defaults for empty fields</summary>
      <div className="import-defaults-fields">
        {names.map((name) => (
          <Field
            key={name}
            label={IMPORT_FIELDS[name].label}
            hint={hints[name]}
            error={
              name === "currency" && badCurrency ? "Use three letters, for example EUR." : undefined
            }
          >
            {(control) => (
              <input
                {...control}
                value={texts[name] ?? ""}
                autoComplete="off"
                spellCheck={name === "currency" ? false : undefined}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
                onBlur={report}
                onKeyDown={(event) => event.key === "Enter" && report()}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}
