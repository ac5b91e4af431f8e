import { IMPORT_FIELD_NAMES, IMPORT_LABELS } from "../../shared/fields.ts";
import {
  type ColumnMeaning,
  type DateOrder,
  type ImportColumn,
  parseColumnMeaning,
} from "../../shared/import.ts";
import { OptionList, type Options } from "../ui/field.tsx";
import { Table } from "../ui/table.tsx";
import { columnName, parseDateInOrder } from "./column-mapping.ts";
import { formatDay } from "../ui/format.ts";

const OPTIONS: Options = [
  ["ignore", "Don’t import"],
  ...IMPORT_FIELD_NAMES.map((field) => [field, IMPORT_LABELS[field]] as const),
];

interface Props {
  columns: readonly ImportColumn[];
  meanings: readonly ColumnMeaning[];
  order: DateOrder | null;
  onChange: (column: number, meaning: ColumnMeaning) => void;
}

export function ColumnTable({ columns, meanings, order, onChange }: Props) {
  return (
    <Table
      className="table cards mapping"
      name="Columns of the file"
      rows={columns.map((column, index) => ({
        column,
        index,
        name: columnName(column, index),
        meaning: meanings[index] ?? "ignore",
      }))}
      keyOf={({ index }) => index}
      rowClass={({ meaning }) => (meaning === "ignore" ? "ignored" : undefined)}
      columns={[
        { label: "Column", show: ({ name }) => name },
        {
          label: "Examples",
          isObvious: true,
          show: ({ column, meaning }) =>
            column.secret ? (
              <span className="tag">Not read</span>
            ) : (
              <Samples column={column} order={meaning === "expires" ? order : null} />
            ),
        },
        {
          label: "Import as",
          isObvious: true,
          show: ({ column, index, name, meaning }) =>
            column.secret ? (
              "Skipped for privacy"
            ) : (
              <select
                className="control"
                aria-label={`Import ${name} as`}
                value={meaning}
                onChange={({ target }) => onChange(index, parseColumnMeaning(target.value))}
              >
                <OptionList options={OPTIONS} />
              </select>
            ),
        },
      ]}
    />
  );
}

/** The first cells, with a date order also the days that they mean. */
function Samples({ column, order }: { column: ImportColumn; order: DateOrder | null }) {
  if (column.samples.length === 0) return <i>No values</i>;
  return (
    <ul className="row">
      {column.samples.slice(0, 3).map((sample) => {
        const day = order && parseDateInOrder(sample, order);
        return (
          <li key={sample}>
            {sample}
            {day && <small> = {formatDay(day)}</small>}
          </li>
        );
      })}
    </ul>
  );
}
