import { useEffect, useMemo } from "react";
import { isCustomName } from "../../../shared/filter.ts";
import { parseSort, type View } from "../../../shared/view.ts";
import { formatNumber, localToday } from "../../ui/format.ts";
import { usePreferences, useStable } from "../../ui/store.ts";
import { addressOf, type Column, columnLabel, RowContext, sorted, widestText } from "./columns.tsx";
import { DomainRow } from "./domain-row.tsx";
import { findRow, idsBetween, type Listing, rowsBetween } from "../listing.ts";
import { EMPTY_SELECTION, isSelected, toggleIds, useList } from "./list-context.ts";
import { useReturnToRow } from "./panel.tsx";
import { useRowCursor } from "./use-row-cursor.ts";
import { useRowWindow, useWindowRows } from "./use-row-window.ts";
import "./domain-table.css";
import "./domain-cards.css";
import "./sort-heading.css";

interface Props {
  listing: Listing;
  /** Columns that have room; `cards`: each domain is a card. */
  columns: readonly Column[];
  cards: boolean;
  leadDays: number;
}

/** With more domains selected, single ones cannot be left out. */
const MAX_SINGLED_OUT = 1000;

/**
 * A table that renders only the visible rows; on a narrow screen CSS makes each row a card.
 * `aria-rowcount` and `aria-rowindex` tell assistive technology about the other rows.
 */
export function DomainTable({ listing, columns, cards, leadDays }: Props) {
  const { view, selection, opened, settled, failure, select, readIds, ...list } = useList();
  const count = listing.total;
  const { frame, before, after, reveal, ...range } = useRowWindow(count);
  const isFixed = selection.all && count > MAX_SINGLED_OUT;
  const { first, last, focused } = range;
  const rows = useWindowRows(listing, range);

  // After every render: a changed list may evict visible rows as well.
  useEffect(() => list.setVisible(first, last));

  async function selectBetween(from: number, to: number, on: boolean) {
    const [start, end] = [Math.min(from, to), Math.max(from, to)];
    if (on && end > start && end - start + 1 === count) return select(() => ({ all: true }));
    const loaded = idsBetween(listing, start, end);
    const ids = loaded.length > end - start ? loaded : await readIds(start, end);
    // The API cannot leave domains out: all others are listed.
    const isSingledOut = selection.all && !isFixed;
    const every = isSingledOut ? await readIds(0, count - 1) : [];
    if (!ids || !every) return;
    select((now) =>
      toggleIds(isSingledOut ? toggleIds(EMPTY_SELECTION, every, true) : now, ids, on),
    );
  }
  useReturnToRow();
  const moveTo = useRowCursor({
    count,
    opened: opened === null ? null : findRow(listing, opened),
    reveal,
    onOpen: (row) => {
      const [domain] = rowsBetween(listing, row, row);
      if (domain) list.open(domain.name);
    },
    onToggle: (row, from) => {
      const [id = ""] = idsBetween(listing, row, row);
      void selectBetween(from, row, !isSelected(selection, id));
    },
  });
  const show = useStable(list.show);
  const open = useStable(list.open);
  const selectRow = useStable(
    (row: number, on: boolean, withRange: boolean) =>
      void selectBetween(moveTo(row, withRange), row, on),
  );
  // Rows get the same object while they scroll, so only new ones are rendered.
  const around = useMemo(
    () => ({ view, show, open, select: selectRow }),
    [view, show, open, selectRow],
  );

  const selected = selection.all ? count : selection.ids.size;
  const everything = count > 0 && selected >= count;
  const query = addressOf(view).replace("/domains", "");
  const today = localToday();
  return (
    <div
      ref={frame}
      className="domain-window"
      data-windowed=""
      style={{ paddingBlock: `${before}px ${after}px` }}
    >
      <table
        className={`domain-table ${cards ? "cards" : "rows"}`}
        aria-busy={!settled && !failure}
        aria-rowcount={count + 1}
      >
        <caption className="unseen">Domains</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="pick">
              <input
                type="checkbox"
                aria-label="Select all domains that match"
                checked={everything}
                ref={(box) => {
                  if (box) box.indeterminate = selected > 0 && !everything;
                }}
                onChange={({ target }) =>
                  select(() => (target.checked ? { all: true } : EMPTY_SELECTION))
                }
              />
            </th>
            <SortHeading field="name" className="domain-name" />
            <th scope="col" className="of-status">
              Status
            </th>
            {columns.map((column) => (
              <SortHeading
                key={column}
                field={column}
                className={`of-${isCustomName(column) ? "custom" : column}`}
                listing={listing}
              />
            ))}
            <th scope="col" className="actions">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <RowContext value={around}>
            {rows.map(({ domain, index }) => (
              <DomainRow
                key={domain?.id ?? index}
                domain={domain}
                index={index}
                columns={columns}
                settling={isSettling(view)}
                query={query}
                leadDays={leadDays}
                today={today}
                selected={domain !== undefined && isSelected(selection, domain.id)}
                fixed={isFixed}
                current={domain !== undefined && domain.name === opened}
                top={index === focused?.row ? focused.top : undefined}
              />
            ))}
          </RowContext>
        </tbody>
      </table>
      {last - first + 1 < count && (
        <p className="print-note">
          Rows {formatNumber(first + 1)} to {formatNumber(last + 1)} of {formatNumber(count)}. To
          print all of them, export the list as CSV.
        </p>
      )}
    </div>
  );
}

/** Whether a view is of conflicting dates. */
function isSettling({ filter }: View): boolean {
  return filter.expires?.includes("conflict") ?? false;
}

interface HeadingProps {
  field: Column | "name";
  className: string;
  listing?: Listing;
}

/** A heading, with a button that sorts or reverses if the list can be sorted by it. */
function SortHeading({ field, className, listing }: HeadingProps) {
  const { view, show } = useList();
  const label = columnLabel(field);
  const formats = usePreferences();
  const widest = useMemo(
    () => (listing && formats && field !== "name" ? widestText(field, listing) : ""),
    [field, listing, formats],
  );
  const [first] = view.sort;
  const sortField = field === "renewal" ? "price" : field;
  const active = first?.field === sortField;
  const descending = active && first.descending;
  const order = active ? (descending ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" className={className} aria-sort={order}>
      {parseSort(sortField) ? (
        <button
          type="button"
          className="sort"
          onClick={() => show(sorted(view, sortField, active && !descending))}
        >
          {label}
          <span aria-hidden="true">{active ? (descending ? "▼" : "▲") : ""}</span>
        </button>
      ) : (
        label
      )}
      {/* As wide as the widest cell of any row, so that the column stays as wide. */}
      <span className="widest" aria-hidden="true">
        {widest}
      </span>
    </th>
  );
}
