import { Link } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { FIELDS } from "../../../shared/fields.ts";
import { AsciiName } from "../../ui/ascii-name.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, renderCell } from "./columns.tsx";

/** Characters from which a name needs a tooltip, because the column cuts it off. */
const MAX_NAME_LENGTH = 40;

interface Props {
  /** Undefined while it is loading. */
  domain: Domain | undefined;
  /** Position in the whole list, from 0. */
  index: number;
  columns: readonly Column[];
  selected: boolean;
  /** Every match is selected, so that this row cannot be deselected. */
  fixed: boolean;
  /** Pixels below row 0, for a row outside the window that is rendered because it has the focus. */
  top?: number | undefined;
  onSelect: (index: number, on: boolean, range: boolean) => void;
  onEdit: (domain: Domain) => void;
  onDelete: (domain: Domain) => void;
}

/** The row of one domain. Unknown values are named, because an empty cell would be ambiguous. */
export function DomainRow(props: Props) {
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
          {renderCell(column, domain, columns)}
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
