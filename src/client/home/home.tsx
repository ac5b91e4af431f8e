import { type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import { parseSummary, type Summary } from "../../shared/register.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { callApi, useSession } from "../session/session-store.ts";
import { Failure } from "../session/failure.tsx";
import { Gate, SignOut } from "../session/gate.tsx";
import { dayFromToday } from "../ui/expiry-date.tsx";
import { formatDomainCount } from "../ui/format.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useFocusFallback } from "../ui/use-focus-fallback.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { AllDomains, DomainLinks } from "./domain-links.tsx";
import "./home.css";

/** A register of at most so many domains is listed on the home screen as a whole. */
const MAX_LISTED_DOMAINS = 8;

/** Chunks of their own: no register needs both, and the urgent part comes first. */
const SecondarySections = lazyCode(() => import("./secondary-sections.tsx"));
const Onboarding = lazyCode(() => import("./onboarding.tsx"));

/** Screen `/home`: the domains that need attention, then the register as a whole. */
export default function Home() {
  useFocusFallback();
  return (
    <div className="home">
      <h1 tabIndex={-1}>Home</h1>
      <Gate waiting={<Skeleton lines={8} />}>
        <Overview />
        <Account />
      </Gate>
    </div>
  );
}

function readSummary(signal: AbortSignal): Promise<Summary> {
  // Loaded code renders with the summary; otherwise React shows the fallback for 300 ms.
  SecondarySections.preload();
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
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {!summary && error === undefined && <Skeleton lines={8} />}
      {summary?.total === 0 && (
        <OwnSuspense>
          <Onboarding />
        </OwnSuspense>
      )}
      {summary && summary.total > 0 && (
        <div className="home-board">
          <div>
            <Work work={summary.work} />
            {summary.total <= MAX_LISTED_DOMAINS && <AllDomains count={summary.total} />}
          </div>
          <OwnSuspense>
            <SecondarySections {...summary} />
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

const GROUPS = { expired: "Expired", undecided: "Undecided", todo: "To do" } as const;

/** What waits for the owner, soonest first; each count links to all of its domains. */
function Work({ work }: Pick<Summary, "work">) {
  const names = (["expired", "undecided", "todo"] as const).filter((name) => work[name].total > 0);
  if (names.length === 0) return <p>All clear: no domain needs you right now.</p>;
  return names.map((name) => (
    <section key={name}>
      <h2>{GROUPS[name]}</h2>
      <p>
        <Link href={`/domains?work=${name}`}>{formatDomainCount(work[name].total)}</Link>
      </p>
      <DomainLinks domains={work[name].items} />
    </section>
  ));
}

function Account() {
  const session = useSession();
  return (
    <p className="home-account">
      Signed in as <b>{"email" in session && session.email}</b> <SignOut />
    </p>
  );
}
