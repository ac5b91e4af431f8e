import { type ComponentType, Suspense, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import { addDays, daysBetween } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import { parseSummary, type Summary } from "../../shared/register.ts";
import { dueDay, WORK_DAYS } from "../../shared/work.ts";
import { ActOnDomains } from "../register/act-on-domains.tsx";
import { listPath } from "../screens.ts";
import { hasRole } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import {
  formatDay,
  formatDays,
  formatDomainCount,
  formatNumber,
  formatRelative,
  formatShortDay,
} from "../ui/format.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { Skeleton } from "../ui/notice.tsx";
import type { Chosen } from "./group-dialog.tsx";
import { RowKeys, useWorkRows, WorkRow } from "./work-row.tsx";
import "./work.css";

const waiting = <Skeleton lines={8} />;
/** A script of its own, for an empty register. */
const Onboarding = lazyCode(() => import("./onboarding.tsx"), waiting);
const GroupDialog = lazyCode(() => import("./group-dialog.tsx"), null);

interface Props {
  json: unknown;
  /** Home has requested their scripts already. */
  News: ComponentType<{ summary: Summary }>;
  Board: ComponentType<{ summary: Summary; renewing: string }>;
  onAnswer: (answer?: HomeHeading) => void;
}

/** What to do next, then the register as a whole. @throws {ParseError} For another shape. */
export default function Overview({ json, onAnswer, News, Board }: Props) {
  const summary = useMemo(() => parseSummary(json), [json]);
  const { person, total, today, leadDays, next } = summary;
  // The list of what renews by itself before the next work.
  const renewing = listPath(
    {
      autoRenew: "true",
      decision: "!drop",
      sold: "false",
      expiresFrom: today,
      expiresBefore: next?.date ?? addDays(today, leadDays + 1),
    },
    person,
  );
  if (total === 0 && person === null) return <Onboarding />;
  return (
    <>
      {/* All at once: what comes later would push the rows away from the hand. */}
      <Suspense fallback={waiting}>
        <News summary={summary} />
        <div className="stack board">
          <WorkList summary={summary} renewing={renewing} onAnswer={onAnswer} />
          <Board summary={summary} renewing={renewing} />
        </div>
      </Suspense>
    </>
  );
}

/** What the first heading says, and the grey line below it. */
export interface HomeHeading {
  answer: string;
  /** Ends the answer, in the reader's language. */
  day?: string | undefined;
  after: string;
  /** How many domains renew by themselves before the day, with the address of their list. */
  before: number;
  href: string;
}

const headingsOf = (leadDays: number) =>
  [
    ["today", "Today and tomorrow"],
    ["expired", "Expired"],
    ["week", "This week"],
    ["days30", `Within ${Math.min(30, leadDays)} days`],
    ["days60", `Within ${leadDays} days`],
    ["look", "Look at"],
  ] as const;

const DONE_WORDS = { renewed: " renewed", keep: "", "switch-off": " done", transfer: " done" };

interface WorkProps {
  summary: Summary;
  renewing: string;
  onAnswer: (answer?: HomeHeading) => void;
}

/** What needs the person, the most urgent first, in groups that decisions empty. */
function WorkList({ summary, renewing, onAnswer }: WorkProps) {
  const { today, leadDays, work, person } = summary;
  const place = useRef<HTMLDivElement>(null);
  const { change, isVisible } = useWorkRows(place);
  const [asked, setAsked] = useState<Chosen>();
  const groups = headingsOf(leadDays).map(([name, heading]) => {
    const { total, last, likely, items } = work[name];
    const rows = items.filter(isVisible);
    const [from, before] = { ...WORK_DAYS, look: [null, null] }[name];
    const days = {
      ...(from !== null && { expiresFrom: addDays(today, from) }),
      ...(before !== null && { expiresBefore: addDays(today, before) }),
    };
    const oldest = name === "expired" && last && formatDays(daysBetween(today, last));
    const end = oldest
      ? `, the oldest ${oldest}`
      : last && `, until ${formatShortDay(last, today)}`;
    return {
      name,
      heading,
      rows,
      total: total - items.length + rows.length,
      href: listPath({ work: name === "look" ? name : "any", ...days }, person),
      more: `${formatNumber(total - items.length)} more${end ?? ""}`,
      chosen: likely && { ...likely, days, person },
    };
  });
  const shown = groups.filter(({ total }) => total > 0);
  const rows = shown.flatMap((group) => group.rows);
  const { answer, day, after, isClear } = answerOf(summary, groups);
  const before = isClear ? summary.renewing.names : 0;
  useLayoutEffect(() => {
    onAnswer({ answer, day, after, before, href: renewing });
    return () => onAnswer();
  }, [onAnswer, answer, day, after, before, renewing]);

  return (
    <div className="work-frame" data-names={lengthOf(rows)}>
      <div ref={place} className="work">
        <ActOnDomains change={change}>
          {shown.map(({ name, heading, total, href, more, chosen, ...group }) => (
            <section key={name}>
              <div className="row work-head">
                <h2>
                  {heading}{" "}
                  <Link href={href} aria-label={formatDomainCount(total)}>
                    {formatNumber(total)}
                  </Link>
                </h2>
                {chosen && chosen.names > 1 && hasRole("editor") && (
                  <Button look="quiet" size="small" onClick={() => setAsked(chosen)}>
                    {chosen.action === "keep" && "Keep "}
                    {formatNumber(chosen.names)}
                    {DONE_WORDS[chosen.action]}…<span className="unseen"> {heading}</span>
                  </Button>
                )}
              </div>
              <ol aria-label={heading}>
                {group.rows.map((domain) => (
                  <WorkRow key={domain.id} domain={domain} time={summary} />
                ))}
              </ol>
              {total > group.rows.length && (
                <Link href={href} className="fold">
                  {more}
                </Link>
              )}
            </section>
          ))}
          <RowKeys rows={rows} time={summary} />
        </ActOnDomains>
        {asked && <GroupDialog {...asked} onClose={() => setAsked(undefined)} />}
      </div>
    </div>
  );
}

/** Names up to 27 letters leave room for all columns; each longer kind needs as much more. */
function lengthOf(rows: readonly Domain[]) {
  const longest = Math.max(0, ...rows.map(({ unicode }) => unicode.length));
  return [27, 40, 68].find((limit) => longest <= limit) ?? "more";
}

/** Counts the domains of the coming week, and says what has expired and what follows. */
function answerOf(
  summary: Summary,
  groups: readonly { total: number; rows: readonly Domain[] }[],
): Pick<HomeHeading, "answer" | "day" | "after"> & { isClear?: boolean } {
  const { today, leadDays, next } = summary;
  const [now = 0, expired = 0, week = 0, , , look = 0] = groups.map(({ total }) => total);
  const soon = now + week;
  const days = daysBetween(today, next?.date ?? today);
  // Undefined if not all are shown.
  const last = groups[0]?.rows[now - 1];
  const when = last && dueDay(last) === today ? "today" : "by tomorrow";
  const line = [
    now && `${formatNumber(now)} ${when}`,
    soon && expired && `${formatNumber(expired)} expired`,
    next && `next ${formatShortDay(next.date, today)}`,
  ];
  const after = line.filter(Boolean).join(" · ");
  if (soon) {
    const needs = soon === 1 ? "needs" : "need";
    return { answer: `${formatDomainCount(soon)} ${needs} you this week`, after };
  }
  if (expired) {
    return {
      answer: `${formatDomainCount(expired)} ${expired === 1 ? "has" : "have"} expired`,
      after,
    };
  }
  if (look) return { answer: `${formatDomainCount(look)} to look at`, after };
  if (!next) {
    return {
      answer: "All clear",
      after: `Nothing needs you in the next ${leadDays} days.`,
      isClear: true,
    };
  }
  const others = next.names > 1 ? ` and ${formatNumber(next.names - 1)} more` : "";
  return {
    answer: "All clear until",
    // Without its year if it is near.
    day: formatDay(next.date, days < 300 ? "weekday" : "long"),
    after: `Then ${next.unicode}${others}, ${formatRelative(days, "day")}.`,
    isClear: true,
  };
}
