import { Button } from "../../ui/button.tsx";
import { formatDomainCount } from "../../ui/format.ts";
import { NOTHING, type Selection } from "../list/selection.ts";
import { EDIT_SELECTED } from "../list/use-shortcuts.ts";
import "./bulk-bar.css";

interface Props {
  selection: Selection;
  selected: number;
  /** How many names match. */
  total: number;
  onSelect: (selection: Selection) => void;
  onEdit: () => void;
  onDelete: () => void;
}

/**
 * How many names are selected, and what can be done to them. It stays in sight, and is rendered
 * before the rows: nobody has to go through all of them to get to it.
 */
export function BulkBar({ selection, selected, total, onSelect, onEdit, onDelete }: Props) {
  if (selected === 0) return null;
  return (
    <section className="bulk-bar" aria-label="Selected names">
      <div>
        <output>
          {selection.all ? "All " : ""}
          {formatDomainCount(selected)} selected
        </output>
        <Button look="quiet" onClick={() => onSelect(NOTHING)}>
          Clear
        </Button>
      </div>
      {selected < total && (
        <Button look="quiet" onClick={() => onSelect({ all: true })}>
          <span>
            Select all<span className="bulk-count"> {total.toLocaleString()}</span>
            <span className="bulk-aside"> that match</span>
          </span>
        </Button>
      )}
      <div>
        <Button id={EDIT_SELECTED} onClick={onEdit}>
          <span>
            Edit<span className="bulk-what"> selected</span>
          </span>
        </Button>
        <Button onClick={onDelete}>
          <span>
            Delete<span className="bulk-what"> selected</span>
          </span>
        </Button>
      </div>
    </section>
  );
}
