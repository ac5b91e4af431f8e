import { type SubmitEvent, useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { createStore, useStore } from "../ui/store.ts";
import { explain, fieldErrors } from "./failure.tsx";
import { provePassword, setProver } from "./session-store.ts";
import { useAction } from "./use-action.ts";

const asked = createStore<PromiseWithResolvers<boolean> | null>(null);

/** Requests that need a proof at the same time share one dialog. */
function askForProof(): Promise<boolean> {
  const question = asked.get() ?? Promise.withResolvers<boolean>();
  asked.set(question);
  return question.promise;
}

function endProof(isProven: boolean): void {
  const question = asked.get();
  asked.set(null);
  question?.resolve(isProven);
}

/**
 * The dialog that asks for the password again, where the API wants a proof of what is done on a screen
 * with this component. What asked for it goes on after it, or stays as it is.
 */
export function ProofDialog() {
  const isAsked = useStore(asked) !== null;
  useEffect(() => {
    setProver(askForProof);
    return () => {
      setProver(undefined);
      endProof(false);
    };
  }, []);
  return isAsked && <PasswordDialog />;
}

function PasswordDialog() {
  const box = useRef<HTMLInputElement>(null);
  const { run, isBusy, error } = useAction(async () => {
    await provePassword(box.current?.value ?? "");
    endProof(true);
  });

  useEffect(() => {
    if (error === undefined) return;
    box.current?.focus();
    box.current?.select();
  }, [error]);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    void run();
  }

  return (
    <Dialog heading="Confirm that it’s you" onClose={() => endProof(false)}>
      <form className="stack dialog-text" noValidate onSubmit={submit}>
        <p>Enter your password to go on. You won’t be asked again for 15 minutes.</p>
        <Field
          label="Password"
          error={
            error === undefined ? undefined : (fieldErrors(error)["password"] ?? explain(error))
          }
        >
          {(control) => (
            <input {...control} ref={box} type="password" autoComplete="current-password" />
          )}
        </Field>
        <p className="note">
          If you sign in without a password, sign out and in again instead: that counts as well.
        </p>
        <DialogActions>
          <Button type="submit" look="primary" aria-disabled={isBusy}>
            {isBusy ? "One moment…" : "Continue"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
