import { useEffect, useEffectEvent, useState } from "react";
import { tryStorage } from "../../ui/preferences.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import "./shortcuts.css";

/** Key in local storage; its value is `off`, or absent. */
const STORAGE_KEY = "shortcuts";

/** Id of the actions for selected domains, of which `e` focuses the first. */
export const BULK_ACTIONS_ID = "bulk-actions";

/**
 * Calls back for key presses that may trigger a shortcut: no modifier but Shift, not while typing,
 * and not in a dialog or menu, which have keys of their own. Characters can be turned off.
 */
export function useShortcutKeys(onKey: (event: KeyboardEvent) => void): void {
  const listen = useEffectEvent((event: KeyboardEvent) => isShortcutKey(event) && onKey(event));
  useEffect(() => {
    const onKeydown = (event: KeyboardEvent) => listen(event);
    document.addEventListener("keydown", onKeydown);
    return () => document.removeEventListener("keydown", onKeydown);
  }, []);
}

function isShortcutKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1 && event.key !== " " && !areEnabled()) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest("dialog, [popover], textarea, select, [contenteditable]")) return false;
  return !target.matches("input:not([type=checkbox])");
}

function areEnabled(): boolean {
  return tryStorage(() => localStorage.getItem(STORAGE_KEY)) !== "off";
}

const KEYS = [
  [["↓", "↑"], "Next or previous domain"],
  [["Home", "End"], "First or last domain, from any other"],
  [["j", "k"], "Next or previous domain, also in the panel"],
  [["Enter"], "Open the domain"],
  [["Space"], "Select or deselect"],
  [["Shift", "Space"], "Select everything since the last selected domain"],
  [["e"], "Jump to the actions for selected domains"],
  [["/"], "Search"],
  [["?"], "Show these shortcuts"],
  [["Tab"], "Next control"],
  [["Esc"], "Close the panel, a menu or a dialog"],
] as const;

interface Props {
  /** Whether the list of keys is shown. */
  open: boolean;
  setOpen: (open: boolean) => void;
}

/**
 * The shortcuts that belong to no row: `/` focuses the search, `e` the bulk actions, `?` opens the
 * list of keys. Those of a character can be turned off on this device, for
 * people who use speech input (WCAG 2.2, 2.1.4).
 */
export function Shortcuts({ open, setOpen }: Props) {
  const [enabled, setEnabled] = useState(areEnabled);

  useShortcutKeys((event) => {
    if (event.key === "/") {
      event.preventDefault();
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      search?.focus();
      // Typing replaces the previous search.
      search?.select();
    } else if (event.key === "e") {
      const action = document.querySelector<HTMLElement>(`#${BULK_ACTIONS_ID} button`);
      if (action) event.preventDefault();
      action?.focus();
    } else if (event.key === "?") {
      event.preventDefault();
      setOpen(true);
    }
  });

  function enable(on: boolean) {
    setEnabled(on);
    tryStorage(() =>
      on ? localStorage.removeItem(STORAGE_KEY) : localStorage.setItem(STORAGE_KEY, "off"),
    );
  }

  if (!open) return null;
  return (
    <Dialog heading="Keyboard shortcuts" onClose={() => setOpen(false)}>
      <div className="domain-form">
        <dl className="shortcuts">
          {KEYS.map(([keys, action]) => (
            <div key={action}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
        <label className="check">
          <input
            type="checkbox"
            checked={enabled}
            onChange={({ target }) => enable(target.checked)}
          />
          Use the shortcuts j, k, e, / and ?
        </label>
        <div className="dialog-foot">
          <div className="dialog-actions">
            <Button look="primary" onClick={() => setOpen(false)}>
              Close
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
