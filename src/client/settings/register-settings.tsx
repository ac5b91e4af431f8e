import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { isCurrencyCode } from "../../shared/money.ts";
import { ParseError } from "../../shared/parse.ts";
import { parseSettings, parseSettingsChange, type Settings } from "../../shared/settings.ts";
import { readFacets, readSettings } from "../session/register.ts";
import { Failure, fieldErrors, FormFailure } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { notify } from "../ui/notifications.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
import { useLoaded } from "../ui/use-loaded.ts";

const SETTINGS_PATH = "/api/settings";

/** What holds for the whole register: when domains need attention, and how money adds up. */
export function RegisterSettings() {
  const { value, error, reload } = useLoaded(readAll);
  return (
    <section>
      <h2>Register</h2>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!value && error === undefined && <Skeleton lines={4} />}
      {value && <RegisterForm {...value} />}
    </section>
  );
}

async function readAll(signal: AbortSignal) {
  const [settings, { currencies }] = await Promise.all([readSettings(signal), readFacets(signal)]);
  return { settings, inUse: currencies.map(({ value }) => value).filter(isCurrencyCode) };
}

/** What is typed into the form. */
interface Values {
  leadDays: string;
  currency: string;
  rates: Readonly<Record<string, string>>;
}

function toValues({ leadDays, currency, rates }: Settings): Values {
  return {
    leadDays: String(leadDays),
    currency: currency ?? "",
    rates: Object.fromEntries(Object.entries(rates).map(([code, rate]) => [code, String(rate)])),
  };
}

/** What was typed; NaN for what is no number. */
function toChange({ leadDays, currency, rates }: Values) {
  const code = currency.trim().toUpperCase();
  const given = Object.entries(rates).filter(([each, rate]) => each !== code && rate.trim() !== "");
  return {
    leadDays: toNumber(leadDays),
    currency: code || null,
    rates: Object.fromEntries(code ? given.map(([each, rate]) => [each, toNumber(rate)]) : []),
  };
}

/** What the server would refuse, by field: `rates/USD`. */
function findFaults(change: ReturnType<typeof toChange>): Record<string, string> {
  try {
    parseSettingsChange(change);
    return {};
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return Object.fromEntries(error.problems.map(({ pointer, code }) => [pointer.slice(1), code]));
  }
}

function toNumber(typed: string): number {
  return typed.trim() === "" ? Number.NaN : Number(typed.trim().replace(",", "."));
}

function RegisterForm({ settings, inUse }: { settings: Settings; inUse: string[] }) {
  const form = useRef<HTMLFormElement>(null);
  const [saved, setSaved] = useState(() => toValues(settings));
  const [values, setValues] = useState(saved);
  const [another, setAnother] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [bad, setBad] = useState<Record<string, string>>({});
  const { currency } = toChange(values);
  const typed = another.trim().toUpperCase();
  const codes = new Set([...inUse, ...Object.keys(saved.rates)]);
  if (isCurrencyCode(typed)) codes.add(typed);
  codes.delete(currency ?? "");
  useUnsavedChanges(JSON.stringify(values) !== JSON.stringify(saved));
  useEffect(() => {
    if (Object.keys(bad).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [bad]);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy) return;
    const body = toChange(values);
    const found = findFaults(body);
    setBad(found);
    setFailure(undefined);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const next = await callApi(SETTINGS_PATH, { method: "PATCH", body, parse: parseSettings });
      setSaved(toValues(next));
      setValues(toValues(next));
      notify({ text: "Settings saved." });
    } catch (error) {
      setBad(fieldErrors(error));
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="settings-form" noValidate onSubmit={submit}>
      <div className="settings-fields">
        <Field
          label="Lead time (days)"
          hint="Domains need your attention this many days before they expire."
          error={bad.leadDays && "Enter a whole number of days from 1 to 365."}
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              maxLength={3}
              value={values.leadDays}
              onChange={({ target }) => setValues({ ...values, leadDays: target.value })}
            />
          )}
        </Field>
        <Field
          label="Main currency"
          hint="For new prices and for totals, such as EUR."
          error={bad.currency && "Enter three letters, for example EUR."}
        >
          {(control) => (
            <input
              {...control}
              maxLength={3}
              autoCapitalize="characters"
              spellCheck={false}
              value={values.currency}
              onChange={({ target }) => setValues({ ...values, currency: target.value })}
            />
          )}
        </Field>
      </div>
      {currency !== null && (
        <fieldset>
          <legend>Exchange rates</legend>
          <p>Your own rates, for one total over all currencies. Leave out what you don’t need.</p>
          <div className="settings-fields">
            {[...codes].map((code) => (
              <Field
                key={code}
                label={`1 ${code} in ${currency}`}
                error={bad[`rates/${code}`] && "Enter a number above 0, for example 0.92."}
              >
                {(control) => (
                  <input
                    {...control}
                    inputMode="decimal"
                    value={values.rates[code] ?? ""}
                    onChange={({ target }) =>
                      setValues({ ...values, rates: { ...values.rates, [code]: target.value } })
                    }
                  />
                )}
              </Field>
            ))}
            <Field label="Another currency" hint="Three letters, to set its rate too">
              {(control) => (
                <input
                  {...control}
                  maxLength={3}
                  autoCapitalize="characters"
                  spellCheck={false}
                  value={another}
                  onChange={({ target }) => setAnother(target.value)}
                />
              )}
            </Field>
          </div>
        </fieldset>
      )}
      <FormFailure error={failure} />
      <div>
        <Button type="submit" look="primary" aria-disabled={busy}>
          {busy ? "Saving…" : "Save"}
        </Button>
      </div>
    </form>
  );
}
