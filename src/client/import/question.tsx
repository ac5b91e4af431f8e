import { type ComponentProps, useId } from "react";
import { IMPORT_LABELS, type ImportField } from "../../shared/fields.ts";
import type {
  ColumnMeaning,
  DateOrder,
  ImportColumn,
  ImportQuestion,
} from "../../shared/import.ts";
import { formatDay } from "../ui/format.ts";
import { columnName, parseDateInOrder } from "./column-mapping.ts";

interface Props {
  question: Exclude<ImportQuestion, { code: "registrar" }>;
  columns: readonly ImportColumn[];
  meanings: readonly ColumnMeaning[];
  order: DateOrder | null;
  open: boolean;
  isReminded: boolean;
  /** @param column Null: none of the columns. */
  onColumn: (column: number | null, field: ImportField) => void;
  onOrder: (order: DateOrder) => void;
}

/** A question that only the user can answer, with cells of the file beside each answer. */
export function Question(props: Props) {
  const { question, columns, meanings, order: chosenOrder, open, onColumn, onOrder } = props;
  const name = useId();
  const isMissing = open && props.isReminded;
  const group = {
    className: open ? "question open" : "question",
    role: "radiogroup",
    "aria-invalid": isMissing || undefined,
    "aria-describedby": isMissing ? `${name}e` : undefined,
  };
  const reminder = isMissing && (
    <p id={`${name}e`} className="field-error">
      Answer this question to see the preview.
    </p>
  );

  if (question.code === "date-order") {
    const { column, contradictory, orders, samples } = question;
    return (
      <fieldset {...group}>
        <legend>How are the dates in “{columnName(columns[column], column)}” written?</legend>
        {reminder}
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
            checked={chosenOrder === order}
            onChange={() => onOrder(order)}
          >
            {samples.length === 0 && "No examples in the first rows"}
            {samples.slice(0, 3).map((sample) => {
              const day = parseDateInOrder(sample, order);
              return (
                <span key={sample}>
                  {sample} <span aria-hidden="true">→</span>
                  <span className="unseen"> means </span> {day ? formatDay(day) : "not a date"}
                </span>
              );
            })}
          </Answer>
        ))}
      </fieldset>
    );
  }

  const field = question.code === "field" ? question.field : "name";
  const chosenColumn = meanings.indexOf(field);
  const candidates = [...columns.entries()].filter(([index, column]) =>
    question.code === "field" ? question.columns.includes(index) : !column.secret,
  );
  // A single candidate: "Is “Where” the registrar?"
  const [[only, onlyColumn] = []] = field === "name" || candidates.length > 1 ? [] : candidates;
  return (
    <fieldset {...group}>
      <legend>
        {only === undefined
          ? `Which column is ${subjectOf(field)}?`
          : `Is “${columnName(onlyColumn, only)}” ${subjectOf(field)}?`}
      </legend>
      {reminder}
      {candidates.map(([index, column]) => (
        <Answer
          key={index}
          name={name}
          label={only === undefined ? columnName(column, index) : "Yes"}
          checked={chosenColumn === index}
          onChange={() => onColumn(index, field)}
        >
          {column.samples.slice(0, 3).join(", ") || "No values"}
        </Answer>
      ))}
      {field !== "name" && (
        <Answer
          name={name}
          label={only === undefined ? "None of these" : "No"}
          checked={!open && chosenColumn === -1}
          onChange={() => onColumn(null, field)}
        />
      )}
    </fieldset>
  );
}

const orderLabels = { dmy: "Day first", mdy: "Month first", ymd: "Year first" } as const;

function subjectOf(field: ImportField): string {
  if (field === "name") return "the domain name";
  if (field === "expires") return "the expiry date";
  return field === "registrar" ? "the registrar" : `“${IMPORT_LABELS[field]}”`;
}

interface AnswerProps extends ComponentProps<"input"> {
  label: string;
}

/** One of several answers, or with `type="checkbox"` one for itself, with what it is about. */
export function Answer({ label, children, ...box }: AnswerProps) {
  return (
    <label className="choice">
      <input type="radio" {...box} />
      <b>{label}</b>
      {children && <small>{children}</small>}
    </label>
  );
}
