import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { daysBetween } from "../../shared/day.ts";
import type { Domain, DomainInput } from "../../shared/domain.ts";
import type { Summary } from "../../shared/register.ts";
import { dueDay, expiryAdvice, reportedDates, type Work, workOf } from "../../shared/work.ts";
import { ActionButton, useActionScreen } from "../register/act-on-domains.tsx";
import { actionsFor, DOMAIN_ACTIONS } from "../register/domain-actions.ts";
import { useDomainChange } from "../register/domain-change.ts";
import { handledInWords, otherDatesInWords } from "../register/expiry-words.ts";
import { invalidate } from "../register/resource.tsx";
import { areShortcutsEnabled, useShortcutKeys } from "../register/shortcut-keys.ts";
import { hasRole } from "../session/session-store.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import { formatAmount, formatDay, formatRelative, localToday } from "../ui/format.ts";

/** What to do with a domain, or why it is in the list. */
function reasonOf(domain: Domain, kind: Work): string {
  const { autoRenew, renewal } = domain;
  const [why = "", todo = ""] = expiryAdvice(domain, kind === "expired") ?? [];
  if (kind === "undecided" || (kind === "expired" && autoRenew)) return why;
  if (kind !== "renew" || !renewal) return todo;
  return `${todo} · ${formatAmount(renewal.minor, renewal.currency)}`;
}

function workActions(domain: Domain, time: Summary) {
  // Null only if the day has changed since the summary was read.
  const kind = workOf(domain, time) ?? "undecided";
  return { kind, actions: actionsFor(domain).filter(({ work }) => work?.includes(kind)) };
}

/** One line: a domain, what to do with it, by when, and the actions. */
export function Row({ domain, time }: { domain: Domain; time: Summary }) {
  const { name, unicode, expires, decision } = domain;
  const { kind, actions } = workActions(domain, time);
  const [likely, ...others] = actions;
  const due = dueDay(domain) ?? time.today;
  const days = daysBetween(localToday(), due);
  const urgency = decision === "drop" ? "" : days < 2 ? "near" : days < 8 ? "soon" : "";
  return (
    <li id={rowId(domain.id)} className={ROW_CLASS}>
      <span>
        <Link href={`/domains/${name}`}>{unicode}</Link>
        <AsciiName {...domain} />
      </span>
      <span className="work-do">
        {expires?.conflict && (
          <>
            <span className="pill both-dates" data-tone="warn">
              {reportedDates(expires).length} dates
            </span>{" "}
          </>
        )}
        {[
          expires && otherDatesInWords(expires),
          reasonOf(domain, kind),
          handledInWords(domain.handled),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <time dateTime={due}>{formatDay(due, days < -300 ? "medium" : "shortDay")}</time>
      <span className={`work-when ${urgency}`}>{formatRelative(days, "day")}</span>
      <span className="work-buttons">
        {likely && (
          <ActionButton
            action={likely}
            domain={domain}
            look="main"
            aria-label={`${likely.label} ${unicode}`}
            aria-keyshortcuts={likely.key}
          />
        )}
        {others[0] && (
          <Dropdown label="⋯" name={`More for ${unicode}`}>
            <div className="row-menu">
              {others.map((action) => (
                <ActionButton key={action.id} action={action} domain={domain} look="quiet" />
              ))}
            </div>
          </Dropdown>
        )}
      </span>
    </li>
  );
}

/** Lets keys act on the focused row, and lists them. */
export function RowKeys({ rows, time }: { rows: readonly Domain[]; time: Summary }) {
  const screen = useActionScreen();
  useRowKeys((key, row) => {
    const domain = rows.find(({ id }) => rowId(id) === row);
    if (!domain) return;
    workActions(domain, time)
      .actions.find((action) => action.key === key)
      ?.run(domain, screen);
  });
  if (!areShortcutsEnabled()) return null;
  return (
    <p className="row note work-keys">
      Shortcuts on a row:{" "}
      {DOMAIN_ACTIONS.filter(({ key, role }) => key && hasRole(role)).map((action) => (
        <span key={action.id}>
          <kbd>{action.key}</kbd> {action.short ?? action.label}
        </span>
      ))}
      <span>
        <kbd>j</kbd> <kbd>k</kbd> Next/previous
      </span>
    </p>
  );
}

const SUMMARY_PATH = "/api/summary";

const ROW_CLASS = "work-row";

function rowId(id: string): string {
  return `work-${id}`;
}

/**
 * Changes the domain of a row. The row leaves its group at once, and the next one gets the focus.
 * If the server refuses, the row comes back.
 *
 * @param place The element around all rows.
 */
export function useWorkRows(place: RefObject<Element | null>) {
  /** The saved version of each domain: no older one is shown. */
  const [saved, setSaved] = useState<ReadonlyMap<string, number>>(new Map());
  const focusNext = useRef<HTMLElement>(null);
  const { pending, change } = useDomainChange({
    place,
    isBrief: true,
    onSaved({ id, version }) {
      setSaved((all) => new Map(all).set(id, version));
      invalidate(SUMMARY_PATH);
    },
    onNewer: () => invalidate(SUMMARY_PATH),
  });

  useLayoutEffect(() => {
    // Rows move up to where the focus was: nothing has to scroll.
    focusNext.current?.focus({ preventScroll: true });
    focusNext.current = null;
  });

  return {
    change(domain: Domain, input: DomainInput) {
      focusNext.current = findNext(document.getElementById(rowId(domain.id)));
      change(domain, input);
    },
    isVisible: ({ id, version }: Domain) => !pending.has(id) && version >= (saved.get(id) ?? 0),
  };
}

/** The control of the next row, or of the one before, that corresponds to the focused one. */
function findNext(row: HTMLElement | null): HTMLElement | null {
  const focused = document.activeElement;
  // A dialog returns the focus to its row.
  if (!row || !(row.contains(focused) || focused?.closest("dialog"))) return null;
  const rows = allRows();
  const at = rows.indexOf(row);
  const next = rows[at + 1] ?? rows[at - 1];
  const key = focused?.getAttribute("aria-keyshortcuts");
  if (!next) return document.querySelector("h1");
  const same = key && `[aria-keyshortcuts="${CSS.escape(key)}"]`;
  return (same && next.querySelector<HTMLElement>(same)) || next.querySelector("a");
}

function allRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`.${ROW_CLASS}`)];
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * Arrows, `j` and `k` move between rows, as in the list of domains. The letters also lead from the
 * heading, which has the focus on arrival, to the first row.
 *
 * @param onLetter Receives any other key of one character, and the id of its row.
 */
function useRowKeys(onLetter: (key: string, row: string) => void): void {
  useShortcutKeys((event) => {
    const { key, target } = event;
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>(`.${ROW_CLASS}`);
    const step = STEPS[key];
    const rows = allRows();
    const isArriving = key.length === 1 && target.matches("body, h1");
    const next = step && (row ? rows[rows.indexOf(row) + step] : isArriving && rows[0]);
    if (next) {
      event.preventDefault();
      next.querySelector("a")?.focus();
    } else if (row && !step && key.length === 1) onLetter(key.toLowerCase(), row.id);
  }, Object.keys(STEPS));
}
