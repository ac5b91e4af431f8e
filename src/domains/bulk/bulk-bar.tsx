import { Button } from "../../ui/button.tsx";
import { namesInWords } from "../names-in-words.ts";
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
          {namesInWords(selected)} selected
        </output>
        <Button look="quiet" onClick={() => onSelect(NOTHING)}>
          Clear
        </Button>
      </div>
      {selected < total && (
        <Button look="quiet" onClick={() => onSelect({ all: true })}>
          Select all {total.toLocaleString()} that match
        </Button>
      )}
      <div>
        <Button id={EDIT_SELECTED} onClick={onEdit}>
          Edit selected
        </Button>
        <Button onClick={onDelete}>Delete selected</Button>
      </div>
    </section>
  );
}
