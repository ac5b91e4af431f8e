import { type ReactNode, useRef } from "react";
import { Link } from "wouter";
import { addDays, daysBetween } from "../../shared/day.ts";
import type { Domain } from "../../shared/domain.ts";
import type { Summary, WorkGroup } from "../../shared/register.ts";
import { dueDay, LAPSED_DAYS, type Work, workOf } from "../../shared/work.ts";
import { ActionButton, ActOnDomains } from "../register/act-on-domains.tsx";
import { actionsFor, DOMAIN_ACTIONS, mayRun } from "../register/domain-actions.ts";
import { handledInWords } from "../register/handled.ts";
import { areShortcutsEnabled } from "../register/shortcut-keys.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { ExpiryDate, formatDaysLeft } from "../ui/expiry-date.tsx";
import { formatDay, formatDomainCount } from "../ui/format.ts";
import { formatNumber } from "../ui/number.ts";
import { localToday } from "../ui/today.ts";
import { ROW_CLASS, rowId, useRowKeys, useWorkRows } from "./work-rows.ts";
import "./work-list.css";

/** What there is to do with a domain, or why it is in the list. */
const REASONS: Readonly<Record<Work, (domain: Domain) => string>> = {
  expired: ({ autoRenew }) =>
    autoRenew === true ? "Expired although it should have renewed" : autoRenewInWords(autoRenew),
  undecided: ({ autoRenew }) => autoRenewInWords(autoRenew),
  renew: ({ registrar }) => `Renew it${registrar ? ` at ${registrar}` : ""}`,
  transfer: ({ registrar }) => `Start the transfer${registrar ? ` from ${registrar}` : ""}`,
  "switch-off": ({ registrar }) => `Turn off auto-renew${registrar ? ` at ${registrar}` : ""}`,
};

function autoRenewInWords(autoRenew: boolean | null): string {
  return autoRenew === null ? "Auto-renew unknown" : "Auto-renew off";
}

/** What needs the person: three groups that decisions empty, and then that all is clear. */
export function WorkList({ summary }: { summary: Summary }) {
  const { leadDays, work } = summary;
  const place = useRef<HTMLDivElement>(null);
  const { change, isLeft } = useWorkRows(place);
  useRowKeys();

  const isClear = Object.values(work).every(
    ({ total, items }) => total === items.filter((item) => !isLeft(item)).length,
  );
  const shared = { summary, isLeft };
  return (
    <div ref={place} className="stack work">
      <ActOnDomains change={change}>
        {isClear && <AllClear {...summary} />}
        <Group heading="Expired" name="expired" {...shared}>
          Renewed already? Mark it as done. Otherwise renew it now, or drop it.
        </Group>
        <Group heading="Undecided" name="undecided" {...shared}>
          They expire in the next {leadDays} days and won’t renew automatically.
        </Group>
        <Group heading="To do" name="todo" {...shared}>
          Decided, and still to be done at the registrar.
        </Group>
        {!isClear && <KeyHint />}
      </ActOnDomains>
    </div>
  );
}

interface GroupProps {
  heading: string;
  name: keyof Summary["work"];
  summary: Summary;
  isLeft: (domain: Domain) => boolean;
  children: ReactNode;
}

