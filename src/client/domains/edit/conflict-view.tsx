import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { changedValues, type DomainValues, labels } from "../domain-values.ts";
import "./conflict-view.css";

interface Props {
  /** What both started from. */
  before: DomainValues;
  /** What was typed here. */
  mine: DomainValues;
  /** What is saved now. */
  now: DomainValues;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onGoOn: () => void;
}

/** Two versions of one name, field by field, where somebody else was quicker. */
export function ConflictView({ before, mine, now, onKeepMine, onTakeTheirs, onGoOn }: Props) {
  const changedHere = changedValues(before, mine);
  const changed = new Set([...changedHere, ...changedValues(before, now)]);
  return (
    <div className="conflict-view">
      <Notice tone="warn">
        Somebody saved this name while you were editing. Nothing is lost yet.
      </Notice>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">There now</th>
            <th scope="col">What you typed</th>
          </tr>
        </thead>
        <tbody>
          {[...changed].map((name) => (
            <tr key={name}>
              <th scope="row">{labels[name]}</th>
              <td>{now[name] || "unknown"}</td>
              <td>
                {changedHere.includes(name) ? mine[name] || "unknown" : <i>not touched by you</i>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>Saving yours changes only the fields that you touched.</p>
      <div className="dialog-actions">
        <Button onClick={onTakeTheirs}>Take what is there</Button>
        <Button onClick={onGoOn}>Go on editing</Button>
        <Button look="primary" onClick={onKeepMine}>
          Save mine
        </Button>
      </div>
    </div>
  );
}
