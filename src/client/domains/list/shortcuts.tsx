import { useEffect, useEffectEvent, useState } from "react";
import { tryStorage } from "../../ui/try-storage.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import "./shortcuts.css";

/** Key in local storage; its value is `off`, or absent. */
const STORAGE_KEY = "shortcuts";

/** Id of the button that `e` focuses, while there is a selection. */
export const EDIT_SELECTED_ID = "edit-selected";

/**
 * Calls back for key presses that may trigger a shortcut: no modifier but Shift, not while typing,
 * and not in a dialog or menu, which have keys of their own.
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
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest("dialog, [popover], textarea, select, [contenteditable]")) return false;
  return !target.matches("input:not([type=checkbox])");
}

const KEYS = [
  [["↓", "↑"], "Next or previous domain"],
  [["Home", "End"], "First or last domain, from any other"],
  [["Enter"], "Open the domain"],
  [["Space"], "Select or deselect"],
  [["Shift", "Space"], "Select everything since the last selected domain"],
  [["e"], "Jump to the actions for selected domains"],
  [["/"], "Search"],
  [["?"], "Show these shortcuts"],
  [["Tab"], "Next control"],
  [["Esc"], "Close a menu or dialog"],
] as const;

/**
 * A button for the list of keys, and the shortcuts of a single character: `/` focuses the search, `e`
 * the bulk actions, `?` opens the list. They can be turned off on this device, for people who use
 * speech input (WCAG 2.2, 2.1.4).
 */
export function Shortcuts() {
  const [open, setOpen] = useState(false);
  const [enabled, setEnabled] = useState(
    () => tryStorage(() => localStorage.getItem(STORAGE_KEY)) !== "off",
  );

  useShortcutKeys((event) => {
    if (!enabled) return;
    if (event.key === "/") {
      event.preventDefault();
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      search?.focus();
      // Typing replaces the previous search.
      search?.select();
    } else if (event.key === "e") {
      const edit = document.getElementById(EDIT_SELECTED_ID);
      if (edit) event.preventDefault();
      edit?.focus();
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

  return (
    <>
      <Button className="button quiet keys" onClick={() => setOpen(true)}>
        Shortcuts
      </Button>
      {open && (
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
              Use the shortcuts e, / and ?
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
      )}
    </>
  );
}
