import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Domain, type DomainInput, parseSavedDomain } from "../../shared/domain.ts";
import { explain } from "../session/failure.tsx";
import { callApi } from "../session/session-store.ts";
import { notifyUndoable } from "../register/undo.ts";
import { formatDay } from "../ui/format.ts";
import { notify } from "../ui/notifications.ts";
import { addUnsavedChanges } from "../ui/unsaved-changes.ts";

/** The class of every row. */
export const ROW_CLASS = "work-row";

export function rowId(id: string): string {
  return `work-${id}`;
}

/**
 * Changes one domain, as the person chooses in its row. The row leaves its group at once, and the
 * focus goes to the next one; if the server refuses, the row comes back with a notification.
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

  async function act({ id, version, unicode }: Domain, input: DomainInput) {
    focusNext.current = findNext(document.getElementById(rowId(id)));
    setActed((all) => new Map(all).set(id, version));
    const release = addUnsavedChanges();
    const headers = { "If-Match": `"${version}"` };
    const options = { method: "PATCH", body: input, headers, parse: parseSavedDomain };
    try {
      const { operation } = await callApi(`/api/domains/${id}`, options);
      // One at a time: three would cover the rows that come next on a phone.
      dismiss.current();
      dismiss.current = notifyUndoable(describe(unicode, input), operation);
    } catch (error) {
      setActed((all) => new Map([...all].filter(([other]) => other !== id)));
      notify({ text: `${unicode} was not changed. ${explain(error)}` });
    } finally {
      release();
    }
    onChanged();
  }

  return {
    act: (domain: Domain, input: DomainInput) => void act(domain, input),
    isLeft: ({ id, version }: Domain) => version > (acted.get(id) ?? -1),
  };
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

/** What a change of one domain did, in a sentence. */
function describe(unicode: string, { decision, autoRenew, expires }: DomainInput): string {
  if (decision) return `You decided to ${decision} ${unicode}.`;
  if (autoRenew === false) return `Auto-renew is off for ${unicode}.`;
  return expires ? `${unicode} now expires on ${formatDay(expires)}.` : `${unicode} is done.`;
}
