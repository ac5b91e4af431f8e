import { isDay } from "../../shared/day.ts";
import type { DateOrder, Import, ImportQuestion } from "../../shared/import.ts";

const NUMERIC_DATE = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)/;

/**
 * Reads three numbers such as `05/01/2027` in a given order, to show what an order means. As on the
 * server, two-digit years run from 1985 to 2084.
 *
 * @returns The day as `YYYY-MM-DD`; null if the text is no date in this order.
 */
export function parseDateInOrder(text: string, order: DateOrder): string | null {
  const [, first = "", , second = "", third = ""] = NUMERIC_DATE.exec(text.trim()) ?? [];
  if (order === "ymd" && third.length > 2) return null;
  const [day, month, year] = {
    dmy: [first, second, third] as const,
    mdy: [second, first, third] as const,
    ymd: [third, second, first] as const,
  }[order];
  if (year === "") return null;
  const century = year.length > 2 ? "" : Number(year) < 85 ? "20" : "19";
  const iso = `${century}${year.padStart(2, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(iso) ? iso : null;
}

/**
 * The question about dates after its answer, so that it can be changed; null if the file or its
 * layout decided the order.
 */
export function answeredDateQuestion(preview: Import): ImportQuestion | null {
  const { columns, dateOrder } = preview;
  const column = columns.findIndex(({ field }) => field === "expires");
  const { dates, samples = [] } = columns[column] ?? {};
  if (!dates || dates.orders.length < 2 || dateOrder === null) return null;
  const { orders, contradictory } = dates;
  const isAmbiguous = (text: string) => {
    const days = orders.map((order) => parseDateInOrder(text, order)).filter((day) => day !== null);
    return new Set(days).size > 1;
  };
  return {
    code: "date-order",
    column,
    contradictory,
    orders,
    samples: samples.filter(isAmbiguous),
  };
}
