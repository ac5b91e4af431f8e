import { DATE_ORDERS, type DateOrder, type ImportColumn } from "../../../shared/import.ts";
import type { ImportDefaults, ImportQuestion } from "../../../shared/import.ts";
import type { DateReading } from "../values/date-order.ts";
import type { Mapping } from "./mapping.ts";
import { LAYOUTS } from "./registrar-layouts.ts";
import type { TableCounts, TableSource } from "./table.ts";

/** What was found out about one column. */
export interface ColumnAnalysis {
  header: string | null;
  /** Never read, never shown, cannot be mapped. */
  secret: boolean;
  /** Up to five different cells of at most 80 characters. */
  samples: string[];
  /** How its dates are read; null: it was not looked at as dates. */
  dates: DateReading | null;
}

/** Everything that reading the rows of a file takes, and what a person is shown first; plain JSON. */
export interface FileAnalysis {
  source: TableSource;
  /** The id of the known layout, such as `godaddy`; null: the mapping is a proposal. */
  layout: string | null;
  registrar: string | null;
  /** What a bare `$` means in this layout. */
  dollar: string | null;
  /** Written by our own export: text is taken back exactly. */
  own: boolean;
  columns: ColumnAnalysis[];
  /** Given by a person, by the layout, or proposed. */
  mapping: Mapping;
  ambiguous: ImportQuestion[];
  counts: TableCounts;
  /** Given by a person, or remembered. */
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
  /** When the mapping was used before, an instant. */
  remembered: string | null;
}

/** Whose layout a file has, for people; null: it is unknown. */
export function formatName({ registrar, layout }: FileAnalysis): string | null {
  return registrar ?? LAYOUTS.find(({ id }) => id === layout)?.label ?? layout;
}

/** The columns of a file as the API shows them. */
export function toImportColumns({ columns, mapping }: FileAnalysis): ImportColumn[] {
  return columns.map(({ header, secret, samples, dates }, index) => {
    const field = mapping[index] ?? "ignore";
    return { header, secret, field, samples, dates: dates && possibleOrders(dates) };
  });
}

/** The orders that the cells allow, whichever has been chosen. */
function possibleOrders(reading: DateReading): NonNullable<ImportColumn["dates"]> {
  const { order, evidence, choices = [] } = reading;
  const decisive = DATE_ORDERS.filter((each) => evidence[each] > 0);
  const contradictory = order === "contradictory" || decisive.length > 1;
  if (contradictory) {
    return { orders: decisive.length > 1 ? decisive : ["dmy", "mdy"], contradictory };
  }
  if (decisive.length === 1) return { orders: decisive, contradictory };
  if (choices.length > 0) return { orders: choices, contradictory };
  return { orders: DATE_ORDERS.filter((each) => each === order), contradictory };
}
