import { type SubmitEvent, Suspense, useMemo, useRef } from "react";
import { Link, useLocation } from "wouter";
import { parseSummary } from "../../shared/register.ts";
import { paletteKeyName, setPaletteOpen } from "../session/palette-state.ts";
import { Button } from "../ui/button.tsx";
import { lazyCode } from "../ui/lazy-code.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { CheckNewsCards, ReminderNewsNotices } from "./news.tsx";
import { WorkList } from "./work-list.tsx";

/** Scripts of their own: the work comes first, and most registers need neither of the others. */
const Board = lazyCode(() => import("./board.tsx"));
const ReachNotice = lazyCode(() => import("../register/reach-notice.tsx"));
const Onboarding = lazyCode(() => import("./onboarding.tsx"));
const SampleNotice = lazyCode(async () => {
  const code = await import("./sample-data.tsx");
  return { default: code.SampleNotice };
});

/**
 * What the answer to `/api/summary` says: what to do next, then the register as a whole.
 *
 * @throws {ParseError} When the answer has another shape.
 */
export default function Overview({ json }: { json: unknown }) {
  const summary = useMemo(() => parseSummary(json), [json]);
  if (summary.total === 0) {
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <Onboarding />
      </Suspense>
    );
  }
  const { reach } = summary.checks;
  return (
    <>
      <Actions />
      {summary.sample && (
        <Suspense fallback={null}>
          <SampleNotice />
        </Suspense>
      )}
      <ReminderNewsNotices news={summary.reminders} />
      {reach && (reach.state === "silent" || reach.state === "partly") && (
        <Suspense fallback={null}>
          <ReachNotice reach={reach}>
            <Link href="/checks">What to open</Link>
          </ReachNotice>
        </Suspense>
      )}
      <CheckNewsCards news={summary.checks} />
      <div className="stack home-board">
        <WorkList summary={summary} />
        <Suspense fallback={<Skeleton lines={8} />}>
          <Board summary={summary} />
        </Suspense>
      </div>
    </>
  );
}

function Actions() {
  const [, navigate] = useLocation();
  const box = useRef<HTMLInputElement>(null);

  function search(event: SubmitEvent) {
    event.preventDefault();
    const q = box.current?.value.trim() ?? "";
    navigate(q ? `/domains?${new URLSearchParams({ q })}` : "/domains");
  }

  return (
    <div className="row home-actions">
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
