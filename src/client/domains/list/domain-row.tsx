import { Link } from "wouter";
import type { Domain } from "../../../shared/contract.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, columnLabels } from "./columns.tsx";
import { findLookAlikes } from "../../ui/look-alike.ts";

interface Props {
  /** Undefined while it is on its way. */
  domain: Domain | undefined;
  /** Its place in the whole list, from 0. */
  index: number;
  columns: readonly Column[];
  selected: boolean;
  /** No single name can be taken out. */
  fixed: boolean;
  /** Far from the rows in sight, and there only because it has the focus: pixels from row 0. */
  top?: number | undefined;
  onSelect: (index: number, on: boolean, range: boolean) => void;
  onEdit: (domain: Domain) => void;
  onDelete: (domain: Domain) => void;
}

/** One name. What is not known says so: an empty cell would leave it open. */
export function DomainRow(props: Props) {
  const { domain, index, columns, selected, fixed, top, onSelect, onEdit, onDelete } = props;
  // Row 1 is that of the headings.
  const place = {
    "aria-rowindex": index + 2,
    id: `row-${index}`,
    style: top === undefined ? undefined : { insetBlockStart: top },
  };
  if (!domain) {
    return (
      <tr {...place} className="coming">
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
    <tr {...place} className={top !== undefined ? "held" : selected ? "selected" : undefined}>
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
        <Link href={`/domains/${name}`} title={unicode.length > 40 ? unicode : undefined}>
          {unicode}
        </Link>
        {name !== unicode && (
          <code>
            {findLookAlikes(unicode).length > 0 && (
              <b className="conflict">looks like another · </b>
            )}
            {name}
          </code>
        )}
      </th>
      {columns.map(({ key, cell }) => (
        <td key={key} className={`of-${key}`} data-label={columnLabels[key]}>
          {cell(domain)}
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
