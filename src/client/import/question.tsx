import { useId } from "react";
import { IMPORT_FIELDS, type ImportField } from "../../shared/fields.ts";
import type {
  ColumnMeaning,
  DateOrder,
  ImportColumn,
  ImportQuestion,
} from "../../shared/import.ts";
import { columnName } from "./column-mapping.ts";
import { parseDateInOrder } from "./date-order.ts";
import { formatDay } from "../ui/format.ts";
import "./question.css";

const orderLabels: Readonly<Record<DateOrder, string>> = {
  dmy: "Day first",
  mdy: "Month first",
  ymd: "Year first",
};

interface Props {
  question: ImportQuestion;
  columns: readonly ImportColumn[];
  meanings: readonly ColumnMeaning[];
  order: DateOrder | null;
  open: boolean;
  /** `column` is null for "none of the columns". */
  onColumn: (column: number | null, field: ImportField) => void;
  onOrder: (order: DateOrder) => void;
}

/** A question that only the user can answer, with cells of the file beside each answer. */
export function Question({ question, columns, open, ...rest }: Props) {
  const name = useId();
  const answers = { name, open, columns, ...rest };
  return (
    <fieldset className={open ? "question open" : "question"}>
      {question.code === "date-order" ? (
        <DateAnswers {...answers} question={question} />
      ) : (
        <ColumnAnswers {...answers} question={question} />
      )}
    </fieldset>
  );
}

type Answers<Code> = Omit<Props, "question"> & {
  name: string;
  question: Extract<ImportQuestion, { code: Code }>;
};

function ColumnAnswers({
  name,
  question,
  columns,
  meanings,
  open,
  onColumn,
}: Answers<"field" | "no-name">) {
  const field = question.code === "field" ? question.field : "name";
  const candidates = [...columns.entries()].filter(([index, column]) =>
    question.code === "field" ? question.columns.includes(index) : !column.secret,
  );
  const chosen = meanings.indexOf(field);
  return (
    <>
      <legend>Which column is {subjectOf(field)}?</legend>
      {candidates.map(([index, column]) => (
        <label key={index} className="question-answer">
          <input
            type="radio"
            name={name}
            checked={chosen === index}
            onChange={() => onColumn(index, field)}
          />
          <b>{columnName(column, index)}</b>
          <small>{column.samples.slice(0, 3).join(", ") || "No values"}</small>
        </label>
      ))}
      {field !== "name" && (
        <label className="question-answer">
          <input
            type="radio"
            name={name}
            checked={!open && chosen === -1}
            onChange={() => onColumn(null, field)}
          />
          <b>None of these</b>
        </label>
      )}
    </>
  );
}

function subjectOf(field: ImportField): string {
  if (field === "name") return "the domain name";
  return field === "expires" ? "the expiry date" : `“${IMPORT_FIELDS[field].label}”`;
}

function DateAnswers({ name, question, columns, order: chosen, onOrder }: Answers<"date-order">) {
  const { column, contradictory, orders, samples } = question;
  const [example = ""] = samples;
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
        <label key={order} className="question-answer">
          <input
            type="radio"
            name={name}
            checked={chosen === order}
            onChange={() => onOrder(order)}
          />
          <b>{orderLabels[order]}</b>
          <small>
            {samples.slice(0, 3).map((sample) => (
              <Example key={sample} text={sample} order={order} />
            ))}
            {example === "" && "No examples in the first rows"}
          </small>
        </label>
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
