import { Activity, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Failure } from "./failure.tsx";
import { useLinkCode } from "./link-code.ts";
import { usePaletteKey } from "./palette-state.ts";
import { SessionForm } from "./session-form.tsx";
import { refreshSession, signOut, useSession } from "./session-store.ts";
import { useAction } from "./use-action.ts";

/**
 * Shows `children` to a person who is signed in, and otherwise the sign-in or set-up form. When
 * a session ends by itself the children stay as they are, hidden, until the same person is back:
 * nothing that was typed is lost.
 */
export function Gate({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const session = useSession();
  const link = useLinkCode();
  const { state } = session;
  const known = state !== "loading" && state !== "failed";
  // A new password can be set by somebody who is still signed in here.
  const asked = known && (state !== "signed-in" || link?.kind === "reset");
  usePaletteKey(state === "signed-in" && !asked);
  return (
    <>
      {"email" in session && (
        <Activity key={session.email} mode={asked ? "hidden" : "visible"}>
          {children}
        </Activity>
      )}
      {state === "loading" && waiting}
      {state === "failed" && <Failure error={session.error} onRetry={refreshSession} />}
      {asked && <SessionForm key={`${state} ${link?.kind}`} session={session} />}
    </>
  );
}

/** Ends the session; says so where that failed, because the person is still signed in. */
export function SignOut() {
  const { run, error } = useAction(async () => {
    await signOut();
    document.querySelector("h1")?.focus();
  });
  return error === undefined ? (
    <Button look="quiet" onClick={run}>
      Sign out
    </Button>
  ) : (
    <Failure error={error} onRetry={run} />
  );
}
