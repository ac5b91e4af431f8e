import type { ImportField } from "../../shared/fields.ts";
import {
  type ColumnMeaning,
  type DateOrder,
  dayInOrder,
  type Import,
  type ImportColumn,
  type ImportQuestion,
  readNumericDate,
} from "../../shared/import.ts";

/** What each column is imported as, by position, and the fields with an open question. */
export interface ColumnMapping {
  meanings: readonly ColumnMeaning[];
  unanswered: readonly ImportField[];
}

export function initialMapping({ columns, ambiguous }: Import): ColumnMapping {
  return {
    meanings: columns.map(({ field }) => field),
    unanswered: ambiguous.flatMap((question) =>
      question.code === "field" ? [question.field] : [],
    ),
  };
}

/** Each custom field and each name server has a column of its own. */
const REPEATABLE = new Set<ColumnMeaning>(["custom", "nameservers", "ignore"]);

/**
 * Imports a column, or none (null), as a field; ignores the one that had it before, unless several may.
 * This answers the question about the field.
 */
export function mapColumn(
  { meanings, unanswered }: ColumnMapping,
  column: number | null,
  meaning: ColumnMeaning,
): ColumnMapping {
  return {
    meanings: meanings.map((before, index) => {
      if (index === column) return meaning;
      return before === meaning && !REPEATABLE.has(meaning) ? "ignore" : before;
    }),
    unanswered: unanswered.filter((field) => field !== meaning),
  };
}

/** Whether it can be sent: for the server, a mapping answers all questions about fields. */
export function isComplete({ meanings, unanswered }: ColumnMapping): boolean {
  return unanswered.length === 0 && meanings.includes("name");
}

/** The header of a column, or its position counted from 1. */
export function columnName(column: ImportColumn | undefined, index: number): string {
  return column?.header?.trim() || `Column ${index + 1}`;
}

/** Reads three numbers such as `05/01/2027` in a given order, to show what an order means. */
export function parseDateInOrder(text: string, order: DateOrder): string | null {
  const date = readNumericDate(text);
  return date && dayInOrder(date.parts, order);
}

/** The question about dates after its answer, which can be changed; null if the file or its layout decided. */
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
  const open = samples.filter(isAmbiguous);
  return { code: "date-order", column, contradictory, orders, samples: open };
}
