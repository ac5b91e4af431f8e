import { type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { lazyCode } from "../lazy-code.ts";
import { Failure } from "../session/failure.tsx";
import { Gate } from "../session/gate.tsx";
import { useSession } from "../session/session-store.ts";
import { SignOut } from "../session/sign-out.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Attention } from "./attention.tsx";
import { FEW } from "./few.ts";
import { type HomeSummary, readSummary } from "./read-summary.ts";
import "./home.css";

/** Chunks of their own: nobody needs all of them, and what has to be done comes first. */
const EveryName = lazyCode(() => import("./every-name.tsx"));
const Later = lazyCode(() => import("./later.tsx"));
const FirstNames = lazyCode(() => import("./first-names.tsx"));

/** Screen `/home`: what has to be done, then what is known of the register as a whole. */
export default function Home() {
  return (
    <div className="home">
      <h1 tabIndex={-1}>Home</h1>
      <Gate waiting={<Skeleton lines={8} />}>
        <Register />
        <Account />
      </Gate>
    </div>
  );
}

function Register() {
  const [summary, setSummary] = useState<HomeSummary>();
  const [error, setError] = useState<unknown>();

  const load = useCallback(() => {
    const leaving = new AbortController();
    // There with the numbers, it is shown with them: React would hold a fallback for 300 ms.
    Later.preload();
    readSummary(leaving.signal)
      .then(setSummary)
      .then(() => {
        // The button that is about to go may have the focus.
        if (document.activeElement?.closest("[role=alert]")) {
          document.querySelector("h1")?.focus();
        }
        return setError(undefined);
      })
      .catch((problem: unknown) => leaving.signal.aborted || setError(problem));
    return () => leaving.abort();
  }, []);
  useEffect(() => {
    // A page that was left open shows yesterday's days.
    const onVisible = () => void (document.hidden || load());
    document.addEventListener("visibilitychange", onVisible);
    const leave = load();
    return () => {
      leave();
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [load]);

  return (
    <>
      {error !== undefined && <Failure error={error} onRetry={load} />}
      {!summary && error === undefined && <Skeleton lines={8} />}
      {summary?.total === 0 && (
        <Soon>
          <FirstNames />
        </Soon>
      )}
      {summary && summary.total > 0 && (
        <div className="home-board">
          <div>
            <Attention {...summary} />
            {summary.total <= FEW && (
              <Soon>
                <EveryName />
              </Soon>
            )}
          </div>
          <Soon>
            <Later {...summary} />
          </Soon>
        </div>
      )}
    </>
  );
}

/** A part whose code is on its way holds up no other. */
function Soon({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton lines={8} />}>{children}</Suspense>;
}

function Account() {
  const session = useSession();
  return (
    <p className="home-account">
      Signed in as <b>{"email" in session && session.email}</b> <SignOut />
    </p>
  );
}
