import {
  DateEvidence,
  readDate,
  type DateReading,
} from "../../src/backend/import/values/date-order.ts";
import type { DateOrder } from "../../src/shared/import.ts";

/** Reads a whole column of dates: how it is read, and the day of each cell. */
export function readDates(
  cells: readonly string[],
  given: DateOrder | null = null,
): { order: DateReading["order"]; days: (string | null)[]; reading: DateReading } {
  const evidence = new DateEvidence();
  for (const cell of cells) evidence.add(cell);
  const reading = evidence.decide(given);
  const days = cells.map((cell) => {
    const day = readDate(cell, reading);
    return typeof day === "object" && day !== null ? "unreadable" : day;
  });
  return { order: reading.order, days, reading };
}
