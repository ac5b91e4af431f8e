import { useState } from "react";
import { isCurrencyCode } from "../../shared/money.ts";
import {
  parseSettings,
  parseSettingsChange,
  type Settings,
  type SettingsChange,
} from "../../shared/settings.ts";
import { Loaded, invalidate } from "../register/resource.tsx";
import { combine, useFacets, useSettings } from "../register/suggestions.ts";
import { callApi } from "../session/session-store.ts";
import { notify } from "../ui/notifications.ts";
import { type FormField, type FormValues, Form } from "../register/form.tsx";

export function RegisterSettings() {
  return (
    <section>
      <h2>Register</h2>
      <Loaded of={combine(useSettings(), useFacets())} lines={4}>
        {([settings, { currencies }]) => (
          <RegisterForm
            settings={settings}
            inUse={currencies.map(({ value }) => value).filter(isCurrencyCode)}
          />
        )}
      </Loaded>
    </section>
  );
}

function RegisterForm({ settings, inUse }: { settings: Settings; inUse: readonly string[] }) {
  const { leadDays, rates } = settings;
  const [typedCurrency, setCurrency] = useState<string>();
  const currency = typedCurrency ?? settings.currency ?? "";
  const known = currency === settings.currency ? rates : {};
  const [another, setAnother] = useState("");
  const codes = new Set([...inUse, ...Object.keys(rates)]);
  if (isCurrencyCode(another)) codes.add(another);
  codes.delete(currency);

  async function save(values: FormValues, edited: FormValues) {
    const body: SettingsChange = {};
    if ("leadDays" in edited) body.leadDays = toNumber(values["leadDays"]);
    if ("currency" in edited) body.currency = currency || null;
    // Only what was edited: someone else may have changed another rate meanwhile.
    const changed = [...codes].filter((each) => "currency" in edited || `rates/${each}` in edited);
    const typed = changed.flatMap((each) => {
      const rate = values[`rates/${each}`]?.trim();
      if (!rate && known[each] === undefined) return [];
      return [[each, rate ? toNumber(rate) : null] as const];
    });
    if (typed.length > 0) body.rates = Object.fromEntries(typed);
    parseSettingsChange(body);
    await callApi("/api/settings", { method: "PATCH", body, parse: parseSettings });
    notify({ text: "Settings saved." });
    invalidate("/api/");
  }

  const code = { maxLength: 3, autoCapitalize: "characters", spellCheck: false } as const;
  const fields: FormField[] = [
    {
      name: "leadDays",
      label: "Lead time (days)",
      hint: "Domains need your attention this many days before they expire.",
      fault: "Enter a whole number of days from 1 to 365.",
      inputMode: "numeric",
      maxLength: 3,
      defaultValue: leadDays,
    },
    {
      name: "currency",
      label: "Main currency",
      hint: "For new prices and for totals, such as EUR.",
      fault: "Enter three letters, for example EUR.",
      defaultValue: currency,
      onType: (typed) => setCurrency(typed.trim().toUpperCase()),
      ...code,
    },
  ];
  if (currency !== "") {
    for (const each of codes) {
      fields.push({
        name: `rates/${each}`,
        label: `1 ${each} in ${currency}`,
        fault: "Enter a number above 0, for example 0.92.",
        inputMode: "decimal",
        defaultValue: known[each],
      });
    }
    fields.push({
      name: "another",
      label: "Another currency",
      hint: "Three letters, to set its rate too. With your own rates, totals are in one currency.",
      onType: (typed) => setAnother(typed.trim().toUpperCase()),
      ...code,
    });
  }
  return <Form label="Register" action="Save" fields={fields} onSend={save} />;
}

function toNumber(typed = ""): number {
  return typed.trim() === "" ? Number.NaN : Number(typed.trim().replace(",", "."));
}
