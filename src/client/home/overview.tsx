import { type ComponentType, Suspense, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { addDays, daysBetween } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { parseSummary, type Summary } from "../../shared/register.ts";
import { dueDay, WORK_DAYS } from "../../shared/work.ts";
import { ActOnDomains } from "../register/act-on-domains.tsx";
import type { BulkTarget } from "../register/domains-api.ts";
import { notifyUndoable, registerChanged } from "../register/undo.ts";
import { RequireRole } from "../session/gate.tsx";
import { listPath } from "../screens.ts";
import { hasRole } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { formatDay, formatDomainCount, formatNumber, formatRelative } from "../ui/format.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { Skeleton } from "../ui/notice.tsx";
import { Row, RowKeys, useWorkRows } from "./work-row.tsx";
import "./work-list.css";

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
      <RequireRole least="editor">
        <Link href="/domains/import" className="button">
          Import
        </Link>
        <Link href="/domains?add" className="button main">
          Add a domain
        </Link>
      </RequireRole>
    </div>
  );
}

const RenewedDialog = lazyCode(() => import("../register/dialogs/renewed-dialog.tsx"));

export interface Answer {
  answer: string;
  after: string;
}

/** The groups of home, with the work that their links filter by. */
const placesOf = (leadDays: number) =>
  [
    ["today", "Today and tomorrow", "any"],
    ["expired", "Expired", "any"],
    ["week", "This week", "any"],
    ["days30", `Within ${Math.min(30, leadDays)} days`, "undecided"],
    ["days60", `Within ${leadDays} days`, "undecided"],
    ["todo", "To do", "todo"],
  ] as const;

interface WorkProps {
  summary: Summary;
  onAnswer: (answer?: Answer) => void;
}

/** What needs the person, the most urgent first, in groups that decisions empty. */
function WorkList({ summary, onAnswer }: WorkProps) {
  const { today, leadDays, work, person } = summary;
  const place = useRef<HTMLDivElement>(null);
  const { change, isVisible } = useWorkRows(place);
  const [renewed, setRenewed] = useState<BulkTarget>();
  const groups = placesOf(leadDays).map(([name, heading, kind]) => {
    const [from, before] = WORK_DAYS[name];
    const { total, renewable, items } = work[name];
    const rows = items.filter(isVisible);
    const days = {
      ...(from !== null && { expiresFrom: addDays(today, from) }),
      ...(before !== null && { expiresBefore: addDays(today, before) }),
    };
    return {
      heading,
      rows,
      total: total - items.length + rows.length,
      href: listPath({ work: kind, ...days }, person),
      target: {
        filter: { work: [kind], decision: ["!drop"], ...days, ...(person && { person: [person] }) },
        ids: null,
        count: renewable,
      },
    };
  });
  const shown = groups.filter(({ total }) => total > 0);
  const { answer, after } = answerOf(summary, groups);
  useLayoutEffect(() => {
    onAnswer({ answer, after });
    return () => onAnswer();
  }, [onAnswer, answer, after]);

  return (
    <div ref={place} className="stack work">
      <ActOnDomains change={change}>
        {shown.map(({ heading, href, rows, total, target }) => (
          <section key={href}>
            <div className="row">
              <h2>
                {heading}{" "}
                <Link href={href} aria-label={formatDomainCount(total)}>
                  {formatNumber(total)}
                </Link>
              </h2>
              {target.count > 1 && hasRole("editor") && (
                <Button
                  look="quiet"
                  aria-label={`Renewed: ${heading}`}
                  onClick={() => setRenewed(target)}
                >
                  Renewed…
                </Button>
              )}
            </div>
            <ol className="list work-list">
              {rows.map((domain) => (
                <Row key={domain.id} domain={domain} time={summary} />
              ))}
            </ol>
            {total > rows.length && (
              <Link href={href}>Show {formatNumber(total - rows.length)} more</Link>
            )}
          </section>
        ))}
        {shown[0] && <RowKeys rows={shown.flatMap(({ rows }) => rows)} time={summary} />}
      </ActOnDomains>
      {renewed && (
        <Suspense fallback={null}>
          <RenewedDialog
            target={renewed}
            onDone={({ changed, operation }) => {
              setRenewed(undefined);
              notifyUndoable(`${formatDomainCount(changed)} renewed.`, operation);
              registerChanged();
            }}
            onClose={() => setRenewed(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Counts the domains of the urgent groups, each once, and says what follows. */
function answerOf(
  { today, leadDays, unknown, next, checks: { critical }, onlyCritical }: Summary,
  groups: readonly { total: number; rows: readonly Domain[] }[],
) {
  const [now = 0, expired = 0, week = 0] = groups.map(({ total }) => total);
  const most = now + week + expired + onlyCritical;
  const days = daysBetween(today, next?.date ?? today);
  // Without its year if it is near.
  const day = next && formatDay(next.date, days < 300 ? "weekday" : "long");
  if (!most) {
    // Unknown dates are not all clear.
    const undated = unknown ? `${formatDomainCount(unknown)} without an expiry date` : "";
    return {
      answer: day ? `All clear until ${day}` : undated || "All clear",
      after: next
        ? `${formatDomainCount(next.names)} then, ${formatRelative(days, "day")}. ${undated}`
        : `Nothing ${undated && "else "}needs you in the next ${leadDays} days.`,
    };
  }
  // Undefined if not all are shown.
  const last = groups[0]?.rows[now - 1];
  const byWhen = last && dueDay(last) === today ? "today" : "by tomorrow";
  const when = week ? " this week" : now ? ` ${byWhen}` : "";
  return {
    answer: `${formatDomainCount(most)} need${most === 1 ? "s" : ""} you${when}`,
    after: [
      now && most > now && `${formatNumber(now)} ${byWhen}.`,
      expired && `${formatNumber(expired)} expired.`,
      critical && `${formatNumber(critical)} critical.`,
      // In German, a day ends in a full stop.
      day ? `After that, nothing until ${day}.`.replace("..", ".") : "Nothing after that.",
    ]
      .filter(Boolean)
      .join(" "),
  };
}
