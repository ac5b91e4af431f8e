import {
  type ComponentProps,
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { failedResponse, fieldErrors, FormFailure } from "./failure.tsx";
import { getSession } from "./session-store.ts";
import { useAction } from "./use-action.ts";
import "./session-form.css";

/** A text box; a password can be shown. */
export interface InputField extends ComponentProps<"input"> {
  name: string;
  label: string;
  hint?: string;
}

export const EMAIL_FIELD: InputField = {
  name: "email",
  label: "E-mail address",
  type: "email",
  required: true,
  autoComplete: "username",
};

export const PASSWORD_FIELD: InputField = {
  name: "password",
  label: "Password",
  type: "password",
  required: true,
  autoComplete: "current-password",
};

interface Props {
  heading: string;
  about: ReactNode;
  /** They may depend on the error of the last attempt. */
  fields: (error: unknown) => readonly InputField[];
  action: string;
  onSend: (values: Record<string, string>) => Promise<void>;
  /** What follows the button. `attempt` runs another way to sign in. */
  children?: (attempt: (act: () => Promise<void>) => Promise<void>) => ReactNode;
}

/** The layout of all forms before sign-in. It replaces the screen, so it has the `h1`. */
export function SessionFrame(props: Props) {
  const { heading, about, action, onSend, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const [shown, setShown] = useState(false);
  // A 401 means a wrong password or code.
  const { run, isBusy, error } = useAction(
    async (act: () => Promise<void>) => {
      await act();
      // The form of a code takes the focus itself.
      if (getSession().state === "signed-in") document.querySelector("h1")?.focus();
    },
    () => true,
  );
  const bad = fieldErrors(error);
  const fields = props.fields(error);

  useEffect(() => {
    if (isBusy) return;
    const inputs = [...(form.current?.querySelectorAll<HTMLInputElement>("input.control") ?? [])];
    const isNext = (input: HTMLInputElement) =>
      error === undefined ? input.value === "" : input.matches("[aria-invalid]");
    // A 401 blames no field: the last one, password or code, is typed again.
    const secret = failedResponse(error).status === 401 ? inputs.at(-1) : undefined;
    const next = inputs.find(isNext) ?? secret;
    // Only an error scrolls: the history restores the position of the screen.
    next?.focus({ preventScroll: error === undefined });
    secret?.select();
  }, [isBusy, error]);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const inputs = event.currentTarget.querySelectorAll<HTMLInputElement>("input[name]");
    const values = Object.fromEntries([...inputs].map(({ name, value }) => [name, value]));
    void run(() => onSend(values));
  }

  return (
    <form ref={form} className="stack session-form" aria-labelledby={id} onSubmit={submit}>
      <h1 id={id} tabIndex={-1}>
        {heading}
      </h1>
      <p className="note">{about}</p>
      {fields.map(({ label, hint, type, ...input }) => (
        <Field key={input.name} label={label} hint={hint} error={bad[input.name]}>
          {(control) => (
            <input {...control} {...input} type={type === "password" && shown ? "text" : type} />
          )}
        </Field>
      ))}
      {fields.some(({ type }) => type === "password") && (
        <label className="check">
          <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} />
          Show password
        </label>
      )}
      <FormFailure error={error} />
      {fields.length > 0 && (
        <Button type="submit" look="main" aria-disabled={isBusy}>
          {action}
        </Button>
      )}
      {children?.(run)}
    </form>
  );
}
