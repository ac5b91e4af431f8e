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
import { DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";
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
  /** Called when something is typed. */
  onEdit?: () => void;
  /** Controls that are no fields. */
  children?: ReactNode;
}

/** A form that shows at its fields what the server refused. The browser holds what is typed. */
export function SettingsForm({ label, action, fields, onSend, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [changed, setChanged] = useState(false);
  useUnsavedChanges(changed);
  const refused = Object.entries(fieldErrors(error));
  /** What is refused of a field, or of a part of it: `thresholds/0`. */
  const faultOf = ({ name, fault }: FormField) => {
    const [, detail] = refused.find(([path]) => `${path}/`.startsWith(`${name}/`)) ?? [];
    return detail && (fault ?? detail);
  };

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
      setChanged(false);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  }

  return (
    <form
      ref={form}
      className="stack"
      aria-label={label}
      noValidate
      onChange={() => {
        setChanged(true);
        onEdit?.();
      }}
      onSubmit={submit}
    >
      <div className="settings-fields">
        {fields.map((field) => {
          const { label: fieldLabel, hint, options, fault: _, defaultValue, ...input } = field;
          return (
            <Field key={input.name} label={fieldLabel} hint={hint} error={faultOf(field)}>
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
      {error !== undefined && !fields.some(faultOf) && (
        <Notice>{refused[0]?.[1] ?? explain(error)}</Notice>
      )}
      <DialogActions>
        <Button type="submit" look="primary" aria-disabled={busy}>
          {action}
        </Button>
      </DialogActions>
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
