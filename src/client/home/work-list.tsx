import { type ReactNode, Suspense, useState } from "react";
import { Link } from "wouter";
import { addDays } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import type { Summary, WorkGroup } from "../../shared/register.ts";
import { dueDay, LAPSED_DAYS, type Work, workOf } from "../../shared/work.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Button } from "../ui/button.tsx";
import { ExpiryDate, formatDaysLeft } from "../ui/expiry-date.tsx";
import { formatDay, formatDomainCount } from "../ui/format.ts";
import { lazyCode } from "../ui/lazy-code.ts";
import { formatNumber } from "../ui/number.ts";
import { daysUntil } from "../ui/today.ts";
import { ROW_CLASS, rowId, useActs, useRowKeys } from "./use-acts.ts";
import "./work-list.css";

const DoneDialog = lazyCode(() => import("../ui/done-dialog.tsx"));

/** The buttons of a row, each with the key that presses it while the row has the focus. */
const BUTTONS = {
  done: { label: "Done", key: "x" },
  keep: { label: "Keep", key: "k" },
  transfer: { label: "Transfer", key: "t" },
  drop: { label: "Drop", key: "d" },
} as const;
type ButtonName = keyof typeof BUTTONS;

interface Kind {
  /** What there is to do, or why the domain is in the list. */
  reason: (domain: Domain) => string;
  buttons: readonly ButtonName[];
}

const KINDS: Readonly<Record<Work, Kind>> = {
  expired: {
    reason: ({ autoRenew }) =>
      autoRenew === true ? "Expired although it should have renewed" : autoRenewInWords(autoRenew),
    buttons: ["done", "drop"],
  },
  undecided: {
    reason: ({ autoRenew }) => autoRenewInWords(autoRenew),
    buttons: ["keep", "transfer", "drop"],
  },
  renew: {
    reason: ({ registrar }) => `Renew it${registrar ? ` at ${registrar}` : ""}`,
    buttons: ["done", "transfer", "drop"],
  },
  transfer: {
    reason: ({ registrar }) => `Start the transfer${registrar ? ` from ${registrar}` : ""}`,
    buttons: ["done", "keep", "drop"],
  },
  "switch-off": {
    reason: ({ registrar }) => `Turn off auto-renew${registrar ? ` at ${registrar}` : ""}`,
    buttons: ["done", "keep", "transfer"],
  },
};

function autoRenewInWords(autoRenew: boolean | null): string {
  return autoRenew === null ? "Auto-renew unknown" : "Auto-renew off";
}

/** Some of a group's domains: the first of them, and how many there are. */
interface Part {
  label: string;
  items: Domain[];
  total: number;
  /** Why the part is folded away, where it is. */
  folded?: string;
}

interface GroupProps {
  heading: string;
  intro: string;
  /** The filter of the list that shows the whole group. */
  filter: string;
  parts: Part[];
}

interface Props {
  summary: Summary;
  onChanged: () => void;
}

