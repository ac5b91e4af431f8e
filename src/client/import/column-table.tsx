import type { DateOrder, ImportColumn } from "../../shared/import-contract.ts";
import { Tag } from "../ui/tag.tsx";
import { columnName, type MappedField } from "./column-mapping.ts";
import { parseDateInOrder } from "./date-order.ts";
import { fieldNames, fieldWords } from "./import-words.ts";
import { parseField } from "./parse-import.ts";
import { dayInWords } from "../ui/value-in-words.ts";
import "./column-table.css";

interface Props {
  columns: readonly ImportColumn[];
  fields: readonly MappedField[];
  order: DateOrder | null;
  onChange: (column: number, field: MappedField) => void;
}

/** Every column of the file: its first cells, and the field it is imported as. */
export function ColumnTable({ columns, fields, order, onChange }: Props) {
  return (
    <table className="column-table">
      <caption className="unseen">Columns of the file</caption>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">First cells</th>
          <th scope="col">Means</th>
        </tr>
      </thead>
      <tbody>
        {[...columns.entries()].map(([index, column]) => {
          const current = fields[index] ?? "ignore";
          const name = columnName(column, index);
          return (
            <tr key={index} className={current === "ignore" ? "ignored" : undefined}>
              <th scope="row">{name}</th>
              <td>
                {column.secret ? (
                  <Tag>never read</Tag>
                ) : (
                  <Samples column={column} order={current === "expires" ? order : null} />
                )}
              </td>
              <td>
                {column.secret ? (
                  "Left out: secret or personal"
                ) : (
                  <select
                    className="control"
                    aria-label={`What ${name} means`}
                    value={current}
                    onChange={({ target }) => onChange(index, parseField(target.value))}
                  >
                    <option value="ignore">Not imported</option>
                    {fieldNames.map((field) => (
                      <option key={field} value={field}>
                        {fieldWords[field]}
                      </option>
                    ))}
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
  if (column.samples.length === 0) return <i>empty</i>;
  return (
    <ul className="samples">
      {column.samples.slice(0, 3).map((sample) => {
        const day = order && parseDateInOrder(sample, order);
        return (
          <li key={sample}>
            {sample}
            {day && <small> = {dayInWords(day)}</small>}
          </li>
        );
      })}
    </ul>
  );
}
