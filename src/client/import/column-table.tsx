import type { DateOrder, ImportColumn } from "../../shared/import-contract.ts";
import { Tag } from "../ui/tag.tsx";
import type { Meaning } from "./column-choice.ts";
import { columnName } from "./column-name.ts";
import { readInOrder } from "./date-order.ts";
import { fieldNames, fieldWords } from "./import-words.ts";
import { parseField } from "./parse-import.ts";
import { dayInWords } from "../ui/value-in-words.ts";
import "./column-table.css";

interface Props {
  columns: readonly ImportColumn[];
  mapping: readonly Meaning[];
  order: DateOrder | null;
  onChoose: (column: number, meaning: Meaning) => void;
}

/** Every column of the file: what is in it, and what that means. */
export function ColumnTable({ columns, mapping, order, onChoose }: Props) {
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
          const meaning = mapping[index] ?? "ignore";
          const name = columnName(column, index);
          return (
            <tr key={index} className={meaning === "ignore" ? "ignored" : undefined}>
              <th scope="row">{name}</th>
              <td>
                {column.secret ? (
                  <Tag>never read</Tag>
                ) : (
                  <Samples column={column} order={meaning === "expires" ? order : null} />
                )}
              </td>
              <td>
                {column.secret ? (
                  "Left out: secret or personal"
                ) : (
                  <select
                    className="control"
                    aria-label={`What ${name} means`}
                    value={meaning}
                    onChange={({ target }) => onChoose(index, parseField(target.value))}
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

/** The first cells; with a date order each as it would be read. */
function Samples({ column, order }: { column: ImportColumn; order: DateOrder | null }) {
  if (column.samples.length === 0) return <i>empty</i>;
  return (
    <ul className="samples">
      {column.samples.slice(0, 3).map((sample) => {
        const day = order && readInOrder(sample, order);
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
