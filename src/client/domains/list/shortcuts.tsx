import { useState } from "react";
import { paletteKeyName } from "../../session/palette-state.ts";
import { Check } from "../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { areShortcutsEnabled, enableShortcuts } from "../../register/shortcut-keys.ts";

const listKeys = (): [keys: string[], action: string][] => [
  [["↓", "↑"], "Next or previous domain; from the search, the first"],
  [["Home", "End"], "First or last domain"],
  [["j", "k"], "Next or previous domain, also in the panel"],
  [["Enter"], "Open the domain"],
  [["Space"], "Select or deselect"],
  [["Shift", "Space"], "Select everything since the last selected domain"],
  [["e"], "Jump to the actions for selected domains"],
  [["z"], "Undo your last change, on any screen"],
  [["/"], "Search"],
  [[paletteKeyName()], "Search or jump to"],
  [["?"], "Show these shortcuts"],
  [["Tab"], "Next control"],
  [["Esc"], "Close the panel, a menu or a dialog"],
];

/** Lists the keys; those of a character can be turned off on this device. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const [enabled, setEnabled] = useState(areShortcutsEnabled);

  return (
    <Dialog heading="Keyboard shortcuts" onClose={onClose}>
      <div className="stack">
        <dl className="list lines shortcuts">
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
        <Check
          checked={enabled}
          onCheck={(on) => {
            setEnabled(on);
            enableShortcuts(on);
          }}
        >
          Use the shortcuts j, k, e, z, / and ?
        </Check>
        <DialogActions cancel="Close" />
      </div>
    </Dialog>
  );
}
