import type { MouseEvent, ReactNode } from "react";
import { type Day, daysBetween } from "../../../shared/day.ts";
import { DECISION_LABELS, type Domain, type Expiry, type Renewal } from "../../../shared/domain.ts";
import { isLabelField } from "../../../shared/fields.ts";
import {
  customFieldOf,
  type CustomName,
  type FilterName,
  filterValueInWords,
  isCustomName,
} from "../../../shared/filter.ts";
import { labelTerm } from "../../../shared/filter-term.ts";
import { MANUAL, sourceInWords } from "../../../shared/source.ts";
import { foldLabel } from "../../../shared/text.ts";
import type { View } from "../../../shared/view.ts";
import { dueDay, isLapsed, reportedDates, WORK_DAYS, workOf } from "../../../shared/work.ts";
import { urlOf } from "../../base-path.ts";
import { useActionScreen } from "../../register/act-on-domains.tsx";
import { otherDatesInWords } from "../../register/expiry-words.ts";
import { hasRole } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { formatValue } from "../../register/format-value.ts";
import { formatDays, formatRenewal, formatRenewalParts, formatShortDay } from "../../ui/format.ts";
import type { Cell, ShownCell } from "./columns.ts";
import { addressOf } from "./view-address.ts";

/** What all rows share. It stays the same while they scroll, so that only new ones are rendered. */
export interface RowsAround {
  view: View;
  /** The query of the view, for the way back from a domain's page. */
  query: string;
  today: Day;
  cells: readonly ShownCell[];
  /** Every match is selected: no row can be deselected. */
  isFixed: boolean;
  show: (view: View) => void;
  open: (name: string) => void;
  /** Selects or deselects a row, or all rows since the last one selected. */
  select: (index: number, on: boolean, range: boolean) => void;
}

/** A value that leads to all domains of the view that share it. */
function linkTo(name: FilterName, value: string, { view, show }: RowsAround, className?: string) {
  const narrowed = { ...view, filter: { ...view.filter, [name]: [labelTerm(value)] } };
  return (
    <a
      key={value}
      className={className}
      href={urlOf(addressOf(narrowed))}
      onClick={(event) => onPlainClick(event, () => show(narrowed))}
    >
      {value}
    </a>
  );
}

/**
 * Follows a link by `act`, unless the browser opens it elsewhere. The router's link is too slow in
 * rows.
 */
