import type { ComponentProps } from "react";
import { Field, type Labelled, OptionList, type Options } from "./field.tsx";

interface ChoiceProps extends Labelled, Omit<ComponentProps<"select">, "onChange"> {
  options: Options;
  onChoose?: ((value: string) => void) | undefined;
}

export function Choice({ label, hint, error, options, onChoose, ...select }: ChoiceProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} {...select} onChange={({ target }) => onChoose?.(target.value)}>
          <OptionList options={options} />
        </select>
      )}
    </Field>
  );
}

interface CheckProps extends Omit<ComponentProps<"input">, "onChange"> {
  onCheck?: (on: boolean) => void;
}

/** A box to tick, or with `type="radio"` one of several, before its words. */
export function Check({ onCheck, children, ...box }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" {...box} onChange={({ target }) => onCheck?.(target.checked)} />
      {children}
    </label>
  );
}
