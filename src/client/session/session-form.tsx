import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { PASSWORD_LENGTH } from "../../shared/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { explain, fieldErrors } from "./failure.tsx";
import { type SessionState, signIn } from "./session-store.ts";
import "./session-form.css";

/** Signs in or, while the register has no owner, creates the owner account. */
export function SessionForm({ session }: { session: SessionState }) {
  const form = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState(readCode);
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const bad = fieldErrors(error);
  const setUp = session.state === "set-up";
  const expired = session.state === "expired";

  useEffect(() => {
    // The printed link may be opened in a tab that shows this form already.
    const onHashChange = () => setCode((known) => readCode() ?? known);
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  useEffect(() => {
    // The code is a secret: it must not stay in the address or the history.
    if (code) history.replaceState(history.state, "", location.pathname + location.search);
  }, [code]);
  useEffect(() => {
    const target = error ? "[aria-invalid]" : expired && "[name=password]";
    if (target) form.current?.querySelector<HTMLElement>(target)?.focus();
  }, [error, expired]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const { elements } = event.currentTarget;
    const text = (name: string) => {
      const control = elements.namedItem(name);
      return control instanceof HTMLInputElement ? control.value : "";
    };
    const credentials = { email: text("email"), password: text("password") };
    setBusy(true);
    try {
      await signIn(setUp ? { ...credentials, setUpCode: text("setUpCode").trim() } : credentials);
      document.querySelector("h1")?.focus();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="session-form" onSubmit={submit}>
      <h2>{setUp ? "Welcome" : expired ? "Sign in again" : "Sign in"}</h2>
      {setUp && (
        <>
          <p>Create the owner account to get started.</p>
          <Field
            label="Set-up code"
            hint="Shown in the terminal where the server was started"
            error={bad.setUpCode}
          >
            {(control) => (
              <input
                key={code}
                {...control}
                name="setUpCode"
                defaultValue={code}
                required
                autoComplete="off"
              />
            )}
          </Field>
        </>
      )}
      {expired && <p>You were signed out. Your work is saved.</p>}
      <Field label="E-mail address" error={bad.email}>
        {(control) => (
          <input
            {...control}
            name="email"
            type="email"
            defaultValue={"email" in session ? session.email : ""}
            required
            autoComplete="username"
          />
        )}
      </Field>
      <Field
        label="Password"
        hint={setUp && `At least ${PASSWORD_LENGTH.min} characters`}
        error={bad.password}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            type={shown ? "text" : "password"}
            required
            minLength={setUp ? PASSWORD_LENGTH.min : undefined}
            autoComplete={setUp ? "new-password" : "current-password"}
          />
        )}
      </Field>
      <label className="check">
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} />
        Show password
      </label>
      {error !== undefined && Object.keys(bad).length === 0 && <Notice>{explain(error)}</Notice>}
      <Button type="submit" look="primary" aria-disabled={busy}>
        {setUp ? "Create account" : "Sign in"}
      </Button>
    </form>
  );
}

/** The set-up code of the printed link, percent-encoded in its fragment. */
function readCode(): string | undefined {
  const [, code] = /^#set-up=(.+)/.exec(location.hash) ?? [];
  try {
    return code && decodeURIComponent(code);
  } catch {
    return code;
  }
}
