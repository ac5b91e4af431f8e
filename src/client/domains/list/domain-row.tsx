import { memo } from "react";
import { Link } from "wouter";
import { DECISIONS, type Decision, type Domain } from "../../../shared/domain.ts";
import type { Day } from "../../../shared/day.ts";
import { filterValueInWords } from "../../../shared/filter.ts";
import { statusOf } from "../../../shared/work.ts";
import { canPutOff, handledInWords } from "../../register/handled.ts";
import { AsciiName } from "../../ui/ascii-name.tsx";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { SeverityPill } from "../../register/finding-list.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Cut, type Narrowing, onPlainClick, renderCell } from "./columns.tsx";
import { ConflictCell } from "./conflict-cell.tsx";

/** What can be done with a row. The functions stay the same between renders. */
export interface RowActions extends Narrowing {
  onSelect: (index: number, on: boolean, range: boolean) => void;
  /** Shows the domain beside the list, or its page where there is no room. */
  onOpen: (name: string) => void;
  onEdit: (domain: Domain) => void;
  onDelete: (domain: Domain) => void;
  onHandle: (domain: Domain) => void;
  onDecide: (domain: Domain, decision: Decision | null) => void;
  onSettle: (domain: Domain, day: string) => void;
}

interface Props extends RowActions {
  /** Undefined while it is loading. */
  domain: Domain | undefined;
  /** Position in the whole list, from 0. */
  index: number;
  columns: readonly Column[];
  /** The list is of conflicts: the row offers the dates to choose from. */
  settling: boolean;
  /** The view as the query of an address: the domain's page leads back to it. */
  query: string;
  leadDays: number;
  today: Day;
  selected: boolean;
  /** Every match is selected, so that this row cannot be deselected. */
  fixed: boolean;
  /** Its panel is open. */
  current: boolean;
  /** Pixels below row 0, for a row outside the window that is rendered because it has the focus. */
  top: number | undefined;
}

/** The row of one domain. Unknown values are named, because an empty cell would be ambiguous. */
export const DomainRow = memo(function DomainRow(props: Props) {
  const {
    domain,
    index,
    columns,
    settling,
    query,
    leadDays,
    today,
    selected,
    fixed,
    current,
    top,
  } = props;
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
        <td colSpan={columns.length + 2}>…</td>
      </tr>
    );
  }
  const { id, name, unicode, severity } = domain;
  const handled = handledInWords(domain.handled);
  const state = [top !== undefined && "focused", selected && "selected", current && "current"];
  return (
    <tr {...row} className={state.filter(Boolean).join(" ") || undefined}>
      <td className="pick">
        <input
          type="checkbox"
          aria-label={`Select ${unicode}`}
          checked={selected}
          disabled={fixed}
          onChange={({ target, nativeEvent }) =>
            props.onSelect(
              index,
              target.checked,
              "shiftKey" in nativeEvent && !!nativeEvent.shiftKey,
            )
          }
        />
      </td>
      <th scope="row" className="domain-name">
        <Cut>
          <a
            id={`domain-${id}`}
            data-domain={name}
            className="row-link"
            href={`/domains/${name}${query}`}
            aria-current={current || undefined}
            onClick={(event) => onPlainClick(event, () => props.onOpen(name))}
          >
            {unicode}
          </a>
        </Cut>
        <AsciiName name={name} unicode={unicode} />
      </th>
      <td className="row-status">
        <StatusPill status={statusOf(domain, { today, leadDays })} />
        {handled && <small title={handled}>{handled.split(" ")[0]}</small>}
        {severity && severity !== "low" && <SeverityPill severity={severity} />}
      </td>
      {columns.map((column) => (
        <td key={column} className={`of-${column}`}>
          {settling && column === "expires" && domain.expires?.conflict ? (
            <ConflictCell domain={domain} expires={domain.expires} onSettle={props.onSettle} />
          ) : (
            renderCell(column, domain, columns, props)
          )}
        </td>
      ))}
      <td className="actions">
        <RowMenu {...props} domain={domain} />
      </td>
    </tr>
  );
});

function RowMenu({
  domain,
  query,
  onEdit,
  onHandle,
  onDelete,
  onDecide,
}: Props & { domain: Domain }) {
  const { name, unicode, decision } = domain;
  return (
    <Dropdown label="⋯" name={`Actions for ${unicode}`}>
      <div className="row-menu">
        <Button look="quiet" onClick={() => onEdit(domain)}>
          Edit
        </Button>
        <Link className="button quiet" href={`/domains/${name}${query}`}>
          Open the page
        </Link>
        {canPutOff(domain) && (
          <Button look="quiet" onClick={() => onHandle(domain)}>
            Remind me later…
          </Button>
        )}
        <hr />
        {[...DECISIONS, null].map((each) => (
          <Button
            key={each}
            look="quiet"
            aria-pressed={decision === each}
            onClick={() => onDecide(domain, each)}
          >
            {filterValueInWords("decision", each ?? "-")}
          </Button>
        ))}
        <hr />
        <Button look="quiet" onClick={() => onDelete(domain)}>
          Delete
        </Button>
      </div>
    </Dropdown>
  );
}
