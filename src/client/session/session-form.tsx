import { type ReactNode, Suspense, useEffect, useState } from "react";
import type { SignInWay } from "../../shared/session.ts";
import { urlOf } from "../base-path.ts";
import { Button } from "../ui/button.tsx";
import { lazyCode, loadCode } from "../ui/lazy-code.ts";
import { notify } from "../ui/notifications.ts";
import { readBrand } from "../ui/page.ts";
import { forgetLinkCode, isForNewPassword, useLinkCode } from "./link-code.ts";
import { EMAIL_FIELD, PASSWORD_FIELD, SessionFrame } from "./session-frame.tsx";
import { readStored, store } from "./session-storage.ts";
import { readSignInWays, restartSignIn, type SessionState, signIn } from "./session-store.ts";
import { actInBackground } from "./use-action.ts";

/** Scripts of their own: most visitors have no link and no passkey. */
const JoinForm = lazyCode(() => import("./join-form.tsx"));
const signInWithPasskey = async () =>
  (await loadCode(() => import("./passkey.ts"))).signInWithPasskey();

/** Key in `sessionStorage` of the typed e-mail address, for a reload. */
const EMAIL_KEY = "sign-in-email";

/**
 * Signs in, or takes a link for the first account, an invitation or a new password. Its heading
 * replaces that of the screen. `waiting` stands there until its script has come.
 */
export function SessionForm({ session, waiting }: { session: SessionState; waiting?: ReactNode }) {
  const link = useLinkCode();
  const isJoining = session.state === "set-up" || isForNewPassword(link);

  useSingleSignOnFailure();
  // A recovery code is never asked for alone.
  const needsCode = "factors" in session && session.factors?.some((each) => each === "recovery");
  if (isJoining) {
    return (
      // A page that became shorter meanwhile would lose its scroll position.
      <Suspense fallback={waiting}>
        <JoinForm session={session} />
      </Suspense>
    );
  }
  return needsCode ? <CodeForm /> : <SignInForm session={session} />;
}

function SignInForm({ session }: { session: SessionState }) {
  const [ways, setWays] = useState<readonly SignInWay[]>(
    ("signIn" in session && session.signIn) || ["password"],
  );
  const isExpired = session.state === "expired";
  const isUnknown = !("signIn" in session);

  // The session's end did not say how to sign in.
  useEffect(() => {
    if (!isUnknown) return;
    readSignInWays().then(
      (read) => read && setWays(read),
      () => undefined,
    );
  }, [isUnknown]);

  return (
    <SessionFrame
      heading={isExpired ? "Sign in again" : "Sign in"}
      about={
        isExpired
          ? "You were signed out. Your work is saved."
          : `${readBrand()} keeps track of your domains.`
      }
      fields={() =>
        ways.includes("password")
          ? [
              {
                ...EMAIL_FIELD,
                defaultValue: "email" in session ? session.email : (readStored(EMAIL_KEY) ?? ""),
                onChange: ({ target }) => store(EMAIL_KEY, target.value),
              },
              PASSWORD_FIELD,
            ]
          : []
      }
      action="Sign in"
      onSend={async ({ email = "", password = "" }) => {
        await signIn({ email, password });
        store(EMAIL_KEY, null);
      }}
    >
      {(attempt) => (
        <>
          {ways.includes("passkey") && (
            <Button onClick={() => attempt(signInWithPasskey)}>Sign in with a passkey</Button>
          )}
          {ways.includes("oidc") && (
            <a className="button" href={urlOf("/api/oidc/start")}>
              Sign in with single sign-on
            </a>
          )}
          {ways.includes("password") && (
            <details>
              <summary>Forgot your password?</summary>
              <p className="note">
                Ask an owner for a link to choose a new one. On the server,{" "}
                <code>freehold owner reset</code> prints one for an owner.
              </p>
            </details>
          )}
        </>
      )}
    </SessionFrame>
  );
}

/** The step after the password, with an authenticator app. */
function CodeForm() {
  return (
    <SessionFrame
      heading="Enter your code"
      about="Your authenticator app shows it. A recovery code works as well, once."
      fields={() => [
        {
          name: "code",
          label: "Code",
          required: true,
          autoComplete: "one-time-code",
          autoCapitalize: "none",
          spellCheck: false,
        },
      ]}
      action="Sign in"
      onSend={({ code = "" }) => signIn({ code })}
    >
      {() => (
        <Button look="quiet" onClick={restartSignIn}>
          Start again
        </Button>
      )}
    </SessionFrame>
  );
}

/** Says why the single sign-on that led to this page failed, if it did. */
export function useSingleSignOnFailure(): void {
  const link = useLinkCode();
  useEffect(() => {
    if (link?.kind !== "sign-in") return;
    forgetLinkCode();
    void actInBackground("Single sign-on failed.", async () => {
      const { OIDC_FAILURES } = await loadCode(() => import("../../shared/oidc.ts"));
      const failures: Readonly<Record<string, string>> = OIDC_FAILURES;
      notify({ text: failures[link.code] ?? OIDC_FAILURES.refused });
    });
  }, [link]);
}
