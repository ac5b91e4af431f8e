import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import { useAction } from "../session/use-action.ts";
import { explain, fieldErrors } from "../session/failure.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Choice } from "../ui/choice.tsx";
import { type ComboboxProps, TextBox } from "../ui/text-box.tsx";
import { Field, type Options } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { useUnsavedChanges } from "../ui/unsaved-changes.ts";

/** A text box, of several `lines` if given, or a choice of `options`. */
export interface FormField extends ComboboxProps {
  name: string;
  label: string;
  hint?: string | undefined;
  options?: Options;
  lines?: number;
  /** Replaces the server's message about the value. */
  fault?: string;
}

/** Values by name of their control; of boxes with one name, those ticked: `6,7`. */
export type FormValues = Record<string, string>;

interface Props {
  label: string;
  action: string;
  fields: readonly FormField[];
  /** @param edited The values that the person changed, so that no other change is undone. */
  onSend: (values: FormValues, edited: FormValues) => Promise<void>;
  onEdit?: () => void;
  children?: ReactNode;
}

/** A form that shows the server's errors at its fields. The browser holds the values. */
export function Form({ label, action, fields, onSend, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [changed, setChanged] = useState(false);
  /** What the boxes held before they were typed into. */
  const opened = useRef<FormValues>(undefined);
  const typedInto = useRef(new Set<string>());
  /** The default of each control when it was last rendered. */
  const defaults = useRef(new WeakMap<HTMLInputElement, string>());
  const { run, isBusy, error } = useAction(async (values: FormValues) => {
    await onSend(values, editedValues(opened.current ?? {}, values));
    opened.current = values;
    // What was typed meanwhile is sent by the next Save.
    const now = form.current ? readValues(form.current) : values;
    for (const name of typedInto.current) {
      if (now[name] === values[name]) typedInto.current.delete(name);
    }
    setChanged(typedInto.current.size > 0);
  });
  useUnsavedChanges(changed);
  const refused = Object.entries(fieldErrors(error));
  /** The error of a field, or of a part of it: `thresholds/0`. */
  const faultOf = ({ name, fault }: FormField) => {
    const [, detail] = refused.find(([path]) => `${path}/`.startsWith(`${name}/`)) ?? [];
    return detail && (fault ?? detail);
  };

  useEffect(() => {
    if (!error) return;
    const box = form.current?.querySelector<HTMLInputElement>("[aria-invalid]");
    box?.focus();
    // Secrets are typed again.
    if (box?.type === "password") box.select();
  }, [error]);

  useEffect(() => {
    // Neither React nor browsers show a new default in a control that was ever changed.
    for (const control of form.current ? namedControls(form.current) : []) {
      const { name, type, defaultChecked } = control;
      const isBox = type === "checkbox";
      const field = fields.find((each) => each.name === name);
      const value = String(isBox ? defaultChecked : (field?.defaultValue ?? ""));
      const before = defaults.current.get(control) ?? value;
      defaults.current.set(control, value);
      if (value === before || typedInto.current.has(name)) continue;
      if (isBox) control.checked = defaultChecked;
      else control.value = value;
    }
    const now = form.current ? readValues(form.current) : {};
    // A reloaded default is no edit.
    const before = opened.current ?? now;
    const typed = [...typedInto.current].map((name) => [name, before[name] ?? ""]);
    opened.current = { ...now, ...Object.fromEntries(typed) };
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
      onReset={() => typedInto.current.clear()}
      onSubmit={submit}
    >
      <div className="field-grid">
        {fields.map((field) => {
          const { options, lines, onType, fault: _, ...input } = field;
          const { name, hint, defaultValue, spellCheck } = input;
          const labelled = { label: input.label, hint, error: faultOf(field) };
          const typed = { name, defaultValue, spellCheck };
          if (options) {
            return (
              <Choice key={name} {...labelled} {...typed} options={options} onChoose={onType} />
            );
          }
          if (!lines) {
            return (
              <TextBox key={name} autoComplete="off" {...input} {...labelled} onType={onType} />
            );
          }
          return (
            <Field key={name} {...labelled}>
              {(control) => (
                <textarea
                  {...control}
                  {...typed}
                  rows={lines}
                  onChange={({ target }) => onType?.(target.value)}
                />
              )}
            </Field>
          );
        })}
      </div>
      {children}
      {error !== undefined && !fields.some(faultOf) && (
        <Notice>{refused[0]?.[1] ?? explain(error)}</Notice>
      )}
      <DialogActions>
        <Button type="submit" look="main" aria-disabled={isBusy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

/** A form in a dialog, headed by its label unless it has another heading. */
export function FormDialog(props: Props & { heading?: string; onClose: () => void }) {
  const { heading = props.label, onClose, ...form } = props;
  const [isDirty, setDirty] = useState(false);
  return (
    <Dialog heading={heading} isDirty={isDirty} onClose={onClose}>
      <Form {...form} onEdit={() => setDirty(true)} />
    </Dialog>
  );
}

function namedControls(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("[name]")];
}

function readValues(form: HTMLFormElement): FormValues {
  const controls = namedControls(form).filter(
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
