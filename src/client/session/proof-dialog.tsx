import { type SubmitEvent, useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { explain, fieldErrors } from "./failure.tsx";
import { endProof, setProofDialog } from "./proof.ts";
import { provePassword } from "./session-store.ts";
import { useAction } from "./use-action.ts";

setProofDialog(ProofDialog);

/**
 * Asks for the password again. What asked for it goes on after it, or stays as it is. An area with
 * something that the backend wants a proof for imports this file.
 */
function ProofDialog() {
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
