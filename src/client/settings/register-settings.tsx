import { useState } from "react";
import { isCurrencyCode } from "../../shared/money.ts";
import { parseSettings, parseSettingsChange, type Settings } from "../../shared/settings.ts";
import { readFacets, readSettings } from "../register/suggestions.ts";
import { Failure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { notify } from "../ui/notifications.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { type FormField, type FormValues, SettingsForm } from "./settings-form.tsx";

const SETTINGS_PATH = "/api/settings";

/** What holds for the whole register: when domains need attention, and how money adds up. */
export function RegisterSettings() {
  const { value, error, reload } = useLoaded(readAll);
  return (
    <section>
      <h2>Register</h2>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!value && error === undefined && <Skeleton lines={4} />}
      {value && <RegisterForm {...value} onSaved={reload} />}
    </section>
  );
}

async function readAll(signal: AbortSignal) {
  const [settings, { currencies }] = await Promise.all([readSettings(signal), readFacets(signal)]);
  return { settings, inUse: currencies.map(({ value }) => value).filter(isCurrencyCode) };
}

interface Props {
  settings: Settings;
  /** Currencies of prices. */
  inUse: readonly string[];
  onSaved: () => void;
}

function RegisterForm({ settings, inUse, onSaved }: Props) {
  const { leadDays, rates } = settings;
  const [currency, setCurrency] = useState(settings.currency ?? "");
  const [another, setAnother] = useState("");
  const codes = new Set([...inUse, ...Object.keys(rates)]);
  if (isCurrencyCode(another)) codes.add(another);
  codes.delete(currency);

  async function save(values: FormValues) {
    const given = [...codes].filter((code) => values[`rates/${code}`]?.trim());
    const body = {
      leadDays: toNumber(values["leadDays"]),
      currency: currency || null,
      rates: Object.fromEntries(given.map((code) => [code, toNumber(values[`rates/${code}`])])),
    };
    // Refuses at once what the server would refuse.
    parseSettingsChange(body);
    await callApi(SETTINGS_PATH, { method: "PATCH", body, parse: parseSettings });
    notify({ text: "Settings saved." });
    onSaved();
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
      onChange: ({ target }) => setCurrency(target.value.trim().toUpperCase()),
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
        defaultValue: rates[each],
      });
    }
    fields.push({
      name: "another",
      label: "Another currency",
      hint: "Three letters, to set its rate too. With your own rates, totals are in one currency.",
      onChange: ({ target }) => setAnother(target.value.trim().toUpperCase()),
      ...code,
    });
  }
  return <SettingsForm label="Register" action="Save" fields={fields} onSend={save} />;
}

function toNumber(typed = ""): number {
  return typed.trim() === "" ? Number.NaN : Number(typed.trim().replace(",", "."));
}
