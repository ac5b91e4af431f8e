import { memo, type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Domain } from "../../../shared/domain.ts";
import { urlOf } from "../../base-path.ts";
import { ActionItems } from "../form/action-items.tsx";
import { ChangedMark } from "../../register/changed-by.tsx";
import { actionsFor } from "../../register/domain-actions.ts";
import { hasRole } from "../../session/session-store.ts";
import { LookAlikeNote } from "../../ui/ascii-name.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { usePreferences } from "../../ui/preferences.ts";
import { onPlainClick, renderCell, type RowsAround, urgencyOf } from "./cells.tsx";

interface Props {
  domain: Domain | undefined;
  /** Position in the whole list, from 0. */
  index: number;
  around: RowsAround;
  selected: boolean;
  current: boolean;
  /** Pixels below row 0, for a focused row outside the window. */
  top: number | undefined;
}

export const DomainRow = memo(function DomainRow({
  domain,
  index,
  around,
  selected,
  current,
  top,
}: Props) {
  usePreferences();
  const row = {
    // The headings are row 1.
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
        <td colSpan={around.cells.length + 1}>…</td>
      </tr>
    );
  }
  const { id, name, unicode, expires, decision, alert, archivedOn } = domain;
  const hasState = decision === "drop" || (alert ?? archivedOn) !== null;
  // On a narrow card they take the room of others.
  const notes = [hasState && "state", expires?.conflict && "dates"];
  const state = [top !== undefined && "focused", selected && "selected", current && "current"];
  return (
    <tr
      {...row}
      className={state.filter(Boolean).join(" ") || undefined}
      data-due={urgencyOf(domain, around.today)}
      data-notes={notes.filter(Boolean).join(" ") || undefined}
    >
      <td className="pick">
        <input
          type="checkbox"
          aria-label={`Select ${unicode}`}
          checked={selected}
          disabled={around.isFixed}
          onChange={({ target, nativeEvent }) =>
            around.select(
              index,
              target.checked,
              "shiftKey" in nativeEvent && !!nativeEvent.shiftKey,
            )
          }
        />
      </td>
      <th scope="row" className="domain-name" title={name === unicode ? undefined : name}>
        <a
          id={`domain-${id}`}
          data-domain={name}
          className="row-link"
          href={urlOf(`/domains/${name}${around.query}`)}
          aria-current={current || undefined}
          onClick={(event) => onPlainClick(event, () => around.open(name))}
        >
          {breakable(unicode)}
          <ChangedMark domain={domain} />
        </a>
        {name !== unicode && <LookAlikeNote unicode={unicode} />}
      </th>
      {around.cells.map(({ cell, className }) => (
        <td key={cell} className={className}>
          {renderCell(cell, domain, around)}
        </td>
      ))}
      <td className="actions">
        <Dropdown label="⋯" name={`Actions for ${unicode}`}>
          <RowMenu domain={domain} query={around.query} />
        </Dropdown>
      </td>
    </tr>
  );
});

/** Letters of a name for which every card has room. */
const SHORT_NAME = 24;

/** On a card that is too narrow for it, a name goes on after its first dot. */
function breakable(name: string): ReactNode {
  if (name.length <= SHORT_NAME) return name;
  const end = name.indexOf(".") + 1;
  return (
    <>
      {name.slice(0, end)}
      <wbr />
      {name.slice(end)}
    </>
  );
}

/** Rendered when it is opened, for the version of the domain at that time. */
function RowMenu({ domain: shown, query }: { domain: Domain; query: string }) {
  const [domain] = useState(shown);
  const groups = Map.groupBy(actionsFor(domain), ({ group }) => group);
  return (
    <div className="menu">
      <ActionItems domain={domain} actions={groups.get("edit")} />
      <Link className="button quiet" href={`/domains/${domain.name}${query}`}>
        Open the page
      </Link>
      {hasRole("editor") && <hr />}
      <ActionItems domain={domain} actions={groups.get("decision")} />
      {hasRole("editor") && <hr />}
      <ActionItems domain={domain} actions={groups.get("delete")} />
    </div>
  );
}
