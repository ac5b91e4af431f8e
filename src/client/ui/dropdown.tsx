import { type ReactNode, useId, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./button.tsx";
import "./dropdown.css";

interface Props {
  label: string;
  /** What screen readers call the button, where the label alone does not say it. */
  name?: string;
  children: ReactNode;
}

/**
 * The browser focuses what has this attribute when it opens the menu. A menu begins with its box, or
 * has the focus itself: neither Enter nor what is typed presses a button by accident. React's own
 * `autoFocus` comes before the menu is open.
 */
function markFocus(menu: HTMLElement | null) {
  const first = menu?.querySelector("a[href], button, input, select, textarea");
  const target = first?.matches("input, select, textarea") ? first : menu;
  target?.setAttribute("autofocus", "");
}

/**
 * A button with a menu below it, up to 900 px wide. Escape or a click outside closes the menu, whose
 * contents are rendered only while it is open.
 */
export function Dropdown({ label, name, children }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        className="button dropdown-button"
        popoverTarget={id}
        aria-label={name}
        aria-expanded={open}
        // The menu has to be there when the browser, after this, opens it.
        onClick={() => flushSync(() => setOpen(true))}
      >
        {label}
      </Button>
      {open && (
        <section
          ref={markFocus}
          id={id}
          popover="auto"
          aria-label={name ?? label}
          tabIndex={-1}
          className="dropdown-menu"
          onToggle={({ newState }) => setOpen(newState === "open")}
        >
          {children}
        </section>
      )}
    </>
  );
}
