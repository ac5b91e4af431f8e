import { useEffect, useEffectEvent, useState } from "react";
import type { ImportDefaults } from "../../shared/import-contract.ts";
import { parseRecord, textOrNull } from "../../shared/parse-json.ts";
import { Field } from "../ui/field.tsx";
import { keepTab, readTab, readTabJson } from "../tab-store.ts";
import { toTags } from "../../shared/tags.ts";

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

/**
 * What is said of every name whose row does not say it. Told when a field is left; until it is taken
 * it survives a reload.
 */
export function DefaultsForm({
  id,
  defaults,
  format,
  onChange,
}: {
  id: string;
  defaults: ImportDefaults;
  format: string | null;
  /** Resolves with whether the server has taken them. */
  onChange: (defaults: ImportDefaults) => Promise<boolean>;
}) {
  const key = `import-defaults-${id}`;
  const [typed, setTyped] = useState(() => readTabJson(key, parseTexts) ?? toTexts(defaults));
  const [told, setTold] = useState(JSON.stringify(defaults));
  const [filled] = useState(() => names.some((name) => typed[name] !== ""));
  const currency = typed.currency.trim().toUpperCase();
  const badCurrency = currency !== "" && !CURRENCY.test(currency);

  function type(texts: Record<Name, string>) {
    setTyped(texts);
    keepTab(key, JSON.stringify(texts));
  }

  async function tell() {
    if (badCurrency) return;
    const next = toDefaults(typed);
    if (JSON.stringify(next) === told) return;
    setTold(JSON.stringify(next));
    const taken = await onChange(next);
    // Something else may have been typed meanwhile.
    if (taken && readTab(key) === JSON.stringify(typed)) keepTab(key, null);
  }

  const resume = useEffectEvent(() => void tell());
  useEffect(() => queueMicrotask(() => resume()), []);

  const hints: Readonly<Record<Name, string>> = {
    registrar: format ? `${format}, unless something else stands here` : "Where the names are",
    account: "Whose login it is there",
    owner: "Who answers for the names",
    tags: "Added to each name; separated by commas",
    currency: "Of prices that name none, such as EUR",
  };

  return (
    <details className="import-defaults" open={told !== "{}" || filled || undefined}>
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
                onChange={({ target }) => type({ ...typed, [name]: target.value })}
                onBlur={tell}
                onKeyDown={(event) => event.key === "Enter" && void tell()}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}

function parseTexts(json: unknown): Record<Name, string> {
  const { registrar, account, owner, tags, currency } = parseRecord(json);
  return {
    registrar: textOrNull(registrar) ?? "",
    account: textOrNull(account) ?? "",
    owner: textOrNull(owner) ?? "",
    tags: textOrNull(tags) ?? "",
    currency: textOrNull(currency) ?? "",
  };
}

function toTexts(defaults: ImportDefaults): Record<Name, string> {
  const { registrar = "", account = "", owner = "", tags = [], currency = "" } = defaults;
  return { registrar, account, owner, tags: tags.join(", "), currency };
}

function toDefaults(typed: Record<Name, string>): ImportDefaults {
  const text = (name: Name) => typed[name].trim();
  const tags = toTags(typed.tags);
  return {
    ...(text("registrar") && { registrar: text("registrar") }),
    ...(text("account") && { account: text("account") }),
    ...(text("owner") && { owner: text("owner") }),
    ...(tags.length > 0 && { tags }),
    ...(text("currency") && { currency: text("currency").toUpperCase() }),
  };
}
