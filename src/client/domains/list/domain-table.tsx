import { useEffect } from "react";
import type { Domain } from "../../../shared/domain.ts";
import { FIELDS } from "../../../shared/fields.ts";
import {
  DEFAULT_SORT,
  parseSort,
  SORT_FIELDS,
  type SortField,
  type View,
} from "../../../shared/view.ts";
import type { Column } from "./columns.tsx";
import { DomainRow } from "./domain-row.tsx";
import { countLoaded, countRows, idsBetween, type Listing } from "./listing.ts";
import { EMPTY_SELECTION, isSelected, select, type Selection } from "./selection.ts";
import { useRowCursor } from "./use-row-cursor.ts";
import { useRowWindow, useWindowRows } from "./use-row-window.ts";
import "./domain-table.css";
import "./domain-cards.css";
import "./sort-heading.css";

interface Props {
  listing: Listing;
  columns: readonly Column[];
  view: View;
  /** The rows belong to another view, whose rows are loading. */
  busy: boolean;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onShow: (view: View) => void;
  onVisibleRangeChange: (first: number, last: number) => void;
  onEdit: (domain: Domain) => void;
  onDelete: (domain: Domain) => void;
}

/**
 * The domains as a table that renders only the visible rows; on a narrow screen CSS turns each row
 * into a card. `aria-rowcount` and `aria-rowindex` tell assistive technology about the other rows.
 */
export function DomainTable(props: Props) {
  const { listing, columns, view, busy, selection, onSelect, onShow, onVisibleRangeChange } = props;
  const count = countRows(listing);
  const { frame, before, after, reveal, ...range } = useRowWindow(count);
  const { first, last, focused } = range;
  const rows = useWindowRows(listing, range);

  // Runs after every render: a change of the list may evict visible rows as well.
  useEffect(() => onVisibleRangeChange(first, last));

  const selectBetween = (from: number, to: number, on: boolean) => {
    const ids = idsBetween(listing, Math.min(from, to), Math.max(from, to));
    onSelect(select(selection, ids, on));
  };
  const moveTo = useRowCursor(count, reveal, (row, from) => {
    const [id = ""] = idsBetween(listing, row, row);
    selectBetween(from, row, !isSelected(selection, id));
  });

  function selectAll(on: boolean) {
    const loaded = countLoaded(listing);
    if (!on) onSelect(EMPTY_SELECTION);
    else if (loaded < count) onSelect({ all: true });
    else onSelect(select(EMPTY_SELECTION, idsBetween(listing, 0, loaded), true));
  }

  const everything = selection.all || (selection.ids.size >= count && count > 0);
  const partly = !everything && !selection.all && selection.ids.size > 0;
  const heading = (field: Column | "name", className: string) => (
    <SortHeading key={field} {...{ field, className, view, onShow }} />
  );
  return (
    <div
      ref={frame}
      className="domain-window"
      data-windowed=""
      style={{ paddingBlock: `${before}px ${after}px` }}
    >
      <table className="domain-table" aria-busy={busy} aria-rowcount={count + 1}>
        <caption className="unseen">Domains</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="pick">
              <input
                type="checkbox"
                aria-label="Select all matching domains"
                checked={everything}
                ref={(box) => {
                  if (box) box.indeterminate = partly;
                }}
                onChange={({ target }) => selectAll(target.checked)}
              />
            </th>
            {heading("name", "domain-name")}
            {columns.map((column) => heading(column, `of-${column}`))}
            <th scope="col" className="actions">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ domain, index }) => (
            <DomainRow
              key={domain?.id ?? index}
              domain={domain}
              index={index}
              columns={columns}
              selected={domain !== undefined && isSelected(selection, domain.id)}
              fixed={selection.all}
              top={index === focused?.row ? focused.top : undefined}
              onSelect={(row, on, withRange) => selectBetween(moveTo(row, withRange), row, on)}
              onEdit={props.onEdit}
              onDelete={props.onDelete}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The heading of a column. Where the list can be sorted by it, a button sorts or reverses. */
function SortHeading({
  field,
  className,
  view,
  onShow,
}: {
  field: Column | "name";
  className: string;
  view: View;
  onShow: (view: View) => void;
}) {
  const { label } = FIELDS[field];
  const [first] = view.sort;
  const active = first?.field === field;
  const descending = active && first.descending;
  const order = active ? (descending ? "descending" : "ascending") : undefined;
  const sortBy = (text: string) => onShow({ ...view, sort: parseSort(text) ?? DEFAULT_SORT });
  return (
    <th scope="col" className={className} aria-sort={order}>
      {SORT_FIELDS.some((sortable: SortField) => sortable === field) ? (
        <button
          type="button"
          className="sort"
          onClick={() => sortBy(active && !descending ? `-${field}` : field)}
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
