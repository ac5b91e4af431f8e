import { type ReactNode, useId, useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "./button.tsx";
import { closeMenu } from "./page.ts";

interface Props {
  label: string;
  /** What screen readers call the button if its label is a picture. */
  name?: string;
  children: ReactNode;
}

/**
 * The browser focuses this element when it opens the menu: its first box, or the menu itself, so
 * that neither Enter nor typing presses a button by accident. React's `autoFocus` comes before the
 * menu is open.
 */
function markFocus(menu: HTMLElement | null) {
  const first = menu?.querySelector("a[href], button, input, select, textarea");
  const target = first?.matches("input, select, textarea") ? first : menu;
  target?.setAttribute("autofocus", "");
}

/**
 * A button with a menu, which Escape, a click outside and a choice of a `.menu` close. It is rendered
 * only while open.
 */
export function Dropdown({ label, name, children }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        className={`button dropdown-button${name ? " quiet small icon" : ""}`}
        popoverTarget={id}
        aria-label={name}
        aria-expanded={open}
        // The menu has to exist when the browser opens it.
        onClick={() => flushSync(() => setOpen(true))}
      >
        {label}
      </Button>
      {open && (
        <fieldset
          ref={markFocus}
          id={id}
          popover="auto"
          aria-label={name ?? label}
          tabIndex={-1}
          className="dropdown-menu"
          onToggle={({ newState }) => setOpen(newState === "open")}
          // Closed first, as what is chosen may move the focus.
          onClickCapture={({ target }) => {
            if (target instanceof Element && target.closest(".menu :is(a, button)"))
              closeMenu(target);
          }}
        >
          {children}
        </fieldset>
      )}
    </>
  );
}
