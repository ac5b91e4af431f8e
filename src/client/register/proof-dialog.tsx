import { useEffect } from "react";
import { TOKEN_PATH } from "../../shared/session.ts";
import { callApi, setProver, signInAgain } from "../session/session-store.ts";
import { actInBackground } from "../session/use-action.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { createStore, useStore } from "../ui/store.ts";
import { Form } from "./form.tsx";

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

async function prove(password = ""): Promise<void> {
  await callApi(`${TOKEN_PATH}/prove`, { method: "POST", body: { password } });
  endProof(true);
}

/** A sign-in is a proof as well. */
function proveBySignIn(): void {
  endProof(false);
  void actInBackground("Not signed out.", signInAgain);
}

/**
 * Asks for the password again when the API wants it for a request of this screen. The request is then
 * repeated; without the password it fails.
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
  return (
    isAsked && (
      <Dialog heading="Confirm that it’s you" onClose={() => endProof(false)}>
        <div className="stack">
          <p>Enter your password to continue. You won’t be asked again for 15 minutes.</p>
          <Form
            label="Confirm that it’s you"
            action="Continue"
            fields={[
              {
                name: "password",
                label: "Password",
                type: "password",
                autoComplete: "current-password",
              },
            ]}
            onSend={({ password }) => prove(password)}
          >
            <p>
              No password? <Button onClick={proveBySignIn}>Sign in again</Button>
            </p>
          </Form>
        </div>
      </Dialog>
    )
  );
}
