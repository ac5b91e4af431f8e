import { type ReactNode, useId } from "react";
import "./field.css";

/** What a control needs to be tied to its label, hint and error: spread it onto the control. */
export interface ControlProps {
  id: string;
  className: "control";
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

/** A labelled control. The error is read with the control, and comes before the hint. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}) {
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
