import { Activity, type ReactNode, useDeferredValue } from "react";
import { lazyCode } from "../lazy-code.ts";
import { Failure } from "./failure.tsx";
import { refreshSession, useSession } from "./session-store.ts";

/** A chunk of its own: whoever is signed in never loads it. */
const SessionForm = lazyCode(async () => {
  const { SessionForm: form } = await import("./session-form.tsx");
  return { default: form };
});

/**
 * Shows `children` to whoever is signed in, and to everybody else what they need to get there.
 * When a session ends on its own the children stay as they are, hidden, until the same person is
 * back: nothing that was typed is lost.
 */
export function Gate({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  // Deferred, what is shown stays until the form's code is there: React would hold a fallback for
  // 300 ms, even where the code came in the meantime.
  const session = useDeferredValue(useSession());
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