/** What needs the person: three groups that decisions empty, and then that all is clear. */
export function WorkList({ summary, onChanged }: Props) {
  const { today, leadDays, work } = summary;
  const { act, isLeft } = useActs(onChanged);
  const [finishing, setFinishing] = useState<Domain>();
  useRowKeys();

  function press(button: ButtonName, domain: Domain, kind: Work) {
    if (button !== "done") act(domain, { kind: "decide", decision: button });
    else if (kind === "switch-off") act(domain, { kind: "switch-off" });
    else setFinishing(domain);
  }

  /** The part of a group that is due from one day to another, without what was acted on. */
  function part(label: string, group: WorkGroup, total: number, from: number, to: number): Part {
    const items = group.items.filter((item) => {
      const days = daysUntil(item.expires?.date ?? today);
      return days >= from && days <= to;
    });
    const left = items.filter(isLeft);
    return { label, items: left, total: total - (items.length - left.length) };
  }
  const byDue = (group: WorkGroup) => [
    part("This week", group, group.week, -Infinity, 7),
    part(`Within ${Math.min(30, leadDays)} days`, group, group.days30, 8, 30),
    part(`Within ${leadDays} days`, group, group.days60, 31, Infinity),
  ];
  const { expired, undecided, todo } = work;
  const groups: GroupProps[] = [
    {
      heading: "Expired",
      intro: "Renewed already? Mark it as done. Otherwise renew it now, or drop it.",
      filter: "work=expired",
      parts: [
        part("", expired, expired.total - expired.lapsed, -LAPSED_DAYS, Infinity),
        {
          ...part("", expired, expired.lapsed, -Infinity, -LAPSED_DAYS - 1),
          folded: `expired more than ${LAPSED_DAYS} days ago`,
        },
      ],
    },
    {
      heading: "Undecided",
      intro: `They expire in the next ${leadDays} days and won’t renew by themselves.`,
      filter: "work=undecided",
      parts: byDue(undecided),
    },
    {
      heading: "To do",
      intro: "Decided, and still to be done at the registrar.",
      filter: "work=todo",
      parts: byDue(todo),
    },
  ];
  const open = groups.filter(({ parts }) => parts.some(({ total }) => total > 0));

  return (
    <div className="work">
      {open.length === 0 && <AllClear {...summary} />}
      {open.map((group) => (
        <Group key={group.heading} {...group}>
          {(items) => (
            <ol className="home-list">
              {items.map((domain) => (
                <Row key={domain.id} domain={domain} time={summary} onPress={press} />
              ))}
            </ol>
          )}
        </Group>
      ))}
      {open.length > 0 && <KeyHint />}
      {finishing && (
        <Suspense fallback={null}>
          <DoneDialog
            domain={finishing}
            isExpired={workOf(finishing, summary) === "expired"}
            onDone={(expires) => {
              setFinishing(undefined);
              act(finishing, { kind: "done", ...(expires && { expires }) });
            }}
            onClose={() => setFinishing(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

interface OpenGroupProps extends GroupProps {
  children: (items: readonly Domain[]) => ReactNode;
}

function Group({ heading, intro, filter, parts, children }: OpenGroupProps) {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const more = total - parts.reduce((sum, { items }) => sum + items.length, 0);
  const href = `/domains?${filter}`;
  return (
    <section>
      <h2>
        {heading} <Link href={href}>{formatDomainCount(total)}</Link>
      </h2>
      <p className="home-note">{intro}</p>
      {parts.map(({ label, items, total: count, folded }) =>
        count === 0 ? null : folded ? (
          <details key={folded}>
            <summary>
              {formatDomainCount(count)} {folded}
            </summary>
            {children(items)}
          </details>
        ) : (
          <div key={label}>
            {label && (
              <h3>
                {label} <span>{formatNumber(count)}</span>
              </h3>
            )}
            {children(items)}
          </div>
        ),
      )}
      {more > 0 && <Link href={href}>Show {formatNumber(more)} more</Link>}
    </section>
  );
}

interface RowProps {
  domain: Domain;
  time: Summary;
  onPress: (button: ButtonName, domain: Domain, kind: Work) => void;
}

function Row({ domain, time, onPress }: RowProps) {
  const { name, unicode, expires } = domain;
  // Not null but where the day has changed since the summary was read.
  const kind = workOf(domain, time) ?? "undecided";
  const { reason, buttons } = KINDS[kind];
  return (
    <li id={rowId(domain)} className={ROW_CLASS}>
      <span>
        <Link href={`/domains/${name}`}>{unicode}</Link>
        <AsciiName name={name} unicode={unicode} />
        <small>{reason(domain)}</small>
      </span>
      {expires && <ExpiryDate day={dueDay(domain) ?? expires.date} />}
      <span className="work-buttons">
        {buttons.map((button) => (
          <Button
            key={button}
            aria-label={`${BUTTONS[button].label} ${unicode}`}
            aria-keyshortcuts={BUTTONS[button].key}
            onClick={() => onPress(button, domain, kind)}
          >
            {BUTTONS[button].label}
          </Button>
        ))}
      </span>
    </li>
  );
}

/** The keys of a row, for devices that have keys. */
function KeyHint() {
  return (
    <p className="home-note work-keys">
      In a row:{" "}
      {Object.values(BUTTONS).map(({ label, key }) => (
        <span key={key}>
          <kbd>{key}</kbd> {label}
        </span>
      ))}
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> Another row
      </span>
    </p>
  );
}

/** Nothing is left: says what comes next. */
function AllClear({ leadDays, next }: Summary) {
  const query = next && `expiresFrom=${next.date}&expiresBefore=${addDays(next.date, 1)}`;
  return (
    <section className="work-clear">
      <h2 tabIndex={-1}>All clear</h2>
      <p>Nothing needs you in the next {leadDays} days.</p>
      {next && (
        <p>
          Next: <Link href={`/domains?${query}`}>{formatDomainCount(next.names)}</Link> on{" "}
          {formatDay(next.date)}, {formatDaysLeft(daysUntil(next.date))}.
        </p>
      )}
    </section>
  );
}
