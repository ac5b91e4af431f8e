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

const FOCUSABLE = "a[href], button, input, select, textarea";

/**
 * The browser focuses what has this attribute when it opens the menu: the first control, or else the
 * menu, so that no key reaches the screen behind it. React's `autoFocus` comes before it is open.
 */
function markFocus(menu: HTMLElement | null) {
  const first = menu?.querySelector(FOCUSABLE) ?? menu;
  first?.setAttribute("autofocus", "");
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
        <div
          ref={markFocus}
          id={id}
          popover="auto"
          tabIndex={-1}
          className="dropdown-menu"
          onToggle={({ newState }) => setOpen(newState === "open")}
        >
          {children}
        </div>
      )}
    </>
  );
}
