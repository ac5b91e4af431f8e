import { Suspense } from "react";
import { Link } from "wouter";
import { Failure } from "../session/failure.tsx";
import { Gate, SignOut } from "../session/gate.tsx";
import { callApi, useSession } from "../session/session-store.ts";
import { localToday } from "../ui/today.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import "./home.css";

/** A chunk of its own: it comes while the server answers, and the heading is there before. */
const Overview = lazyCode(() => import("./overview.tsx"));

/** Screen `/home`: what to do next, then the register as a whole. */
export default function Home() {
  useFocusFallback();
  return (
    <div className="home">
      <h1 tabIndex={-1}>Home</h1>
      <Gate waiting={<Skeleton lines={8} />}>
        <Account />
        <Content />
      </Gate>
    </div>
  );
}

function Account() {
  const session = useSession();
  return (
    <p className="home-account">
      <span>
        Signed in as <b>{"email" in session && session.email}</b>
      </span>
      <Link href="/settings">Settings</Link> <SignOut />
    </p>
  );
}

function readSummary(signal: AbortSignal) {
  // The code that reads and shows the answer comes meanwhile.
  Overview.preload();
  const query = { today: localToday() };
  return callApi("/api/summary", { query, signal, parse: (json) => ({ json }) });
}

function Content() {
  const { value: answer, error, reload } = useLoaded(readSummary);
  return (
    <>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {answer ? (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Overview json={answer.json} onChanged={reload} />
        </Suspense>
      ) : (
        error === undefined && <Skeleton lines={8} />
      )}
    </>
  );
}
