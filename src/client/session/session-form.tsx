import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { readBrand } from "../../shared/brand.ts";
import { PASSWORD_LENGTH } from "../../shared/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { failedResponse, fieldErrors, FormFailure } from "./failure.tsx";
import { useLinkCode } from "./link-code.ts";
import { readStored, store } from "./session-storage.ts";
import { type SessionState, signIn } from "./session-store.ts";
import "./session-form.css";

/** Key in `sessionStorage`: the e-mail address that was typed, should the page reload. */
const EMAIL_KEY = "sign-in-email";

/**
 * Signs in; creates the owner account while the register has no owner; or sets a new password, with the
 * code of a link of `owner reset`. Its heading is that of the screen, whose own is hidden meanwhile.
 */
export function SessionForm({ session }: { session: SessionState }) {
  const link = useLinkCode();
  const form = useRef<HTMLFormElement>(null);
  const heading = useId();
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const bad = fieldErrors(error);
  const kind = link?.kind === "reset" ? "reset" : session.state;
  const setUp = kind === "set-up";
  const isNew = setUp || kind === "reset";
  const setUpCode = link?.kind === "set-up" ? link.code : undefined;
  const refused = failedResponse(error).status === 403;

  useEffect(() => {
    const inputs = [...(form.current?.querySelectorAll<HTMLInputElement>("input.control") ?? [])];
    const isNext = (input: HTMLInputElement) =>
      error === undefined ? input.value === "" : input.matches("[aria-invalid]");
    // Only an error scrolls: the screen that opens has its own place, kept by the history.
    inputs.find(isNext)?.focus({ preventScroll: error === undefined });
  }, [error]);

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
      if (kind === "reset") {
        await signIn({ resetCode: link?.code ?? "", password: credentials.password });
      } else if (setUp) {
        await signIn({ ...credentials, setUpCode: (text("setUpCode") || setUpCode || "").trim() });
      } else await signIn(credentials);
      store(EMAIL_KEY, null);
      document.querySelector("h1")?.focus();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="session-form" aria-labelledby={heading} onSubmit={submit}>
      <h1 id={heading} tabIndex={-1}>
        {TITLES[kind] ?? "Sign in"}
        {setUp && ` to ${readBrand()}`}
      </h1>
      <p>
        {kind === "expired" && "You were signed out. Your work is saved."}
        {kind === "reset" && "You will be signed out on all other devices."}
        {(setUp || kind === "signed-out") &&
          `${readBrand()} keeps track of your domains: where each is registered, when it expires, and what it costs.`}
        {setUp && " Create the owner account to get started."}
      </p>
      {setUp && (setUpCode === undefined || refused) && (
        <Field
          label="Set-up code"
          hint="Shown in the terminal where the server was started"
          error={bad.setUpCode}
        >
          {(control) => (
            <input
              {...control}
              name="setUpCode"
              defaultValue={setUpCode}
              required
              autoComplete="off"
            />
          )}
        </Field>
      )}
      {kind !== "reset" && (
        <Field label="E-mail address" error={bad.email}>
          {(control) => (
            <input
              {...control}
              name="email"
              type="email"
              defaultValue={"email" in session ? session.email : (readStored(EMAIL_KEY) ?? "")}
              onChange={(event) => store(EMAIL_KEY, event.target.value)}
              required
              autoComplete="username"
            />
          )}
        </Field>
      )}
      <Field
        label={kind === "reset" ? "New password" : "Password"}
        hint={isNew && `At least ${PASSWORD_LENGTH.min} characters`}
        error={bad.password}
      >
        {(control) => (
          <input
            {...control}
            name="password"
            type={shown ? "text" : "password"}
            required
            minLength={isNew ? PASSWORD_LENGTH.min : undefined}
            autoComplete={isNew ? "new-password" : "current-password"}
          />
        )}
      </Field>
      <label className="check">
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} />
        Show password
      </label>
      <FormFailure error={error} />
      <Button type="submit" look="primary" aria-disabled={busy}>
        {setUp ? "Create account" : kind === "reset" ? "Save and sign in" : "Sign in"}
      </Button>
      {!isNew && (
        <details>
          <summary>Forgot your password?</summary>
          <p>
            On the server, run <code>freehold owner reset</code> (from source:{" "}
            <code>bun server.ts owner reset</code>). It prints a link to choose a new one.
          </p>
        </details>
      )}
    </form>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  "set-up": "Welcome",
  expired: "Sign in again",
  reset: "Choose a new password",
};
