import type { DateOrder, ImportColumn } from "../../../shared/import-contract.ts";
import type { Analysis, ColumnAnalysis } from "./analysis.ts";
import type { DateReading } from "../values/date-reading.ts";

/** Layouts that name no registrar of their own, by what people call them. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["sedo", "Sedo"],
  ["freehold", "Freehold"],
]);

/** Whose layout a file has; null: nobody's that is known. */
export function formatName({ registrar, layout }: Analysis): string | null {
  return registrar ?? (layout === null ? null : (NAMES.get(layout) ?? layout));
}

/** The columns of a file as the API shows them. */
export function showColumns({ columns, mapping }: Analysis): ImportColumn[] {
  return columns.map((column, index) => showColumn(column, mapping[index] ?? "ignore"));
}

function showColumn(column: ColumnAnalysis, field: ImportColumn["field"]): ImportColumn {
  const { header, secret, samples, dates } = column;
  return { header, secret, field, samples, dates: dates && showDates(dates) };
}

/** The orders that the cells allow, whichever has been chosen. */
function showDates({
  order,
  evidence,
  choices = [],
}: DateReading): NonNullable<ImportColumn["dates"]> {
  const settled = (["dmy", "mdy", "ymd"] as const).filter((each) => evidence[each] > 0);
  const contradictory = order === "contradictory" || settled.length > 1;
  if (contradictory)
    return { orders: settled.length > 1 ? settled : ["dmy", "mdy"], contradictory };
  if (settled.length === 1) return { orders: settled, contradictory };
  if (choices.length > 0) return { orders: choices, contradictory };
  return { orders: isOrder(order) ? [order] : [], contradictory };
}

function isOrder(order: DateReading["order"]): order is DateOrder {
  return order === "dmy" || order === "mdy" || order === "ymd";
}
