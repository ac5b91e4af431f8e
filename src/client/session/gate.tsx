import { Activity, type ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { SessionForm } from "./session-form.tsx";
import { refreshSession, useSession } from "./session-store.ts";

/**
 * Shows `children` to whoever is signed in, and to everybody else what they need to get there.
 * When a session ends on its own the children stay as they are, hidden, until the same person is
 * back: nothing that was typed is lost.
 */
export function Gate({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const session = useSession();
  const { state } = session;
  return (
    <>
      {"email" in session && (
        <Activity key={session.email} mode={state === "expired" ? "hidden" : "visible"}>
          {children}
        </Activity>
      )}
      {state === "loading" && waiting}
      {state === "failed" && <Failure error={session.error} onRetry={refreshSession} />}
      {state !== "loading" && state !== "failed" && state !== "signed-in" && (
        <SessionForm key={state} session={session} />
      )}
    </>
  );
}
