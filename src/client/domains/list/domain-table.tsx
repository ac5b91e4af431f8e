import { useEffect, useMemo } from "react";
import type { Renewal } from "../../../shared/domain.ts";
import { parseSort } from "../../../shared/view.ts";
import { formatDay, formatDays, formatNumber, localToday } from "../../ui/format.ts";
import { usePreferences } from "../../ui/preferences.ts";
import { useStable } from "../../ui/store.ts";
import { yearlyAmount, yearlyMinor } from "./cells.tsx";
import { type Cell, cellsOf, inSight, type ShownCell } from "./columns.ts";
import { DomainRow } from "./domain-row.tsx";
import { domainAt, findRow, idsBetween, type Listing } from "../listing.ts";
import { useList } from "./list-context.ts";
import { useReturnToRow } from "./panel.tsx";
import { EMPTY_SELECTION, toggleIds } from "./selection.ts";
import { useRowCursor } from "./use-row-cursor.ts";
import { useRowWindow, useWindowRows } from "./use-row-window.ts";
import { queryOf, sorted } from "./view-address.ts";
import "./table.css";

/** With more domains selected, single ones cannot be left out. */
const MAX_SINGLED_OUT = 1000;

/** Names of more letters may take three lines of a card. */
const LONG_NAME = 48;

/**
 * A table that renders only the visible rows. Where the list is narrow, CSS leaves columns out and at
 * last makes each row a card: by what the widest texts of those that stay leave over.
 * `aria-rowcount` and `aria-rowindex` tell assistive technology about the other rows.
 */
export function DomainTable({ listing }: { listing: Listing }) {
  const list = useList();
  const { view, columns, selection, opened, select, readIds, show, open } = list;
  const formats = usePreferences();
  const count = listing.total;
  const { frame, before, after, reveal, ...range } = useRowWindow(count);
  const isFixed = selection === null && count > MAX_SINGLED_OUT;
  const { first, last, focused } = range;
  const rows = useWindowRows(listing, range);

  // After every render: a changed list may evict visible rows as well.
  useEffect(() => list.setVisible(first, last));

  async function selectBetween(from: number, to: number, on: boolean) {
    const [start, end] = [Math.min(from, to), Math.max(from, to)];
    if (on && end > start && end - start + 1 === count) return select(() => null);
    const loaded = idsBetween(listing, start, end);
    const ids = loaded.length > end - start ? loaded : await readIds(start, end);
    // The API cannot leave domains out: all others are listed.
    const isSingledOut = selection === null && !isFixed;
    const every = isSingledOut ? await readIds(0, count - 1) : [];
    if (!ids || !every) return;
    select((now) => toggleIds(isSingledOut ? new Set(every) : now, ids, on));
  }
  useReturnToRow();
  const moveTo = useRowCursor({
    count,
    opened: opened === null ? null : findRow(listing, opened),
    reveal,
    onOpen: (row) => {
      const domain = domainAt(listing, row);
      if (domain) open(domain.name);
    },
    onToggle: (row, from) => {
      const [id = ""] = idsBetween(listing, row, row);
      void selectBetween(from, row, selection !== null && !selection.has(id));
    },
  });
  const selectRow = useStable(
    (row: number, on: boolean, withRange: boolean) =>
      void selectBetween(moveTo(row, withRange), row, on),
  );
  const isSettling = view.filter.expires?.includes("conflict") ?? false;
  const cells = useMemo(() => cellsOf(inSight(columns), isSettling), [columns, isSettling]);
  const widest = useMemo(() => formats && widestTexts(listing), [listing, formats]);
  const selected = selection?.size ?? count;
  const everything = count > 0 && selected >= count;
  const today = localToday();
  const around = useMemo(
    () => ({ view, query: queryOf(view), today, cells, isFixed, show, open, select: selectRow }),
    [view, today, cells, isFixed, show, open, selectRow],
  );
  return (
    <div className="domain-room">
      <div className="widest" aria-hidden="true">
        <b>{widest.name}</b>
        {cells.map(
          ({ cell, className }) =>
            widest[cell] && (
              <span key={cell} className={className}>
                {widest[cell]}
              </span>
            ),
        )}
      </div>
      <div ref={frame} className="domain-window" data-windowed="">
        <div style={{ blockSize: before }} />
        <table
          className="domain-table"
          data-names={widest.name.length > LONG_NAME ? "long" : undefined}
          aria-busy={!list.settled && !list.failure}
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
                  onChange={({ target }) => select(() => (target.checked ? null : EMPTY_SELECTION))}
                />
              </th>
              <Heading field="name" heading="Domain" className="domain-name" widest={widest.name} />
              {cells.map((each) => (
                <Heading key={each.cell} field={each.cell} {...each} widest={widest[each.cell]} />
              ))}
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
                around={around}
                selected={domain !== undefined && (selection?.has(domain.id) ?? true)}
                current={domain !== undefined && domain.name === opened}
                top={index === focused?.row ? focused.top : undefined}
              />
            ))}
          </tbody>
        </table>
        <div style={{ blockSize: after }} />
        {last - first + 1 < count && (
          <p className="print-note">
            Rows {formatNumber(first + 1)} to {formatNumber(last + 1)} of {formatNumber(count)}. To
            print all of them, export the list as CSV.
          </p>
        )}
      </div>
    </div>
  );
}

interface HeadingProps extends Omit<ShownCell, "cell"> {
  field: string;
  /** The column stays as wide as this while rows come and go. */
  widest: string | undefined;
}

/** A heading, with a button that sorts or reverses if the list can be sorted by it. */
function Heading({ field, heading, className, widest }: HeadingProps) {
  const { view, show } = useList();
  const [first] = view.sort;
  const sortField = field === "renewal" ? "price" : field;
  const active = first?.field === sortField;
  const descending = active && first.descending;
  const order = active ? (descending ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" className={className} aria-sort={order} data-widest={widest}>
      {parseSort(sortField) ? (
        <button
          type="button"
          className="sort"
          onClick={() => show(sorted(view, sortField, active && !descending))}
        >
          {heading}
          {active && <span aria-hidden="true">{descending ? "\u00a0▾" : "\u00a0▴"}</span>}
        </button>
      ) : (
        heading
      )}
    </th>
  );
}

/** How wide a name is, in letters of ASCII; those of East Asia are nearly twice as wide. */
function widthOf(name: string): number {
  return [...name].reduce((sum, letter) => sum + (letter < "\u2e80" ? 1 : 1.8), 0);
}

/** The widest texts of the columns that stay, which set their widths while rows come and go. */
function widestTexts({ rows }: Listing): { name: string } & { readonly [C in Cell]?: string } {
  const widest = (texts: string[]) =>
    texts.reduce((most, text) => (text.length > most.length ? text : most), "");
  const greatest = new Map<string | null, Renewal>();
  let [name, width] = ["", 0];
  for (const { unicode, price } of rows.values()) {
    if (unicode.length * 1.8 > width && widthOf(unicode) > width)
      [name, width] = [unicode, widthOf(unicode)];
    if (price && yearlyMinor(price) >= yearlyMinor(greatest.get(price.currency)))
      greatest.set(price.currency, price);
  }
  // All months: their names differ in length.
  const months = Array.from({ length: 12 }, (_, month) =>
    formatDay(`2028-${String(month + 1).padStart(2, "0")}-28`, "medium"),
  );
  return {
    name,
    expires: widest(months),
    days: formatDays(-300),
    renewal: widest([...greatest.values()].map(yearlyAmount)),
  };
}
