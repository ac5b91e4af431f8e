import { createContext, type MouseEvent, type ReactNode, use } from "react";
import type { Domain, Expiry, Renewal } from "../../../shared/domain.ts";
import {
  type Field,
  FIELD_NAMES,
  FIELDS,
  isLabelField,
  type LabelField,
} from "../../../shared/fields.ts";
import {
  customFieldOf,
  type CustomName,
  type FilterName,
  filterValueInWords,
  formatTerm,
  isCustomName,
} from "../../../shared/filter.ts";
import { foldLabel } from "../../../shared/text.ts";
import {
  DEFAULT_SORT,
  formatView,
  parseSort,
  type View,
  withoutLapsed,
} from "../../../shared/view.ts";
import { reportedDates } from "../../../shared/work.ts";
import { urlOf } from "../../base-path.ts";
import { otherDatesInWords } from "../../register/expiry-words.ts";
import { listPath } from "../../screens.ts";
import { ExpiryDate } from "../../ui/expiry-date.tsx";
import { formatDay, formatRenewalParts, formatValue, localToday } from "../../ui/format.ts";
import { tryStorage } from "../../ui/preferences.ts";
import type { Listing } from "../listing.ts";

/** The name is always shown, the others never. */
const NO_COLUMNS = ["name", "notes", "custom", "doneFor", "handled"] as const;

type FieldColumn = Exclude<Field, (typeof NO_COLUMNS)[number]>;

export type Column = FieldColumn | CustomName;

/** The columns of every register, in the order shown. */
export const COLUMNS = FIELD_NAMES.filter(
  (field): field is FieldColumn => !NO_COLUMNS.some((each) => each === field),
);

export function columnLabel(column: Column | "name"): string {
  return isCustomName(column) ? customFieldOf(column) : FIELDS[column].label;
}

/** The default columns, the most important first: the last give way. */
export const DEFAULT_COLUMNS: readonly Column[] = [
  "expires",
  "renewal",
  "registrar",
  "autoRenew",
  "decision",
  "tags",
  "account",
  "owner",
];

/** Key in local storage; column names are percent-encoded and separated by commas. */
const STORAGE_KEY = "columns";

export function readColumns(): readonly Column[] {
  const stored = tryStorage(() =>
    localStorage
      .getItem(STORAGE_KEY)
      ?.split(",")
      .map((each) => decodeURIComponent(each)),
  );
  const custom = stored?.filter(isCustomName) ?? [];
  return [...COLUMNS.filter((column) => (stored ?? DEFAULT_COLUMNS).includes(column)), ...custom];
}

export function storeColumns(columns: readonly Column[]): void {
  tryStorage(() => localStorage.setItem(STORAGE_KEY, columns.map(encodeURIComponent).join(",")));
}

const unknown = <span className="unknown">Unknown</span>;

/**
 * Cuts its content off after one line; hover or focus shows it whole. A single child is cut itself.
 */
export function Cut({ children }: { children: ReactNode }) {
  const isElement = typeof children === "object" && !Array.isArray(children);
  return <span className="cut">{isElement ? children : <span>{children}</span>}</span>;
}

/** What rows may do to the list. The functions stay the same between renders. */
interface RowsAround {
  view: View;
  show: (view: View) => void;
  open: (name: string) => void;
  /** Selects or deselects a row, or all rows since the last one selected. */
  select: (index: number, on: boolean, range: boolean) => void;
}

export const RowContext = createContext<RowsAround | null>(null);

export function addressOf(view: View): string {
  return listPath(formatView(view));
}

/** Where a view is downloaded as CSV. */
export function exportUrl(view: View): string {
  return urlOf(`/api/domains.csv?${formatView(withoutLapsed(view))}&today=${localToday()}`);
}

/** A view sorted by a field. */
export function sorted(view: View, field: string, descending: boolean): View {
  return { ...view, sort: parseSort(descending ? `-${field}` : field) ?? DEFAULT_SORT };
}

interface ValueProps {
  name: FilterName;
  value: string;
  className?: string;
}

