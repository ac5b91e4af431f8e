import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { isRecord } from "../../../shared/parse.ts";
import { formatView, type View } from "../../../shared/view.ts";
import { PANEL_PARAMETER } from "../../register/domains-api.ts";
import { useShortcutKeys } from "../../register/shortcut-keys.ts";
import { listPath } from "../../screens.ts";
import { Button } from "../../ui/button.tsx";
import { lazyCode } from "../../ui/lazy-code.ts";
import { Skeleton } from "../../ui/notice.tsx";
import { type Panel, useList, useMedia } from "./list-context.ts";
import { addressOf, queryOf } from "./view-address.ts";

/** A script of its own, for visits that open a panel. */
const DomainView = lazyCode(() => import("../domain/domain-view.tsx"), <Skeleton lines={10} />);

/** From this width on, the panel has room beside the list. */
const ROOM_FOR_PANEL = "(min-width: 1000px)";

/** The domain that the address shows beside the list of a view. */
export function usePanel(view: View): Panel {
  const [, navigate] = useLocation();
  const named = new URLSearchParams(useSearch()).get(PANEL_PARAMETER);
  const hasRoom = useMedia(ROOM_FOR_PANEL);
  const opened = hasRoom ? named : null;

  function open(name: string) {
    if (!hasRoom) {
      // On the way back, its row gets the focus.
      history.replaceState({ row: name }, "");
      navigate(`/domains/${name}${queryOf(view)}`);
      return;
    }
    const query = formatView(view);
    query.set(PANEL_PARAMETER, name);
    // One history entry for all domains viewed there.
    navigate(listPath(query), { replace: opened !== null });
  }

  return { opened, open, closePanel: () => navigate(addressOf(view), { replace: true }) };
}

/** One domain beside the list. Closing it moves the focus back to its row. */
export function DomainPanel({ name }: { name: string }) {
  const { view, open, closePanel, put, remove } = useList();
  const [unicode, setUnicode] = useState(name);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return () => void focusRow(name);
  }, [name]);
  useShortcutKeys((key) => {
    if (key === "Escape") closePanel();
  });

  return (
    <aside className="domain-panel" aria-labelledby="panel-heading">
      <div className="domain-panel-head">
        <h2 ref={heading} className="large" id="panel-heading" tabIndex={-1}>
          {unicode}
        </h2>
        <Link className="button quiet" href={`/domains/${name}${queryOf(view)}`}>
          Open<span className="unseen"> the page</span>
        </Link>
        <Button look="quiet" size="icon" aria-label="Close" onClick={closePanel}>
          ×
        </Button>
      </div>
      <DomainView
        name={name}
        onName={setUnicode}
        onChanged={(domain) => {
          if (domain.name !== name) open(domain.name);
          put(domain);
        }}
        onGone={({ id }) => {
          closePanel();
          remove(id);
        }}
      />
    </aside>
  );
}

/** Focuses the row of a domain. Returns whether it exists. */
function focusRow(name: string): boolean {
  const row = document.querySelector<HTMLElement>(`[data-domain="${CSS.escape(name)}"]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}

/** Focuses the first selected row, or the heading: what had the focus is about to go. */
export function focusRowInHand(): void {
  const row = document.querySelector<HTMLElement>(".domain-table .selected .row-link");
  (row ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: true });
}

/** On the way back from a domain's page, focuses its row once that is rendered. */
export function useReturnToRow(): void {
  const state: unknown = history.state;
  const row = isRecord(state) && typeof state.row === "string" ? state.row : null;
  const wanted = useRef(row);
  useEffect(() => {
    const name = wanted.current;
    if (name === null) return undefined;
    // The router focuses the heading on arrival, after the effects of the screen.
    const timer = setTimeout(() => {
      const movedOn = !document.activeElement?.matches("body, h1");
      if (movedOn || focusRow(name)) wanted.current = null;
    });
    return () => clearTimeout(timer);
  });
}
