import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Day } from "../../shared/day.ts";
import {
  type Decision,
  type Domain,
  type DomainInput,
  parseSavedDomain,
} from "../../shared/domain.ts";
import { explain } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { notifyUndoable } from "../session/undo.ts";
import { formatDay } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";

/**
 * What is done about a domain: a decision; auto-renew that is off now; or a to-do that is done, with
 * the new expiry date, or until an import shows it.
 */
type Act =
  | { kind: "decide"; decision: Exclude<Decision, "watch"> }
  | { kind: "switch-off" }
  | { kind: "done"; expires?: Day };

/** The class of every row. */
export const ROW_CLASS = "work-row";

export function rowId({ id }: Domain): string {
  return `work-${id}`;
}

/**
 * Does what the person chooses. A row leaves its group at once, and the focus goes to the next one; if
 * the server refuses, the row comes back with a notification.
 *
 * @param onChanged Called after each answer of the server.
 */
export function useActs(onChanged: () => void) {
  /** The version of each domain that was acted on: a newer one is shown again. */
  const [acted, setActed] = useState<ReadonlyMap<string, number>>(new Map());
  const focusNext = useRef<HTMLElement>(null);
  const dismiss = useRef(() => {});

  useLayoutEffect(() => {
    // Rows move up to where the focus was: nothing has to scroll.
    focusNext.current?.focus({ preventScroll: true });
    focusNext.current = null;
  });

  async function act(domain: Domain, what: Act) {
    focusNext.current = findNext(document.getElementById(rowId(domain)));
    setActed((all) => new Map(all).set(domain.id, domain.version));
    dismiss.current();
    try {
      const { operation } = await send(domain, what);
      dismiss.current = notifyUndoable(describe(domain, what), operation);
    } catch (error) {
      setActed((all) => new Map([...all].filter(([id]) => id !== domain.id)));
      notify({ text: `${domain.unicode} was not changed. ${explain(error)}` });
    }
    onChanged();
  }

  const isLeft = ({ id, version }: Domain) => version > (acted.get(id) ?? -1);
  return { act: (domain: Domain, what: Act) => void act(domain, what), isLeft };
}

/** The control of the next row, or of the one before, that is like the one that has the focus. */
function findNext(row: HTMLElement | null): HTMLElement | null {
  const focused = document.activeElement;
  // A dialog gives the focus back to its row.
  if (!row || !(row.contains(focused) || focused?.closest("dialog"))) return null;
  const rows = visibleRows();
  const at = rows.indexOf(row);
  const next = rows[at + 1] ?? rows[at - 1];
  const key = focused?.getAttribute("aria-keyshortcuts");
  return (key && next && findByKey(next, key)) || next?.querySelector("a") || null;
}

function visibleRows(): HTMLElement[] {
  const rows = document.querySelectorAll<HTMLElement>(`.${ROW_CLASS}`);
  return [...rows].filter((row) => row.checkVisibility());
}

function findByKey(row: Element, key: string): HTMLElement | null {
  return row.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`);
}

/** In the row that has the focus, a letter presses its button, and an arrow goes to another row. */
export function useRowKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      const row = target instanceof Element && target.closest<HTMLElement>(`.${ROW_CLASS}`);
      if (!row || altKey || ctrlKey || metaKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      const rows = visibleRows();
      const next = step && rows[rows.indexOf(row) + step]?.querySelector("a");
      if (next) {
        event.preventDefault();
        next.focus();
      } else if (key.length === 1) findByKey(row, key.toLowerCase())?.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** @throws {HttpError} 412 if there is a newer version. */
function send({ id, version, expires }: Domain, act: Act) {
  const headers = { "If-Match": `"${version}"` };
  let body: DomainInput = { autoRenew: false };
  if (act.kind === "decide") body = { decision: act.decision };
  else if (act.kind === "done") {
    body =
      act.expires === undefined ? { doneFor: expires?.date ?? null } : { expires: act.expires };
  }
  const options = { method: "PATCH", body, headers, parse: parseSavedDomain };
  return callApi(`/api/domains/${id}`, options);
}

function describe({ unicode }: Domain, act: Act): string {
  if (act.kind === "decide") return `You decided to ${act.decision} ${unicode}.`;
  if (act.kind === "switch-off") return `Auto-renew is off for ${unicode}.`;
  if (act.expires === undefined) return `${unicode} is done.`;
  return `${unicode} now expires on ${formatDay(act.expires)}.`;
}
