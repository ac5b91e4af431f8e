import { useState } from "react";
import type { ImportDefaults } from "../../import-contract.ts";
import { Field } from "../../ui/field.tsx";

const names = ["registrar", "account", "owner", "tags", "currency"] as const;
type Name = (typeof names)[number];

const labels: Readonly<Record<Name, string>> = {
  registrar: "Registrar",
  account: "Account",
  owner: "Owner",
  tags: "Tags",
  currency: "Currency",
};

const CURRENCY = /^[A-Z]{3}$/;

/** What is said of every name whose row does not say it. Told when a field is left. */
export function DefaultsForm({
  defaults,
  format,
  onChange,
}: {
  defaults: ImportDefaults;
  format: string | null;
  onChange: (defaults: ImportDefaults) => void;
}) {
  const [typed, setTyped] = useState(() => toTexts(defaults));
  const [told, setTold] = useState(JSON.stringify(defaults));
  const currency = typed.currency.trim().toUpperCase();
  const badCurrency = currency !== "" && !CURRENCY.test(currency);

  function tell() {
    if (badCurrency) return;
    const next = toDefaults(typed);
    if (JSON.stringify(next) === told) return;
    setTold(JSON.stringify(next));
    onChange(next);
  }

  const hints: Readonly<Record<Name, string>> = {
    registrar: format ? `${format}, unless something else stands here` : "Where the names are",
    account: "Whose login it is there",
    owner: "Who answers for the names",
    tags: "Added to each name; separated by commas",
    currency: "Of prices that name none, such as EUR",
  };

  return (
    <details className="import-defaults" open={Object.keys(defaults).length > 0 || undefined}>
      <summary>For every name that the file says nothing of</summary>
      <div className="import-defaults-fields">
        {names.map((name) => (
          <Field
            key={name}
            label={labels[name]}
            hint={hints[name]}
            error={name === "currency" && badCurrency ? "Three letters, such as EUR." : undefined}
          >
            {(control) => (
              <input
                {...control}
                value={typed[name]}
                autoComplete="off"
                spellCheck={name === "currency" ? false : undefined}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
                onBlur={tell}
                onKeyDown={({ key }) => key === "Enter" && tell()}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}

function toTexts(defaults: ImportDefaults): Record<Name, string> {
  const { registrar = "", account = "", owner = "", tags = [], currency = "" } = defaults;
  return { registrar, account, owner, tags: tags.join(", "), currency };
}

function toDefaults(typed: Record<Name, string>): ImportDefaults {
  const text = (name: Name) => typed[name].trim();
  const tags = [
    ...new Set(
      text("tags")
        .split(",")
        .map((tag) => tag.trim()),
    ),
  ].filter(Boolean);
  return {
    ...(text("registrar") && { registrar: text("registrar") }),
    ...(text("account") && { account: text("account") }),
    ...(text("owner") && { owner: text("owner") }),
    ...(tags.length > 0 && { tags }),
    ...(text("currency") && { currency: text("currency").toUpperCase() }),
  };
}
