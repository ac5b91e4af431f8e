import { IMPORT_FIELDS, type ImportField } from "../../shared/fields.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { changedValues, CHOICES, type DomainValues } from "./domain-values.ts";
import "./conflict-view.css";

interface Props {
  /** The version that both edits started from. */
  before: DomainValues;
  /** What was typed here. */
  mine: DomainValues;
  /** What is saved now. */
  saved: DomainValues;
  onSaveMine: () => void;
  onUseSaved: () => void;
  onKeepEditing: () => void;
}

/** Compares the typed version with one that was saved meanwhile, field by field. */
export function ConflictView({
  before,
  mine,
  saved,
  onSaveMine,
  onUseSaved,
  onKeepEditing,
}: Props) {
  const changedHere = changedValues(before, mine);
  const changed = new Set([...changedHere, ...changedValues(before, saved)]);
  return (
    <div className="conflict-view">
      <Notice tone="warn">
        Someone else saved this domain while you were editing. Your changes are not lost.
      </Notice>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Saved version</th>
            <th scope="col">Your version</th>
          </tr>
        </thead>
        <tbody>
          {[...changed].map((name) => (
            <tr key={name}>
              <th scope="row">{IMPORT_FIELDS[name].label}</th>
              <td>{toText(name, saved)}</td>
              <td>{changedHere.includes(name) ? toText(name, mine) : <i>not changed</i>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>Saving yours changes only the fields that you edited.</p>
      <div className="dialog-actions">
        <Button onClick={onUseSaved}>Use the saved version</Button>
        <Button onClick={onKeepEditing}>Keep editing</Button>
        <Button look="primary" onClick={onSaveMine}>
          Save mine
        </Button>
      </div>
    </div>
  );
}

function toText(name: ImportField, values: DomainValues): string {
  const value = values[name];
  if (name !== "decision" && name !== "autoRenew") return value || "empty";
  return CHOICES[name].find(([option]) => option === value)?.[1] ?? value;
}
