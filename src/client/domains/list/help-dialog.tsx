import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import "./help-dialog.css";

const KEYS = [
  [["↓", "↑"], "Go to the next or previous name"],
  [["Home", "End"], "Go to the first or last name, from any other"],
  [["Enter"], "Open the name"],
  [["Space"], "Select the name, or no longer"],
  [["Shift", "Space"], "Select all from the last selected name to this one"],
  [["e"], "Go to what can be done to the selected names"],
  [["/"], "Search"],
  [["?"], "Show this help"],
  [["Tab"], "Go through everything else"],
  [["Esc"], "Close a menu or a dialog"],
] as const;

/** What the keys do on the screen of domains, and a switch for those of a single character. */
export function HelpDialog({
  shortcuts,
  onTurn,
  onClose,
}: {
  shortcuts: boolean;
  onTurn: (on: boolean) => void;
  onClose: () => void;
}) {
  return (
    <Dialog heading="Keys" onClose={onClose}>
      <div className="domain-form">
        <dl className="help-keys">
          {KEYS.map(([keys, words]) => (
            <div key={words}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <label className="check">
          <input
            type="checkbox"
            checked={shortcuts}
            onChange={({ target }) => onTurn(target.checked)}
          />
          Use the keys e, / and ?
        </label>
        <div className="dialog-foot">
          <div className="dialog-actions">
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