export function onPlainClick(event: MouseEvent<HTMLAnchorElement>, act: () => void): void {
  const { button, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  act();
}

/** A dash to see and a word to hear, for what is unknown, none or undecided. */
const none = (words: string): ReactNode => <span className="none">{words}</span>;

export function renderCell(cell: Cell, domain: Domain, around: RowsAround): ReactNode {
  const { today } = around;
  if (isCustomName(cell)) return customText(cell, domain, around);
  switch (cell) {
    case "state":
      return stateOf(domain, today);
    case "expires":
      return dueDate(domain.expires, today);
    case "days": {
      const due = dueDay(domain);
      return due === null ? none("No date") : formatDays(daysBetween(today, due));
    }
    case "otherDate":
      return domain.expires?.conflict && <OtherDate domain={domain} expires={domain.expires} />;
    case "renewal":
      return yearlyPrice(domain);
    case "tags":
      return domain.tags.map((tag) => linkTo("tag", tag, around, "tag"));
    case "autoRenew":
      return domain.autoRenew === null ? none("Unknown") : domain.autoRenew ? "On" : "Off";
    case "decision":
      return domain.decision
        ? filterValueInWords("decision", domain.decision)
        : none(DECISION_LABELS["-"]);
    case "status":
      if (domain.statusMeaning !== null) return filterValueInWords("status", domain.statusMeaning);
      return domain.status ?? none("Unknown");
    case "person":
      return domain.person?.name ?? none("Unassigned");
    case "nameservers":
      return domain.nameservers.join(", ");
    default:
      if (isLabelField(cell)) {
        const label = domain[cell];
        return label ? linkTo(cell, label, around) : none("Unknown");
      }
      return domain[cell] === null ? none("Unknown") : formatValue(domain[cell], "medium");
  }
}

/** A custom field's text, which links to the domains that share it unless it is long. */
function customText(column: CustomName, domain: Domain, around: RowsAround): ReactNode {
  const key = foldLabel(customFieldOf(column));
  const text = Object.entries(domain.custom).find(([name]) => foldLabel(name) === key)?.[1];
  if (text === undefined) return none("None");
  return /^.{1,200}$/.test(text) ? linkTo(column, text, around) : text;
}

/** The most important fact that the date does not show. */
function stateOf(domain: Domain, today: Day): ReactNode {
  const { alert, severity, decision, archivedOn } = domain;
  const isSettled = decision === "drop";
  const settled = isLapsed(domain, today) ? "Lapsed" : isSettled ? "To drop" : alert;
  const words = archivedOn === null ? settled : "Archived";
  if (words === null) return null;
  return (
    <span className="pill" data-tone={!isSettled && severity === "critical" ? "danger" : undefined}>
      {words}
    </span>
  );
}

const [SOON, WEEK] = WORK_DAYS.week;

/** How the days of a row stand out: those of what waits for a person, as on home. */
export function urgencyOf(domain: Domain, today: Day): string | undefined {
  const { decision, soldOn, soldPrice, archivedOn } = domain;
  const due = dueDay(domain);
  if (decision === "drop" || (soldOn ?? soldPrice ?? archivedOn) !== null) return "settled";
  const days = due === null ? Infinity : daysBetween(today, due);
  if (days < 0) return "past";
  if (days > 60) return "far";
  if (days >= WEEK || workOf(domain, { today, leadDays: WEEK }) === null) return undefined;
  return days < SOON ? "now" : "soon";
}

/** The day to act by, with a mark for those that other sources report. */
function dueDate(expires: Expiry | null, today: Day): ReactNode {
  if (expires === null) return none("No date");
  const [due = expires, ...others] = reportedDates(expires);
  const words = others.length > 0 ? otherDatesInWords(expires) : "";
  return (
    <>
      <time dateTime={due.date}>{formatShortDay(due.date, today)}</time>
      {words && (
        <span className="mark" title={words}>
          +{others.length}
          <span className="unseen">, {words}</span>
        </span>
      )}
    </>
  );
}

/** The next date of a conflict and who reports it; a button settles for it. */
function OtherDate({ domain, expires }: { domain: Domain; expires: Expiry }) {
  const { change } = useActionScreen();
  const [, other] = reportedDates(expires);
  if (!other) return null;
  const { date, source } = other;
  const day = formatShortDay(date);
  return (
    <>
      {day} <span className="note">{source === MANUAL ? "by hand" : sourceInWords(source)}</span>
      {hasRole("editor") && (
        <Button
          className="button quiet small use"
          onClick={() => change(domain, { expires: date })}
        >
          Use
          <span className="unseen">
            {" "}
            {day} for {domain.unicode}
          </span>
        </Button>
      )}
    </>
  );
}

function yearlyPrice({ renewal, listPrice }: Domain): ReactNode {
  const price = renewal ?? listPrice;
  if (price === null) return none("No price");
  const amount = yearlyAmount(price);
  const notes = [formatRenewal(price), renewal === null && "list price"].filter(Boolean);
  return notes.join() === amount ? amount : <span title={notes.join(", ")}>{amount}</span>;
}

export function yearlyAmount(price: Renewal): string {
  const yearly = { ...price, minor: yearlyMinor(price), years: null };
  return formatRenewalParts(yearly).amount;
}

export const yearlyMinor = (price: Renewal | undefined) =>
  price ? Math.round(price.minor / (price.years ?? 1)) : 0;
