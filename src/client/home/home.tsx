import { type ReactNode, type SubmitEvent, Suspense, useRef } from "react";
import { Link, useLocation } from "wouter";
import { parseSummary, type Summary } from "../../shared/register.ts";
import { Failure } from "../session/failure.tsx";
import { Gate, SignOut } from "../session/gate.tsx";
import { paletteKeyName, setPaletteOpen } from "../session/palette-state.ts";
import { callApi, useSession } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { dayFromToday } from "../ui/expiry-date.tsx";
import { lazyCode } from "../ui/lazy-code.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import "./home.css";

/** Chunks of their own: no register needs all of them, and the heading comes first. */
const WorkList = lazyCode(() => import("./work-list.tsx"));
const Board = lazyCode(() => import("./board.tsx"));
const Onboarding = lazyCode(() => import("./onboarding.tsx"));

/** Screen `/home`: what to do next, then the register as a whole. */
export default function Home() {
  useFocusFallback();
  return (
    <div className="home">
      <h1 tabIndex={-1}>Home</h1>
      <Gate waiting={<Skeleton lines={8} />}>
        <Account />
        <Overview />
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

function readSummary(signal: AbortSignal): Promise<Summary> {
  // Loaded code renders with the summary; otherwise React shows the fallback for 300 ms.
  WorkList.preload();
  Board.preload();
  return callApi("/api/summary", {
    query: { today: dayFromToday(0) },
    signal,
    parse: parseSummary,
  });
}

function Overview() {
  const { value: summary, error, reload } = useLoaded(readSummary);
  return (
    <>
      {summary?.total !== 0 && <Actions />}
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!summary && error === undefined && <Skeleton lines={8} />}
      {summary?.total === 0 && (
        <OwnSuspense>
          <Onboarding />
        </OwnSuspense>
      )}
      {summary && summary.total > 0 && (
        <div className="home-board">
          <OwnSuspense>
            <WorkList summary={summary} onChanged={reload} />
          </OwnSuspense>
          <OwnSuspense>
            <Board summary={summary} />
          </OwnSuspense>
        </div>
      )}
    </>
  );
}

/** Keeps a part whose code is still loading from hiding the others. */
function OwnSuspense({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton lines={8} />}>{children}</Suspense>;
}

/** The ways on from here. */
function Actions() {
  const [, navigate] = useLocation();
  const box = useRef<HTMLInputElement>(null);

  function search(event: SubmitEvent) {
    event.preventDefault();
    const q = box.current?.value.trim() ?? "";
    navigate(q ? `/domains?${new URLSearchParams({ q })}` : "/domains");
  }

  return (
    <div className="home-actions">
      <search>
        <form onSubmit={search}>
          <label className="unseen" htmlFor="home-search">
            Search domains
          </label>
          <input
            ref={box}
            id="home-search"
            className="control"
            type="search"
            placeholder="Search domains"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </form>
      </search>
      <Button look="quiet" onClick={() => setPaletteOpen(true)}>
        Jump to <kbd>{paletteKeyName()}</kbd>
      </Button>
      <Link href="/domains" className="button">
        All domains
      </Link>
      <Link href="/domains/import" className="button">
        Import
      </Link>
      <Link href="/domains?add" className="button">
        Add a domain
      </Link>
    </div>
  );
}
