import { useState } from "react";
import type { ImportDefaults } from "../../shared/import.ts";
import { IMPORT_FIELDS } from "../../shared/fields.ts";
import { splitTags } from "../../shared/text.ts";
import { Field } from "../ui/field.tsx";
import { useUnsavedChanges } from "../unsaved-changes.ts";

const names = ["registrar", "account", "owner", "tags", "currency"] as const;
type Name = (typeof names)[number];
type Texts = Readonly<Record<Name, string>>;

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
  const [texts, setTexts] = useState(() => toTexts(defaults));
  const [reported, setReported] = useState(JSON.stringify(defaults));
  const currency = texts.currency.trim().toUpperCase();
  const badCurrency = currency !== "" && !CURRENCY.test(currency);

  const next = toDefaults(texts);
  const json = JSON.stringify(next);
  useUnsavedChanges(json !== reported);

  function report() {
    if (badCurrency || json === reported) return;
    setReported(json);
    onChange(next);
  }

  const hints: Texts = {
    registrar: format ? `Leave empty for ${format}` : "The registrar this file is from",
    account: "Login at the registrar",
    owner: "Person responsible",
    tags: "Added to every domain, separated by commas",
    currency: "For prices without a currency, for example EUR",
  };

  return (
    <details className="import-defaults" open={reported !== "{}" || undefined}>
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
                value={texts[name]}
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

function toTexts({ registrar, account, owner, tags, currency }: ImportDefaults): Texts {
  return {
    registrar: registrar ?? "",
    account: account ?? "",
    owner: owner ?? "",
    tags: tags?.join(", ") ?? "",
    currency: currency ?? "",
  };
}

function toDefaults(texts: Texts): ImportDefaults {
  const registrar = texts.registrar.trim();
  const account = texts.account.trim();
  const owner = texts.owner.trim();
  const tags = splitTags(texts.tags);
  const currency = texts.currency.trim().toUpperCase();
  return {
    ...(registrar && { registrar }),
    ...(account && { account }),
    ...(owner && { owner }),
    ...(tags.length > 0 && { tags }),
    ...(currency && { currency }),
  };
}
