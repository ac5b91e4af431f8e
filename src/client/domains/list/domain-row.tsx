import { memo, use, useState } from "react";
import { Link } from "wouter";
import type { Day } from "../../../shared/day.ts";
import type { Domain, Expiry } from "../../../shared/domain.ts";
import { isCustomName } from "../../../shared/filter.ts";
import { MANUAL, sourceInWords } from "../../../shared/source.ts";
import { reportedDates, statusOf } from "../../../shared/work.ts";
import { urlOf } from "../../base-path.ts";
import { ActionButton, useActionScreen } from "../../register/act-on-domains.tsx";
import { actionsFor, type DomainAction } from "../../register/domain-actions.ts";
import { handledInWords } from "../../register/expiry-words.ts";
import { hasRole } from "../../session/session-store.ts";
import { AsciiName } from "../../ui/ascii-name.tsx";
import { Button } from "../../ui/button.tsx";
import { Dropdown } from "../../ui/dropdown.tsx";
import { formatDay } from "../../ui/format.ts";
import { usePreferences } from "../../ui/store.ts";
import { StatusPill } from "../../ui/expiry-date.tsx";
import { type Column, Cut, RowContext, onPlainClick, renderCell } from "./columns.tsx";

interface Props {
  domain: Domain | undefined;
  /** Position in the whole list, from 0. */
  index: number;
  columns: readonly Column[];
  /** The list is of conflicts: the row offers the dates. */
  settling: boolean;
  /** The query of the view, for the way back from the domain's page. */
  query: string;
  leadDays: number;
  today: Day;
  selected: boolean;
  /** Every match is selected: this row cannot be deselected. */
  fixed: boolean;
  current: boolean;
  /** Pixels below row 0, for a focused row outside the window. */
  top: number | undefined;
}

/** The row of one domain. Unknown values are named, because an empty cell would be ambiguous. */
export const DomainRow = memo(function DomainRow({
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
}: Props) {
  const list = use(RowContext);
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
        <td colSpan={columns.length + 2}>…</td>
      </tr>
    );
  }
  const { id, name, unicode, expires, severity, alert } = domain;
  const status = statusOf(domain, { today, leadDays });
  const dates = expires ? reportedDates(expires).length : 0;
  const isSettled = status.kind === "drop" || status.kind === "lapsed";
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
            list?.select(index, target.checked, "shiftKey" in nativeEvent && !!nativeEvent.shiftKey)
          }
        />
      </td>
      <th scope="row" className="domain-name">
        <Cut>
          <a
            id={`domain-${id}`}
            data-domain={name}
            className="row-link"
            href={urlOf(`/domains/${name}${query}`)}
            aria-current={current || undefined}
            onClick={(event) => onPlainClick(event, () => list?.open(name))}
          >
            {unicode}
          </a>
        </Cut>
        <AsciiName name={name} unicode={unicode} />
      </th>
      <td className="row-status">
        <StatusPill status={status} dates={dates} />{" "}
        {status.kind === "expired" && dates > 1 && (
          <StatusPill status={{ kind: "conflict", days: 0 }} dates={dates} />
        )}
        {handled && <small title={handled}>{handled.split(" ")[0]}</small>}
        {!isSettled && alert && <span className={`severity ${severity}`}>{alert}</span>}
      </td>
      {columns.map((column) => (
        <td key={column} className={`of-${isCustomName(column) ? "custom" : column}`}>
          {settling && hasRole("editor") && column === "expires" && domain.expires?.conflict ? (
            <ConflictCell domain={domain} expires={domain.expires} />
          ) : (
            renderCell(column, domain, columns)
          )}
        </td>
      ))}
      <td className="actions">
        <Dropdown label="⋯" name={`Actions for ${unicode}`}>
          <RowMenu domain={domain} query={query} />
        </Dropdown>
      </td>
    </tr>
  );
});

/** Rendered when it is opened, for the version of the domain at that time. */
function RowMenu({ domain: shown, query }: { domain: Domain; query: string }) {
  const [domain] = useState(shown);
  const items = (wanted: DomainAction["group"]) =>
    actionsFor(domain)
      .filter(({ group }) => group === wanted)
      .map((action) => (
        <ActionButton
          key={action.id}
          action={action}
          domain={domain}
          look="quiet"
          aria-pressed={action.isChosen?.(domain)}
        />
      ));
  return (
    <div className="row-menu">
      {items("edit")}
      <Link className="button quiet" href={`/domains/${domain.name}${query}`}>
        Open the page
      </Link>
      {hasRole("editor") && <hr />}
      {items("decision")}
      {hasRole("editor") && <hr />}
      {items("delete")}
    </div>
  );
}

/** Dates that fit into a row; the domain's page shows all. */
const MAX_DATES = 2;

/** The conflicting dates of a domain, each with a button that settles for it. */
function ConflictCell({ domain, expires }: { domain: Domain; expires: Expiry }) {
  const { change } = useActionScreen();
  const isUsed = ({ date }: { date: Day }) => date === expires.date;
  const dates = reportedDates(expires).toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a)));
  return (
    <span className="conflict-dates">
      {dates.slice(0, MAX_DATES).map(({ date, source }) => {
        const isInUse = date === expires.date;
        return (
          <Button
            key={date}
            look={isInUse ? "quiet" : "plain"}
            onClick={() => change(domain, { expires: date })}
          >
            <span className="unseen">{isInUse ? "Keep " : "Use "}</span>
            {formatDay(date, "medium")}
            <small>
              {isInUse && <span aria-hidden="true">✓ </span>}
              {source === MANUAL ? "you" : sourceInWords(source)}
            </small>
            <span className="unseen">
              {isInUse && ", in use,"} for {domain.unicode}
            </span>
          </Button>
        );
      })}
    </span>
  );
}
