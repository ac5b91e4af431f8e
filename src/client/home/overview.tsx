import { type ComponentType, Suspense, useMemo } from "react";
import { Link } from "wouter";
import { parseSummary, type Summary } from "../../shared/register.ts";
import { paletteKeyName, setPaletteOpen } from "../session/palette-state.ts";
import { RequireRole } from "../session/gate.tsx";
import { hasRole } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { lazyCode } from "../ui/lazy-code.ts";
import { Skeleton } from "../ui/notice.tsx";
import { type Answer, WorkList } from "./work-list.tsx";

/** A script of its own, for an empty register. */
const Onboarding = lazyCode(() => import("./onboarding.tsx"));

interface Props {
  json: unknown;
  /** Home has requested their scripts already. */
  News: ComponentType<{ summary: Summary }>;
  Board: ComponentType<{ summary: Summary }>;
  onAnswer: (answer?: Answer) => void;
}

/**
 * What to do next, then the register as a whole.
 *
 * @throws {ParseError} If the summary has another shape.
 */
export default function Overview({ json, onAnswer, News, Board }: Props) {
  const summary = useMemo(() => parseSummary(json), [json]);
  const { person, mine, total } = summary;
  if (total === 0 && person === null) {
    if (!hasRole("editor")) return <p>No domains yet. An owner or an editor adds them.</p>;
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <Onboarding />
      </Suspense>
    );
  }
  return (
    <>
      <Actions />
      {(person !== null || (mine > 0 && mine < total)) && <Whose person={person} />}
      {/* All at once: what comes later would push the rows away from the hand. */}
      <Suspense fallback={<Skeleton lines={8} />}>
        {hasNews(summary) && <News summary={summary} />}
        <div className="stack home-board">
          <WorkList summary={summary} onAnswer={onAnswer} />
          <Suspense fallback={<Skeleton lines={8} />}>
            <Board summary={summary} />
          </Suspense>
        </div>
      </Suspense>
    </>
  );
}

function hasNews({ sample, nobody, reminders, checks, accounts }: Summary) {
  const { channels, calendars, broken, late } = reminders;
  const { ask, critical, reach } = checks;
  const isSilent = reach?.state === "silent" || reach?.state === "partly";
  const some = broken.length + critical + nobody > 0 || late !== null || channels + calendars === 0;
  return some || sample || ask || isSilent || Object.values(accounts).some(Boolean);
}

/** Chooses between the person's own domains and all. It is kept, so it is no history entry. */
function Whose({ person }: Pick<Summary, "person">) {
  return (
    <nav className="row home-whose" aria-label="Whose domains">
      <Link href="/home?person=me" replace aria-current={person !== null}>
        Mine
      </Link>
      <Link href="/home?person=all" replace aria-current={person === null}>
        All
      </Link>
    </nav>
  );
}

function Actions() {
  return (
    <div className="row home-actions">
      <Button className="button home-jump" onClick={() => setPaletteOpen(true)}>
        Search or jump to… <kbd>{paletteKeyName()}</kbd>
      </Button>
      <RequireRole least="editor">
        <Link href="/domains/import" className="button">
          Import
        </Link>
        <Link href="/domains?add" className="button primary">
          Add a domain
        </Link>
      </RequireRole>
    </div>
  );
}
