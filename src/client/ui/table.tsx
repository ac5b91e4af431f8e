import type { ReactNode } from "react";

export interface Column<T> {
  label: string;
  /** Null: nothing is known. */
  show: (row: T) => ReactNode;
  /** Cards leave the label out, because the value speaks for itself. */
  isObvious?: true;
  /** Numbers stand at their right edge; minor columns leave first when room is short. */
  kind?: "end" | "end period" | "minor";
}

interface Props<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  /** By default each row is a card where the columns have no room. */
  className?: string;
  rowClass?: (row: T) => string | undefined;
  caption?: string;
  /** Stands at the top of each page on paper. */
  head?: string;
  /** What screen readers call a table without a caption. */
  name?: string;
}

/** A table whose first column names the row. */
export function Table<T>(props: Props<T>) {
  const { columns, rows, keyOf, className = "table cards", rowClass, caption, head, name } = props;
  return (
    <table className={className} aria-label={name}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        {head !== undefined && (
          <tr>
            <th colSpan={columns.length}>{head}</th>
          </tr>
        )}
        <tr>
          {columns.map(({ label, kind }) => (
            <th key={label} scope="col" className={kind}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={rowClass?.(row)}>
            {columns.map(({ label, show, isObvious, kind }, at) =>
              at === 0 ? (
                <th key={label} scope="row">
                  <span className="name">{show(row)}</span>
                </th>
              ) : (
                <td key={label} className={kind} data-label={isObvious ? undefined : label}>
                  {show(row) ?? <span className="unknown">–</span>}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
