import {
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { useAction } from "../session/use-action.ts";
import { explain, fieldErrors } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field, OptionList, type Options } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";

/** A text box, of several `lines` where it says so, or a choice of `options`. */
export interface FormField extends ComponentProps<"input"> {
  /** That of the member in the request. */
  name: string;
  label: string;
  hint?: string | undefined;
  options?: Options;
  lines?: number;
  /** Of a choice, and of a box with several lines. */
  onType?: (value: string) => void;
  /** What is said where the server refuses the value; by default what it says itself. */
  fault?: string;
}

/** What was typed, by the names of the controls; of boxes with one name, those ticked: `6,7`. */
export type FormValues = Record<string, string>;

interface Props {
  label: string;
  action: string;
  fields: readonly FormField[];
  /** @param edited Of the values, those that the person changed: nobody else's change is undone. */
  onSend: (values: FormValues, edited: FormValues) => Promise<void>;
  /** Called when something is typed. */
  onEdit?: () => void;
  /** Controls that are no fields. */
  children?: ReactNode;
}

/** A form that shows at its fields what the server refused. The browser holds what is typed. */
export function Form({ label, action, fields, onSend, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [changed, setChanged] = useState(false);
  /** What the boxes held before they were typed into. */
  const opened = useRef<FormValues>(undefined);
  const typedInto = useRef(new Set<string>());
  const { run, isBusy, error } = useAction(async (values: FormValues) => {
    await onSend(values, editedValues(opened.current ?? {}, values));
    opened.current = values;
    typedInto.current.clear();
    setChanged(false);
  });
  useUnsavedChanges(changed);
  const refused = Object.entries(fieldErrors(error));
  /** What is refused of a field, or of a part of it: `thresholds/0`. */
  const faultOf = ({ name, fault }: FormField) => {
    const [, detail] = refused.find(([path]) => `${path}/`.startsWith(`${name}/`)) ?? [];
    return detail && (fault ?? detail);
  };

  useEffect(() => {
    if (!error) return;
    const box = form.current?.querySelector<HTMLInputElement>("[aria-invalid]");
    box?.focus();
    // A secret is typed anew.
    if (box?.type === "password") box.select();
  }, [error]);

  useEffect(() => {
    const now = form.current ? readValues(form.current) : {};
    const before = Object.entries(opened.current ?? now);
    // A default that was read again is no edit.
    opened.current = Object.fromEntries(
      before.map(([name, value]) => [
        name,
        typedInto.current.has(name) ? value : (now[name] ?? value),
      ]),
    );
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void run(readValues(event.currentTarget));
  }

  return (
    <form
      ref={form}
      className="stack"
      aria-label={label}
      noValidate
      onChange={({ target }) => {
        if ("name" in target) typedInto.current.add(String(target.name));
        setChanged(true);
        onEdit?.();
      }}
      onSubmit={submit}
    >
      <div className="field-grid">
        {fields.map((field) => {
          const { label: fieldLabel, hint, options, lines, onType, fault: _, ...rest } = field;
          const { defaultValue, ...input } = rest;
          const { name, spellCheck } = input;
          const typed = { name, defaultValue, spellCheck };
          const onChange = ({ target }: { target: { value: string } }) => onType?.(target.value);
          return (
            <Field key={input.name} label={fieldLabel} hint={hint} error={faultOf(field)}>
              {(control) =>
                options ? (
                  <select {...control} {...typed} onChange={onChange}>
                    <OptionList options={options} />
                  </select>
                ) : lines ? (
                  <textarea {...control} {...typed} rows={lines} onChange={onChange} />
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
        <Button type="submit" look="primary" aria-disabled={isBusy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** A form in a dialog, which asks before it discards what was typed. */
export function FormDialog(props: Props & { heading: string; onClose: () => void }) {
  const { heading, onClose, ...form } = props;
  const [isDirty, setDirty] = useState(false);
  return (
    <Dialog heading={heading} isDirty={isDirty} onClose={onClose}>
      <Form {...form} onEdit={() => setDirty(true)} />
    </Dialog>
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

function editedValues(before: FormValues, now: FormValues): FormValues {
  const names = Object.keys({ ...before, ...now });
  const pairs = names.map((name) => [name, now[name] ?? ""] as const);
  return Object.fromEntries(pairs.filter(([name, value]) => value !== (before[name] ?? "")));
}
