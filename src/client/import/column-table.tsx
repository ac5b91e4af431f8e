import { IMPORT_FIELD_NAMES, IMPORT_FIELDS } from "../../shared/fields.ts";
import {
  type ColumnMeaning,
  type DateOrder,
  type ImportColumn,
  parseColumnMeaning,
} from "../../shared/import.ts";
import { OptionList, type Options } from "../ui/field.tsx";
import { Tag } from "../ui/tag.tsx";
import { columnName } from "./column-mapping.ts";
import { parseDateInOrder } from "./date-order.ts";
import { formatDay } from "../ui/format.ts";
import "./column-table.css";
import "./import-table.css";

const OPTIONS: Options = [
  ["ignore", "Don’t import"],
  ...IMPORT_FIELD_NAMES.map((field) => [field, IMPORT_FIELDS[field].label] as const),
];

interface Props {
  columns: readonly ImportColumn[];
  meanings: readonly ColumnMeaning[];
  order: DateOrder | null;
  onChange: (column: number, meaning: ColumnMeaning) => void;
}

/** Every column of the file: its first cells, and the field it is imported as. */
export function ColumnTable({ columns, meanings, order, onChange }: Props) {
  return (
    <table className="table cards import-table column-table">
      <caption className="unseen">Columns of the file</caption>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Examples</th>
          <th scope="col">Import as</th>
        </tr>
      </thead>
      <tbody>
        {[...columns.entries()].map(([index, column]) => {
          const meaning = meanings[index] ?? "ignore";
          const name = columnName(column, index);
          return (
            <tr key={index} className={meaning === "ignore" ? "ignored" : undefined}>
              <th scope="row">{name}</th>
              <td>
                {column.secret && <Tag>Not read</Tag>}
                {!column.secret && (
                  <Samples column={column} order={meaning === "expires" ? order : null} />
                )}
              </td>
              <td>
                {column.secret ? (
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
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The first cells; with a date order, each with the day it is read as. */
function Samples({ column, order }: { column: ImportColumn; order: DateOrder | null }) {
  if (column.samples.length === 0) return <i>No values</i>;
  return (
    <ul className="row samples">
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
