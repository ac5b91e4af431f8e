import type { DateOrder, Import, ImportQuestion } from "../../shared/import-contract.ts";

const NUMBERS = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)/;

/**
 * The day, as `YYYY-MM-DD`, that three numbers such as `05/01/2027` are in an order; null where
 * they are none. The server reads the file: this only shows a person what an order would mean. Years
 * of two digits begin with 1985, as they do there.
 */
export function readInOrder(text: string, order: DateOrder): string | null {
  const [, first = "", , second = "", third = ""] = NUMBERS.exec(text.trim()) ?? [];
  if (order === "ymd" && third.length > 2) return null;
  const [day, month, year] = {
    dmy: [first, second, third] as const,
    mdy: [second, first, third] as const,
    ymd: [third, second, first] as const,
  }[order];
  if (year === "") return null;
  const century = year.length > 2 ? "" : Number(year) < 85 ? "20" : "19";
  const written = `${century}${year.padStart(2, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(written);
  const real = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written);
  return real ? written : null;
}

/**
 * The question about dates that is answered already, so that the answer can be seen and changed; none
 * where the file or its layout has decided.
 */
export function settledDates({ columns, ambiguous, dateOrder }: Import): ImportQuestion[] {
  const column = columns.findIndex(({ field }) => field === "expires");
  const { dates, samples = [] } = columns[column] ?? {};
  if (!dates || dates.orders.length < 2 || dateOrder === null) return [];
  if (ambiguous.some(({ code }) => code === "date-order")) return [];
  const { orders, contradictory } = dates;
  const open = samples.filter((text) => isOpen(text, orders));
  return [{ code: "date-order", column, contradictory, orders, samples: open }];
}

/** Whether two of these orders read a cell as different days. */
function isOpen(text: string, orders: readonly DateOrder[]): boolean {
  const days = orders.map((order) => readInOrder(text, order)).filter((day) => day !== null);
  return new Set(days).size > 1;
}
