import { useEffect } from "react";
import { Link } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { DEFAULT_SORT, parseSort, type View } from "../../../shared/view.ts";
import { AsciiName } from "../../ui/ascii-name.tsx";
import { Button } from "../../ui/button.tsx";
import { CELLS, type Column } from "./columns.tsx";
import { countLoaded, countRows, idsBetween, type Listing } from "./listing.ts";
import { EMPTY_SELECTION, isSelected, select, type Selection } from "./selection.ts";
import { useRowCursor } from "./use-row-cursor.ts";
import { useRowWindow, useWindowRows } from "./use-row-window.ts";
import "./domain-table.css";
import "./domain-cards.css";
import "./sort-heading.css";

/** Characters from which a name needs a tooltip, because the column cuts it off. */
const MAX_NAME_LENGTH = 40;

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

interface HeadingProps extends Pick<Props, "view" | "onShow"> {
  field: Column | "name";
  className: string;
}

/** The heading of a column. Where the list can be sorted by it, a button sorts or reverses. */
function SortHeading({ field, className, view, onShow }: HeadingProps) {
  const { label } = FIELDS[field];
  const [first] = view.sort;
  const active = first?.field === field;
  const descending = active && first.descending;
  const order = active ? (descending ? "descending" : "ascending") : undefined;
  const sortBy = (text: string) => onShow({ ...view, sort: parseSort(text) ?? DEFAULT_SORT });
  return (
    <th scope="col" className={className} aria-sort={order}>
      {"sortedBy" in FIELDS[field] ? (
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

interface RowProps extends Pick<Props, "columns" | "onEdit" | "onDelete"> {
  /** Undefined while it is loading. */
  domain: Domain | undefined;
  /** Position in the whole list, from 0. */
  index: number;
  selected: boolean;
  /** Every match is selected, so that this row cannot be deselected. */
  fixed: boolean;
  /** Pixels below row 0, for a row outside the window that is rendered because it has the focus. */
  top: number | undefined;
  onSelect: (index: number, on: boolean, range: boolean) => void;
}

/** The row of one domain. Unknown values are named, because an empty cell would be ambiguous. */
function DomainRow(props: RowProps) {
  const { domain, index, columns, selected, fixed, top, onSelect, onEdit, onDelete } = props;
  const row = {
    // The heading row is row 1.
    "aria-rowindex": index + 2,
    id: `row-${index}`,
    style: top === undefined ? undefined : { insetBlockStart: top },
  };
  if (!domain) {
    return (
      <tr {...row} className="loading">
        <td className="pick">…</td>
        <th scope="row" className="domain-name">
          Loading…
        </th>
        <td colSpan={columns.length + 1}>…</td>
      </tr>
    );
  }
  const { id, name, unicode } = domain;
  return (
    <tr {...row} className={top !== undefined ? "focused" : selected ? "selected" : undefined}>
      <td className="pick">
        <input
          type="checkbox"
          aria-label={`Select ${unicode}`}
          checked={selected}
          disabled={fixed}
          onChange={({ target, nativeEvent }) =>
            onSelect(index, target.checked, "shiftKey" in nativeEvent && !!nativeEvent.shiftKey)
          }
        />
      </td>
      <th scope="row" className="domain-name">
        <Link
          href={`/domains/${name}`}
          title={unicode.length > MAX_NAME_LENGTH ? unicode : undefined}
        >
          {unicode}
        </Link>
        <AsciiName name={name} unicode={unicode} />
      </th>
      {columns.map((column) => (
        <td key={column} className={`of-${column}`} data-label={FIELDS[column].label}>
          {CELLS[column](domain, columns)}
        </td>
      ))}
      <td className="actions">
        <Button
          id={`edit-${id}`}
          look="quiet"
          aria-label={`Edit ${unicode}`}
          onClick={() => onEdit(domain)}
        >
          Edit
        </Button>
        <Button look="quiet" aria-label={`Delete ${unicode}`} onClick={() => onDelete(domain)}>
          Delete
        </Button>
      </td>
    </tr>
  );
}