/** The first domains of a group, without those that were acted on, and links to all of them. */
function Group({ heading, name, summary, isLeft, children }: GroupProps) {
  const group = summary.work[name];
  const href = `/domains?work=${name}`;
  const parts = partsOf(name, group, summary.leadDays)
    .map(({ label, count, from, to }) => {
      const items = group.items.filter((item) => {
        const days = daysBetween(localToday(), dueDay(item) ?? summary.today);
        return days >= from && days <= to;
      });
      const left = items.filter(isLeft);
      const query = new URLSearchParams({
        work: name,
        ...(from > -Infinity && { expiresFrom: addDays(summary.today, from) }),
        ...(to < Infinity && { expiresBefore: addDays(summary.today, to + 1) }),
      });
      const link = `/domains?${query}`;
      return { label, items: left, total: count - items.length + left.length, link };
    })
    .filter(({ total }) => total > 0);
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  // Those that lapsed long ago have a link of their own.
  const more = parts
    .filter(({ label }) => label !== LAPSED)
    .reduce((sum, part) => sum + part.total - part.items.length, 0);
  if (total === 0) return null;
  return (
    <section>
      <h2>
        {heading} <Link href={href}>{formatDomainCount(total)}</Link>
      </h2>
      <p className="note">{children}</p>
      {parts.map(({ label, items, total: count, link }) => {
        const rows = items.length > 0 && (
          <ol key={label} className="list home-list">
            {items.map((domain) => (
              <Row key={domain.id} domain={domain} time={summary} />
            ))}
          </ol>
        );
        if (label === "") return rows;
        return label === LAPSED ? (
          <details key={label}>
            <summary>
              {label}: {formatDomainCount(count)}
            </summary>
            {rows}
            <Link href={link}>Show in the list</Link>
          </details>
        ) : (
          <div key={label}>
            <h3>
              {label} <Link href={link}>{formatDomainCount(count)}</Link>
            </h3>
            {rows}
          </div>
        );
      })}
      {more > 0 && <Link href={href}>Show {formatNumber(more)} more</Link>}
    </section>
  );
}

const LAPSED = `Expired more than ${LAPSED_DAYS} days ago`;

/** The parts of a group, by the days from now on which they expire. */
function partsOf(name: keyof Summary["work"], group: WorkGroup, leadDays: number) {
  const { total, lapsed, week, days30, days60 } = group;
  if (name === "expired") {
    return [
      { label: "", count: total - lapsed, from: -LAPSED_DAYS, to: Infinity },
      { label: LAPSED, count: lapsed, from: -Infinity, to: -LAPSED_DAYS - 1 },
    ];
  }
  return [
    { label: "This week", count: week, from: -Infinity, to: 7 },
    { label: `Within ${Math.min(30, leadDays)} days`, count: days30, from: 8, to: 30 },
    { label: `Within ${leadDays} days`, count: days60, from: 31, to: Infinity },
  ];
}

function Row({ domain, time }: { domain: Domain; time: Summary }) {
  const { name, unicode } = domain;
  const due = dueDay(domain);
  // Not null but where the day has changed since the summary was read.
  const kind = workOf(domain, time) ?? "undecided";
  return (
    <li id={rowId(domain.id)} className={ROW_CLASS}>
      <span>
        <Link href={`/domains/${name}`}>{unicode}</Link>
        <AsciiName name={name} unicode={unicode} />
        <small>
          {[REASONS[kind](domain), handledInWords(domain.handled)].filter(Boolean).join(" · ")}
        </small>
      </span>
      {due && <ExpiryDate day={due} />}
      <span className="work-buttons">
        {actionsFor(domain)
          .filter(({ work }) => work?.includes(kind))
          .map((action) => (
            <ActionButton
              key={action.id}
              action={action}
              domain={domain}
              look={action.short ? "quiet" : "plain"}
              aria-label={`${action.short ?? action.label} ${unicode}`}
              aria-keyshortcuts={action.key}
            >
              {action.short}
            </ActionButton>
          ))}
      </span>
    </li>
  );
}

function KeyHint() {
  if (!areShortcutsEnabled()) return null;
  return (
    <p className="row note work-keys">
      In a row:{" "}
      {DOMAIN_ACTIONS.filter((action) => action.key && mayRun(action)).map((action) => (
        <span key={action.id}>
          <kbd>{action.key}</kbd> {action.short ?? action.label}
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
    <section className="box work-clear">
      <h2 tabIndex={-1}>All clear</h2>
      <p>Nothing needs you in the next {leadDays} days.</p>
      {next && (
        <p>
          Next: <Link href={`/domains?${query}`}>{formatDomainCount(next.names)}</Link> on{" "}
          {formatDay(next.date)}, {formatDaysLeft(daysBetween(localToday(), next.date))}.
        </p>
      )}
    </section>
  );
}
