import type { ImportField } from "../../shared/fields.ts";
import type { ColumnMeaning, Import, ImportColumn, ImportQuestion } from "../../shared/import.ts";

/** What each column is imported as, by position, and the fields that are still asked about. */
export interface ColumnMapping {
  meanings: readonly ColumnMeaning[];
  unanswered: readonly ImportField[];
}

/** Returns the mapping that an import starts with: its layout's, or the proposed one. */
export function initialMapping({ columns, ambiguous }: Import): ColumnMapping {
  return {
    meanings: columns.map(({ field }) => field),
    unanswered: ambiguous.flatMap((question) =>
      question.code === "field" ? [question.field] : [],
    ),
  };
}

/**
 * Imports a column as a field. A field has one column only, so the column that had it is ignored
 * from now on. This answers the question about the field.
 */
export function mapColumn(
  { meanings, unanswered }: ColumnMapping,
  column: number,
  meaning: ColumnMeaning,
): ColumnMapping {
  return {
    meanings: meanings.map((before, index) => {
      if (index === column) return meaning;
      return before === meaning ? "ignore" : before;
    }),
    unanswered: unanswered.filter((field) => field !== meaning),
  };
}

/** Answers the question about a field with "none of the columns". */
export function unmapField(
  { meanings, unanswered }: ColumnMapping,
  field: ImportField,
): ColumnMapping {
  return {
    meanings: meanings.map((before) => (before === field ? "ignore" : before)),
    unanswered: unanswered.filter((each) => each !== field),
  };
}

/** Whether it can be sent: the server takes a mapping as the answer to all questions about fields. */
export function isComplete({ meanings, unanswered }: ColumnMapping): boolean {
  return unanswered.length === 0 && meanings.includes("name");
}

/** Identifies a question among those of one import. */
export function questionKey(question: ImportQuestion): string {
  if (question.code === "field") return `field-${question.field}`;
  return question.code === "no-name" ? "no-name" : `dates-${question.column}`;
}

/** Whether a question still applies: one about dates does while its column is the expiry. */
export function isRelevant(question: ImportQuestion, { meanings }: ColumnMapping): boolean {
  return question.code !== "date-order" || meanings[question.column] === "expires";
}

/** Returns the header of a column or, where it has none, its position counted from 1. */
export function columnName(column: ImportColumn | undefined, index: number): string {
  return column?.header?.trim() || `Column ${index + 1}`;
}
