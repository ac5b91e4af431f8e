import { useState } from "react";
import { paletteKeyName } from "../../session/palette-state.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import {
  areShortcutsEnabled,
  enableShortcuts,
  useShortcutKeys,
} from "../../register/shortcut-keys.ts";
import "./shortcuts.css";

/** Id of the bulk actions; the key `e` focuses the first. */
export const BULK_ACTIONS_ID = "bulk-actions";

const listKeys = (): [keys: string[], action: string][] => [
  [["↓", "↑"], "Next or previous domain"],
  [["Home", "End"], "First or last domain, from any other"],
  [["j", "k"], "Next or previous domain, also in the panel"],
  [["Enter"], "Open the domain"],
  [["Space"], "Select or deselect"],
  [["Shift", "Space"], "Select everything since the last selected domain"],
  [["e"], "Jump to the actions for selected domains"],
  [["/"], "Search"],
  [[paletteKeyName()], "Search or jump to"],
  [["?"], "Show these shortcuts"],
  [["Tab"], "Next control"],
  [["Esc"], "Close the panel, a menu or a dialog"],
];

interface Props {
  open: boolean;
  setOpen: (open: boolean) => void;
}

/**
 * Shortcuts of the whole list: `/` focuses the search, `e` the bulk actions, `?` lists the keys,
 * where those of a character can be turned off on this device.
 */
export function Shortcuts({ open, setOpen }: Props) {
  const [enabled, setEnabled] = useState(areShortcutsEnabled);

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
    enableShortcuts(on);
  }

  if (!open) return null;
  return (
    <Dialog heading="Keyboard shortcuts" onClose={() => setOpen(false)}>
      <div className="stack">
        <dl className="stack shortcuts">
          {listKeys().map(([keys, action]) => (
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
            <Button look="main" onClick={() => setOpen(false)}>
              Close
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
