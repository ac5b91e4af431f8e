import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { daysBetween } from "../../shared/day.ts";
import type { Domain, DomainInput } from "../../shared/domain.ts";
import type { Summary } from "../../shared/register.ts";
import { dueDay, reportedDates, type Work, workOf } from "../../shared/work.ts";
import { ActionButton, useActionScreen } from "../register/act-on-domains.tsx";
import { ChangedMark } from "../register/changed-by.tsx";
import { actionsFor } from "../register/domain-actions.ts";
import { useDomainChange } from "../register/domain-change.ts";
import { handledInWords, otherDatesInWords } from "../register/expiry-words.ts";
import { invalidate } from "../register/resource.tsx";
import { useShortcutKeys } from "../register/shortcut-keys.ts";
import { AsciiName } from "../ui/ascii-name.tsx";
import { Dropdown } from "../ui/dropdown.tsx";
import {
  dayLanguage,
  formatDays,
  formatRenewal,
  formatShortDay,
  localToday,
} from "../ui/format.ts";

/** What to do, in at most 28 letters: the registrar stands beside it. */
const TO_DO = {
  expired: "Renew now",
  undecided: "Keep or drop?",
  renew: "Renew",
  transfer: "Start the transfer",
  "switch-off": "Turn off auto-renew",
  trouble: "see why",
  look: "Find its date",
} as const satisfies Record<Work, string>;

/** What is wrong, if anything, in a word, and what to do. */
function todoOf(domain: Domain, kind: Work): readonly [mark: string | null, todo: string] {
  const { findingCodes, autoRenew, expires, severity, alert } = domain;
  if (kind !== "switch-off") {
    const losing = findingCodes.find((code) => /hold|cancel|redem|pending-d/.test(code));
    if (losing?.endsWith("hold")) return ["On hold", kind === "expired" ? "renew now" : "ask why"];
    if (losing) return [alert, losing.includes("pending") ? "ask today" : "restore or drop"];
    if (severity === "critical" && /trouble|look/.test(kind)) return [alert, TO_DO.trouble];
    if (expires?.conflict) return [null, "Choose a date"];
  }
  return [null, kind === "expired" && autoRenew ? "Check the payment" : TO_DO[kind]];
}

function workActions(domain: Domain, time: Summary) {
  // Null only if the day has changed since the summary was read.
  const kind = workOf(domain, time) ?? "undecided";
  return { kind, actions: actionsFor(domain).filter(({ work }) => work?.includes(kind)) };
}

/** How near a day is that a person has to act by. */
function urgencyOf(days: number | null, kind: Work) {
  if (days === null || kind === "look" || kind === "switch-off") return "far";
  return days < 0 ? "past" : days < 2 ? "now" : days < 8 ? "week" : undefined;
}

/** One line: a domain, what to do with it, what it costs where, by when, and the actions. */
export function WorkRow({ domain, time }: { domain: Domain; time: Summary }) {
  const { name, unicode, expires, registrar, owner, renewal, listPrice } = domain;
  const { kind, actions } = workActions(domain, time);
  const [likely] = actions;
  // Drop stands beside what asks for it.
  const beside = [likely, likely?.id === "keep" && actions.find(({ id }) => id === "drop")];
  const due = dueDay(domain);
  const days = due === null ? null : daysBetween(localToday(), due);
  const [mark, todo] = todoOf(domain, kind);
  const others = expires ? reportedDates(expires).length - 1 : 0;
  const price = renewal ?? listPrice;
  const handled = handledInWords(domain.handled);
  return (
    <li id={rowId(domain.id)} className={ROW_CLASS}>
      <Link href={`/domains/${name}`}>
        <bdi>{unicode}</bdi>
        <ChangedMark domain={domain} />
      </Link>
      <span className="todo">
        {mark && <b>{mark}</b>}
        {mark && " · "}
        {todo}
        {expires && others > 0 && (
          <>
            {" "}
            <span className="pill" data-tone="warn" title={otherDatesInWords(expires)}>
              +{others}
            </span>
          </>
        )}
      </span>
      <span className="meta">
        <AsciiName {...domain} />
        {registrar && <span>{registrar}</span>}
        {price && <span className="price">{formatRenewal(price)}</span>}
        {owner && <span className="owner">{owner}</span>}
        {handled && <span>{handled}</span>}
      </span>
      <time dateTime={due ?? undefined} lang={dayLanguage()}>
        {due ? formatShortDay(due) : "–"}
      </time>
      <span className="days" data-due={urgencyOf(days, kind)}>
        {days === null ? "–" : formatDays(days)}
      </span>
      <span className="acts">
        {beside.map(
          (action) =>
            action && (
              <ActionButton
                key={action.id}
                action={action}
                domain={domain}
                size="small"
                look={action === likely ? "main" : "plain"}
                aria-label={`${action.label} ${unicode}`}
                aria-keyshortcuts={action.key}
                title={action.key && `${action.label} (${action.key})`}
              />
            ),
        )}
        {likely && (
          <Dropdown label="⋯" name={`More for ${unicode}`}>
            <div className="menu">
              {actions.map((action) => (
                <ActionButton key={action.id} action={action} domain={domain} look="quiet" />
              ))}
            </div>
          </Dropdown>
        )}
      </span>
    </li>
  );
}

const SUMMARY_PATH = "/api/summary";

const ROW_CLASS = "job";

function rowId(id: string): string {
  return `work-${id}`;
}

/**
 * Changes the domain of a row below `place`. The row leaves its group at once, and the next one gets
 * the focus. If the server refuses, the row comes back.
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
  const same = key && `[aria-keyshortcuts=${key}]`;
  return (same && next.querySelector<HTMLElement>(same)) || next.querySelector("a");
}

function allRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`.${ROW_CLASS}`)];
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/**
 * Arrows, `j` and `k` move between rows, as in the list of domains; the letters also from the heading,
 * which has the focus on arrival, to the first row. Other keys of one character act on the row.
 */
export function RowKeys({ rows, time }: { rows: readonly Domain[]; time: Summary }) {
  const screen = useActionScreen();
  useShortcutKeys((key, event) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>(`.${ROW_CLASS}`);
    const step = STEPS[key];
    const places = allRows();
    const isArriving = key.length === 1 && target.matches("body, h1");
    const next = step && (row ? places[places.indexOf(row) + step] : isArriving && places[0]);
    const domain = rows.find(({ id }) => rowId(id) === row?.id);
    if (next) {
      event.preventDefault();
      next.querySelector("a")?.focus();
    } else if (domain && !step && key.length === 1) {
      const { actions } = workActions(domain, time);
      actions.find((action) => action.key === key)?.run(domain, screen);
    }
  }, Object.keys(STEPS));
  return null;
}
