import { Activity, type ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { isForNewPassword, useLinkCode } from "./link-code.ts";
import { usePaletteKey } from "./palette-state.ts";
import type { Right } from "../../shared/session.ts";
import { SessionForm } from "./session-form.tsx";
import { currentPerson, hasRole, refreshSession, useSession } from "./session-store.ts";

/**
 * Shows `children` to a person who is signed in, otherwise the sign-in or set-up form. When a
 * session ends by itself the children stay hidden until the same person is back: nothing typed is
 * lost.
 */
export function Gate({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const session = useSession();
  const link = useLinkCode();
  const { state } = session;
  const known = state !== "loading" && state !== "failed";
  // A link is for the person who opens it, even if someone is signed in.
  const asked = known && (state !== "signed-in" || isForNewPassword(link));
  usePaletteKey(state === "signed-in" && !asked);
  return (
    <>
      {"email" in session && (
        <Activity key={`${currentPerson()} ${session.role}`} mode={asked ? "hidden" : "visible"}>
          {children}
        </Activity>
      )}
      {state === "loading" && waiting}
      {state === "failed" && <Failure error={session.error} onRetry={refreshSession} />}
      {asked && <SessionForm key={`${state} ${link?.kind}`} session={session} waiting={waiting} />}
    </>
  );
}

/** Shows `children` to a person of at least this role. For what is below `Gate`. */
export function RequireRole(props: { least: Right; children: ReactNode; or?: ReactNode }) {
  return hasRole(props.least) ? props.children : props.or;
}
