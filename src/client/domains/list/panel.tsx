import { Suspense, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { isRecord } from "../../../shared/parse.ts";
import { Button } from "../../ui/button.tsx";
import { lazyCode } from "../../ui/lazy-code.ts";
import { Skeleton } from "../../ui/notice.tsx";
import { useShortcutKeys } from "../../register/shortcut-keys.ts";
import "./panel.css";

/** Code of its own: a visit that opens no panel does without. */
const DomainView = lazyCode(async () => {
  const code = await import("../domain/domain-view.tsx");
  return { default: code.DomainView };
});

interface Props {
  /** The A-label name. Another domain needs another `key`. */
  name: string;
  query: string;
  onChanged: (domain: Domain) => void;
  onGone: (domain: Domain) => void;
  onClose: () => void;
}

/** One domain beside the list. The focus moves into it, and back to its row when it closes. */
export function DomainPanel({ name, query, onChanged, onGone, onClose }: Props) {
  const [unicode, setUnicode] = useState(name);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return () => void focusRow(name);
  }, [name]);
  useShortcutKeys((event) => {
    if (event.key === "Escape") onClose();
  });

  return (
    <aside className="domain-panel" aria-labelledby="panel-heading">
      <div className="domain-panel-head">
        <h2 ref={heading} id="panel-heading" tabIndex={-1}>
          {unicode}
        </h2>
        <Link className="button quiet" href={`/domains/${name}${query}`}>
          Open the page
        </Link>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <Suspense fallback={<Skeleton lines={10} />}>
        <DomainView name={name} onName={setUnicode} onChanged={onChanged} onGone={onGone} />
      </Suspense>
    </aside>
  );
}

/** Notes in this entry of the history which row leads away from it. */
export function leaveFromRow(name: string): void {
  history.replaceState({ row: name }, "");
}

/** Focuses the row of a domain, and returns whether it is there. */
function focusRow(name: string): boolean {
  const row = document.querySelector<HTMLElement>(`[data-domain="${CSS.escape(name)}"]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}

/** Back from a domain's page: returns the focus to its row as soon as that is rendered. */
export function useReturnToRow(): void {
  const wanted = useRef(readRow());
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

function readRow(): string | null {
  const state: unknown = history.state;
  return isRecord(state) && typeof state.row === "string" ? state.row : null;
}
