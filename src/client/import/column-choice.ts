import type { Import, ImportField, ImportQuestion } from "../../shared/import-contract.ts";

export type Meaning = ImportField | "ignore";

/** What is chosen for the columns. `open` are the questions about a field that nobody has answered. */
export interface ColumnChoice {
  mapping: readonly Meaning[];
  open: readonly ImportField[];
}

/** The choice that an import starts with: the layout's, or the one that is proposed. */
export function choiceOf({ columns, ambiguous }: Import): ColumnChoice {
  return {
    mapping: columns.map(({ field }) => field),
    open: ambiguous.flatMap((question) => (question.code === "field" ? [question.field] : [])),
  };
}

/**
 * Gives a column a meaning. Each field is in one column only: another that had it is ignored from
 * now on. It answers the question about that field, and that about the field which the column had.
 */
export function chooseMeaning(
  choice: ColumnChoice,
  column: number,
  meaning: Meaning,
): ColumnChoice {
  const mapping = choice.mapping.map((before, index) => {
    if (index === column) return meaning;
    return before === meaning ? "ignore" : before;
  });
  return { mapping, open: choice.open.filter((field) => field !== meaning) };
}

/** Says that no column is this field. */
export function chooseNone(choice: ColumnChoice, field: ImportField): ColumnChoice {
  return {
    mapping: choice.mapping.map((before) => (before === field ? "ignore" : before)),
    open: choice.open.filter((each) => each !== field),
  };
}

/** Whether the server can be told: it takes a mapping as the answer to every question about fields. */
export function isComplete({ mapping, open }: ColumnChoice): boolean {
  return open.length === 0 && mapping.includes("name");
}

/** Tells questions apart. */
export function questionKey(question: ImportQuestion): string {
  if (question.code === "field") return `field-${question.field}`;
  return question.code === "no-name" ? "no-name" : `dates-${question.column}`;
}

/** Whether a question still makes sense: one about dates does only while its column is the expiry. */
export function isAsked(question: ImportQuestion, { mapping }: ColumnChoice): boolean {
  return question.code !== "date-order" || mapping[question.column] === "expires";
}
