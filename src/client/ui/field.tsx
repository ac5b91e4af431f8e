import { type ReactNode, useId } from "react";

/** Attributes that tie a control to its label, hint and error. */
export interface ControlProps {
  id: string;
  className: "control";
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

export interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface Props extends Labelled {
  children: (control: ControlProps) => ReactNode;
}

/** A labelled control with a hint, which an error replaces. Screen readers read either with it. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: "control",
        "aria-describedby": note ? `${id}n` : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {note && (
        <p id={`${id}n`} className={error ? "field-error" : "field-hint"}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Options of a choice: the control's value, empty for unknown, and the label. */
export type Options = readonly (readonly [value: string, label: string])[];

export function OptionList({ options }: { options: Options }) {
  return options.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
