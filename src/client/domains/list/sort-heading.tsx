import type { SortKey, View } from "../filter/view.ts";
import "./sort-heading.css";

/** The heading of a column; where the list can be sorted by it, a button that does, or turns it round. */
export function SortHeading({
  label,
  className,
  by,
  view,
  onShow,
}: {
  label: string;
  className: string;
  by: SortKey | undefined;
  view: View;
  onShow: (view: View) => void;
}) {
  const active = view.sort === by;
  const descending = active && view.descending;
  const order = active ? (descending ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" className={className} aria-sort={order}>
      {by ? (
        <button
          type="button"
          className="sort"
          onClick={() => onShow({ ...view, sort: by, descending: active && !descending })}
        >
          {label}
          <span aria-hidden="true">{active ? (descending ? "▼" : "▲") : ""}</span>
        </button>
      ) : (
        label
      )}
    </th>
  );
}
