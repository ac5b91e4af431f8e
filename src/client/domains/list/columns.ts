import { useState } from "react";
import { type Field, FIELD_NAMES, FIELDS, isHidden } from "../../../shared/fields.ts";
import { customFieldOf, type CustomName, isCustomName } from "../../../shared/filter.ts";
import { hasRole } from "../../session/session-store.ts";
import { tryStorage } from "../../ui/preferences.ts";

/** The name is always shown, the others never. */
const NO_COLUMNS = ["name", "notes", "custom", "doneFor", "handled"] as const;

type FieldColumn = Exclude<Field, (typeof NO_COLUMNS)[number]>;

export type ListColumn = FieldColumn | CustomName;

/** The columns of every register, in the order shown. */
export const COLUMNS = FIELD_NAMES.filter(
  (field): field is FieldColumn => !NO_COLUMNS.some((each) => each === field),
);

/** Of columns and sorts, those that a limited viewer sees, too, or all. */
export function inSight<F extends string>(fields: readonly F[]): readonly F[] {
  return hasRole("viewer") ? fields : fields.filter((field) => !isHidden(field));
}

export function columnLabel(column: ListColumn | "name"): string {
  return isCustomName(column) ? customFieldOf(column) : FIELDS[column].label;
}

/** The default columns, the most important first. */
const DEFAULT_COLUMNS: readonly ListColumn[] = [
  "expires",
  "renewal",
  "registrar",
  "owner",
  "autoRenew",
  "decision",
  "tags",
  "account",
];

/** What a row shows beside the name: columns, and what goes with them. */
export type Cell = ListColumn | "state" | "days" | "otherDate";

export interface ShownCell {
  cell: Cell;
  heading: string;
  className: string;
}

const HEADINGS: { readonly [C in Cell]?: string } = {
  state: "Status",
  expires: "Expires",
  days: "Days",
  renewal: "Per year",
  otherDate: "Other date",
};

/** Kinds of fields, and cells that are none, with a class of their own. */
const NUMBERS = new Set<string>(["expiry", "days", "day", "price", "money"]);
const LABELS = new Set<string>(["label", "person", "tags", "hosts", "custom", "status"]);

/** These stay at every width. */
const STAYING = new Set<Cell>(["expires", "days", "renewal"]);

/**
 * The cells of every row, in their order. Those that leave where the list is narrow have a class with
 * their rank: the last leaves first. Custom fields come early, because someone chose them.
 *
 * @param isSettling The list is of conflicts: the other date takes the place of registrar and owner.
 */
export function cellsOf(chosen: readonly ListColumn[], isSettling: boolean): readonly ShownCell[] {
  const wanted = chosen.filter(
    (column) => !isSettling || (column !== "registrar" && column !== "owner"),
  );
  const cells: Cell[] = ["state"];
  if (wanted.includes("expires")) cells.push("expires", "days");
  if (wanted.includes("renewal")) cells.push("renewal");
  if (isSettling) cells.push("otherDate");
  const first = [...DEFAULT_COLUMNS.slice(0, 6), ...chosen.filter(isCustomName)];
  const byImportance = [...first, ...DEFAULT_COLUMNS, ...wanted];
  cells.push(...byImportance.filter((column) => wanted.includes(column)));
  const shown = [...new Set(cells)];
  const leaving = shown.filter((cell) => !STAYING.has(cell));
  return shown.map((cell) => {
    const at = leaving.indexOf(cell);
    // The other date takes the room of two.
    const rank = isSettling && at > 0 ? at + 2 : at + 1;
    const name = isCustomName(cell) ? "custom" : cell;
    const kind = name in FIELDS ? FIELDS[name as Field].kind : name;
    const kinds = NUMBERS.has(kind) ? " number" : LABELS.has(kind) ? " label" : "";
    return {
      cell,
      heading: HEADINGS[cell] ?? columnLabel(cell as ListColumn),
      className: `of-${name}${kinds}${rank > 0 ? ` leaves-${Math.min(rank, 8)}` : ""}`,
    };
  });
}

/** Key in local storage; column names are percent-encoded and separated by commas. */
const STORAGE_KEY = "columns";

function readColumns(): readonly ListColumn[] {
  const stored = tryStorage(() =>
    localStorage
      .getItem(STORAGE_KEY)
      ?.split(",")
      .map((each) => decodeURIComponent(each)),
  );
  const custom = stored?.filter(isCustomName) ?? [];
  return [...COLUMNS.filter((column) => (stored ?? DEFAULT_COLUMNS).includes(column)), ...custom];
}

/** The chosen columns, which this device keeps; there may be no room for all. */
export function useColumns() {
  const [columns, show] = useState(readColumns);
  function setColumns(next: readonly ListColumn[]) {
    show(next);
    tryStorage(() => localStorage.setItem(STORAGE_KEY, next.map(encodeURIComponent).join(",")));
  }
  return { columns, setColumns };
}
