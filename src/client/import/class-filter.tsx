import type { ImportCounts, RowClass } from "../../shared/import-contract.ts";
import { classWords, rowClasses } from "./import-words.ts";
import "./class-filter.css";

/** One button for each class of rows, with how many there are. */
export function ClassFilter({
  counts,
  shown,
  onShow,
}: {
  counts: ImportCounts;
  shown: RowClass;
  onShow: (shown: RowClass) => void;
}) {
  return (
    <ul className="class-filter" aria-label="Kinds of rows">
      {rowClasses.map((name) => (
        <li key={name}>
          <button
            type="button"
            className={counts[name] > 0 ? `class-button ${name}` : "class-button none"}
            aria-pressed={shown === name}
            onClick={() => onShow(name)}
          >
            <b>{counts[name].toLocaleString()}</b> {classWords[name].name}
          </button>
        </li>
      ))}
    </ul>
  );
}
