import {
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { explain, fieldErrors } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import "./settings.css";

/** A text box, or a choice of `options`. */
export interface FormField extends ComponentProps<"input"> {
  /** That of the member in the request. */
  name: string;
  label: string;
  hint?: string | undefined;
  options?: readonly (readonly [value: string, label: string])[];
  /** What is said where the server refuses the value; by default what it says itself. */
  fault?: string;
}

/** What was typed, by the names of the controls; of boxes with one name, those ticked: `6,7`. */
export type FormValues = Record<string, string>;

interface Props {
  label: string;
  action: string;
  fields: readonly FormField[];
  onSend: (values: FormValues) => Promise<void>;
  /** Without it, nothing can be cancelled. */
  onCancel?: () => void;
  /** Controls that are no fields. */
  children?: ReactNode;
}

/** A form that shows at its fields what the server refused. The browser holds what is typed. */
export function SettingsForm({ label, action, fields, onSend, onCancel, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** By the first part of its path: `thresholds/0` is a fault of `thresholds`. */
  const bad = Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, detail]) => [path.split("/")[0], detail]),
  );

  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [error]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const values = readValues(event.currentTarget);
    setBusy(true);
    try {
      await onSend(values);
      setError(undefined);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  }

  return (
    <form ref={form} className="settings-form" aria-label={label} noValidate onSubmit={submit}>
      <div className="settings-fields">
        {fields.map(({ label: fieldLabel, hint, options, fault, defaultValue, ...input }) => {
          const refused = bad[input.name] && (fault ?? bad[input.name]);
          return (
            <Field key={input.name} label={fieldLabel} hint={hint} error={refused}>
              {(control) =>
                options ? (
                  <select {...control} name={input.name} defaultValue={defaultValue}>
                    {options.map(([value, text]) => (
                      <option key={value} value={value}>
                        {text}
                      </option>
                    ))}
                  </select>
                ) : (
                  <input autoComplete="off" {...control} {...input} defaultValue={defaultValue} />
                )
              }
            </Field>
          );
        })}
      </div>
      {children}
      {error !== undefined && !fields.some(({ name }) => bad[name]) && (
        <Notice>{explain(error)}</Notice>
      )}
      <div className={onCancel && "dialog-actions"}>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look="primary" aria-disabled={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

function readValues(form: HTMLFormElement): FormValues {
  const controls = [...form.querySelectorAll<HTMLInputElement>("[name]")].filter(
    ({ type, checked }) => type !== "checkbox" || checked,
  );
  const byName = [...Map.groupBy(controls, ({ name }) => name)];
  return Object.fromEntries(
    byName.map(([name, of]) => [name, of.map(({ value }) => value).join()]),
  );
}