function ValueLink({ name, value, className }: ValueProps) {
  const list = use(RowContext);
  if (!list) return value;
  const { view, show } = list;
  const term = formatTerm({ not: false, match: "is", text: value });
  const narrowed = { ...view, filter: { ...view.filter, [name]: [term] } };
  return (
    <a
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

/** The content of a cell. Account and owner without a column go below the registrar. */
export function renderCell(column: Column, domain: Domain, columns: readonly Column[]): ReactNode {
  if (isCustomName(column)) return <CustomCell column={column} domain={domain} />;
  const label = (field: LabelField) =>
    domain[field] && <ValueLink name={field} value={domain[field]} />;
  switch (column) {
    case "registrar": {
      const [account, owner] = (["account", "owner"] as const).map(
        (field) => !columns.includes(field) && label(field),
      );
      return (
        <>
          <Cut>{label("registrar") ?? unknown}</Cut>
          {(account || owner) && (
            <small className="cut">
              <span>
                {account}
                {account && owner && " · "}
                {owner}
              </span>
            </small>
          )}
        </>
      );
    }
    case "tags":
      return (
        domain.tags.length > 0 && (
          <Cut>
            {domain.tags.map((tag) => (
              <ValueLink key={tag} name="tag" value={tag} className="tag" />
            ))}
          </Cut>
        )
      );
    case "expires":
      return <DueDate expires={domain.expires} />;
    case "autoRenew":
      if (domain.autoRenew === null) return unknown;
      return domain.autoRenew ? "On" : "Off";
    case "renewal":
      return <RenewalCell {...domain} />;
    case "decision":
      return domain.decision ? (
        filterValueInWords("decision", domain.decision)
      ) : (
        <span className="unknown">Undecided</span>
      );
    case "status":
      if (domain.statusMeaning !== null) return filterValueInWords("status", domain.statusMeaning);
      return domain.status ? <Cut>{domain.status}</Cut> : unknown;
    case "person":
      return domain.person ? <Cut>{domain.person.name}</Cut> : unknown;
    case "nameservers":
      return <Cut>{domain.nameservers.join(", ")}</Cut>;
    default:
      if (isLabelField(column)) return <Cut>{label(column) ?? unknown}</Cut>;
      // Days, money and flags are never cut off.
      return domain[column] === null ? unknown : formatValue(domain[column], "medium");
  }
}

/** A custom field's text, which links to the domains that share it unless it is long. */
function CustomCell({ column, domain }: { column: CustomName; domain: Domain }) {
  const key = foldLabel(customFieldOf(column));
  const text = Object.entries(domain.custom).find(([name]) => foldLabel(name) === key)?.[1];
  if (text === undefined) return null;
  return <Cut>{/^.{1,200}$/.test(text) ? <ValueLink name={column} value={text} /> : text}</Cut>;
}

function RenewalCell({ renewal, listPrice }: Domain) {
  const price = renewal ?? listPrice;
  if (price === null) return <span className="unknown">No price</span>;
  const { amount, period, missing } = formatRenewalParts(price);
  return (
    <>
      {amount}
      {period && <small>{period}</small>}
      {missing && <small>{missing}</small>}
      {renewal === null && <small>list price</small>}
    </>
  );
}

/** The widest text of a column of dates or money, which sets its width; empty for others. */
export function widestText(column: Column, { rows }: Listing): string {
  const texts: string[] = [];
  if (column === "expires") {
    // All months: their names differ in length.
    for (let month = 1; month <= 12; month += 1) {
      texts.push(formatDay(`2028-${String(month).padStart(2, "0")}-28`, "medium"));
    }
  }
  if (column === "renewal") {
    const greatest = new Map<string | null, Renewal>();
    for (const { renewal } of rows.values()) {
      if (!renewal) continue;
      const { minor, currency } = renewal;
      if (minor >= (greatest.get(currency)?.minor ?? 0)) greatest.set(currency, renewal);
    }
    for (const renewal of greatest.values()) texts.push(formatRenewalParts(renewal).amount);
  }
  return texts.reduce((widest, text) => (text.length > widest.length ? text : widest), "");
}

/** The day to act by; in a conflict also who reports another. */
function DueDate({ expires }: { expires: Expiry | null }) {
  if (expires === null) return <span className="unknown">Unknown</span>;
  const [due = expires] = reportedDates(expires);
  return (
    <>
      <ExpiryDate day={due.date} />
      {expires.conflict && <small>{otherDatesInWords(expires)}</small>}
    </>
  );
}
