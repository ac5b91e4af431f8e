import type { ImportField } from "../../shared/fields.ts";
import type { ColumnMeaning, Import, ImportColumn } from "../../shared/import.ts";

/** What each column is imported as, by position, and the fields with an open question. */
export interface ColumnMapping {
  meanings: readonly ColumnMeaning[];
  unanswered: readonly ImportField[];
}

/** The mapping of the import's layout, or the proposed one. */
export function initialMapping({ columns, ambiguous }: Import): ColumnMapping {
  return {
    meanings: columns.map(({ field }) => field),
    unanswered: ambiguous.flatMap((question) =>
      question.code === "field" ? [question.field] : [],
    ),
  };
}

/** Each custom field and each nameserver has a column of its own. */
const REPEATABLE = new Set<ColumnMeaning>(["custom", "nameservers", "ignore"]);

/**
 * Imports a column as a field, and ignores the column that had the field before, unless several may
 * have it. This answers the question about the field.
 *
 * @param column The position; null: no column has the field.
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
