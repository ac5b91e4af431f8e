import { type ComponentProps, type ReactNode, useId } from "react";
import { IMPORT_FIELDS, type ImportField } from "../../shared/fields.ts";
import type {
  ColumnMeaning,
  DateOrder,
  ImportColumn,
  ImportQuestion,
} from "../../shared/import.ts";
import { formatDay } from "../ui/format.ts";
import { columnName } from "./column-mapping.ts";
import { parseDateInOrder } from "./date-order.ts";
import "./question.css";

const orderLabels: Readonly<Record<DateOrder, string>> = {
  dmy: "Day first",
  mdy: "Month first",
  ymd: "Year first",
};

interface Props<Question = ImportQuestion> {
  question: Question;
  columns: readonly ImportColumn[];
  meanings: readonly ColumnMeaning[];
  order: DateOrder | null;
  open: boolean;
  /** `column` is null for "none of the columns". */
  onColumn: (column: number | null, field: ImportField) => void;
  onOrder: (order: DateOrder) => void;
}

/** A question that only the user can answer, with cells of the file beside each answer. */
export function Question({ question, ...rest }: Props) {
  return (
    <fieldset className={rest.open ? "question open" : "question"}>
      {question.code === "date-order" ? (
        <DateQuestion question={question} {...rest} />
      ) : (
        <ColumnQuestion question={question} {...rest} />
      )}
    </fieldset>
  );
}

function ColumnQuestion({
  question,
  columns,
  meanings,
  open,
  onColumn,
}: Props<Exclude<ImportQuestion, { code: "date-order" }>>) {
  const name = useId();
  const field = question.code === "field" ? question.field : "name";
  const candidates = [...columns.entries()].filter(([index, column]) =>
    question.code === "field" ? question.columns.includes(index) : !column.secret,
  );
  const chosen = meanings.indexOf(field);
  return (
    <>
      <legend>Which column is {subjectOf(field)}?</legend>
      {candidates.map(([index, column]) => (
        <Answer
          key={index}
          name={name}
          label={columnName(column, index)}
          checked={chosen === index}
          onChange={() => onColumn(index, field)}
        >
          {column.samples.slice(0, 3).join(", ") || "No values"}
        </Answer>
      ))}
      {field !== "name" && (
        <Answer
          name={name}
          label="None of these"
          checked={!open && chosen === -1}
          onChange={() => onColumn(null, field)}
        />
      )}
    </>
  );
}

function subjectOf(field: ImportField): string {
  if (field === "name") return "the domain name";
  return field === "expires" ? "the expiry date" : `“${IMPORT_FIELDS[field].label}”`;
}

function DateQuestion({
  question: { column, contradictory, orders, samples },
  columns,
  order: chosen,
  onOrder,
}: Props<Extract<ImportQuestion, { code: "date-order" }>>) {
  const name = useId();
  return (
    <>
      <legend>How are the dates in “{columnName(columns[column], column)}” written?</legend>
      {contradictory && (
        <p className="field-hint">
          Some dates only work with the day first, others only with the month first. Dates that do
          not fit your answer are skipped.
        </p>
      )}
      {orders.map((order) => (
        <Answer
          key={order}
          name={name}
          label={orderLabels[order]}
          checked={chosen === order}
          onChange={() => onOrder(order)}
        >
          {samples.length === 0 && "No examples in the first rows"}
          {samples.slice(0, 3).map((sample) => (
            <Example key={sample} text={sample} order={order} />
          ))}
        </Answer>
      ))}
    </>
  );
}

/** A date as it is written, and the day it is read as. */
function Example({ text, order }: { text: string; order: DateOrder }) {
  const day = parseDateInOrder(text, order);
  return (
    <span className="question-example">
      {text} <span aria-hidden="true">→</span>
      <span className="unseen"> means </span> {day ? formatDay(day) : "not a date"}
    </span>
  );
}

function Answer({
  label,
  children,
  ...radio
}: ComponentProps<"input"> & { label: string; children?: ReactNode }) {
  return (
    <label className="question-answer">
      <input type="radio" {...radio} />
      <b>{label}</b>
      {children && <small>{children}</small>}
    </label>
  );
}
