import { useEffect } from "react";
import type { Domain } from "../../../shared/contract.ts";
import { type Column, columnLabels } from "./columns.tsx";
import { DomainRow } from "./domain-row.tsx";
import { countKnown, countRows, idsBetween, type Listing } from "./listing.ts";
import { isSelected, NOTHING, select, type Selection } from "./selection.ts";
import "./domain-table.css";
import "./domain-cards.css";
import { SortHeading } from "./sort-heading.tsx";
import { useHeldRow } from "./use-held-row.ts";
import { useRowCursor } from "./use-row-cursor.ts";
import { useRowWindow } from "./use-row-window.ts";
import type { SortKey, View } from "../filter/view.ts";

interface Props {
  listing: Listing;
  columns: readonly Column[];
  view: View;
  /** Whether other rows are on their way. */
  busy: boolean;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onShow: (view: View) => void;
  /** Told which rows are looked at. */
  onLook: (first: number, last: number) => void;
  onEdit: (domain: Domain) => void;
  onDelete: (domain: Domain) => void;
}

/**
 * The names as a table of which only the rows in sight exist; on a narrow screen each becomes a
 * small card, still a table underneath. `aria-rowcount` and `aria-rowindex` tell of the others.
 */
export function DomainTable(props: Props) {
  const { listing, columns, view, busy, selection, onSelect, onShow, onLook } = props;
  const count = countRows(listing);
  const { frame, first, last, before, after, held, reveal } = useRowWindow(count);
  const shown = useHeldRow(listing, first, last, held?.row ?? null);

  // Every change of the list, or of what is seen of it, may leave rows to ask for.
  useEffect(() => onLook(first, last));

  const pickBetween = (from: number, to: number, on: boolean) => {
    const ids = idsBetween(listing, Math.min(from, to), Math.max(from, to));
    onSelect(select(selection, ids, on));
  };
  const visit = useRowCursor(count, reveal, (row, from) => {
    const [id = ""] = idsBetween(listing, row, row);
    pickBetween(from, row, !isSelected(selection, id));
  });

  function pickAll(on: boolean) {
    const known = countKnown(listing);
    if (!on) onSelect(NOTHING);
    else if (known < count) onSelect({ all: true });
    else onSelect(select(NOTHING, idsBetween(listing, 0, known), true));
  }

  const everything = selection.all || (selection.ids.size >= count && count > 0);
  const partly = !everything && !selection.all && selection.ids.size > 0;
  const head = (label: string, className: string, by?: SortKey) => (
    <SortHeading key={label} {...{ label, className, by, view, onShow }} />
  );
  return (
    <div
      ref={frame}
      className="domain-window"
      data-windowed=""
      style={{ paddingBlock: `${before}px ${after}px` }}
    >
      <table className="domain-table" aria-busy={busy} aria-rowcount={count + 1}>
        <caption className="unseen">Domain names</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="pick">
              <input
                type="checkbox"
                aria-label="Select every name that matches"
                checked={everything}
                ref={(box) => {
                  if (box) box.indeterminate = partly;
                }}
                onChange={({ target }) => pickAll(target.checked)}
              />
            </th>
            {head("Name", "domain-name", "name")}
            {columns.map(({ key, sort }) => head(columnLabels[key], `of-${key}`, sort))}
            <th scope="col" className="actions">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ domain, index }) => (
            <DomainRow
              key={domain?.id ?? index}
              domain={domain}
              index={index}
              columns={columns}
              selected={domain !== undefined && isSelected(selection, domain.id)}
              fixed={selection.all}
              top={index === held?.row ? held.top : undefined}
              onSelect={(row, on, range) => pickBetween(visit(row, range), row, on)}
              onEdit={props.onEdit}
              onDelete={props.onDelete}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
