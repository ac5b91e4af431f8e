/** A value that both databases keep as it is. */
export type SqlValue = string | number | null;

/** A statement that is to be sent later, perhaps by a thread: its text, cut where a value goes. */
export interface Statement {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
  /** The same once more where it adds rows: a database may have a better way to take many. */
  readonly insertion?: Insertion;
}

/** Rows that are added to a table, and what follows them in the statement. */
export interface Insertion {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly clause: string;
}

type Row = Readonly<Record<string, SqlValue>>;

/** Makes a statement of a template: what stands in `${}` is a value, or a list for `in`, never text. */
export function statement(
  template: TemplateStringsArray,
  ...filling: (SqlValue | readonly SqlValue[])[]
): Statement {
  const texts: string[] = [];
  const values: SqlValue[] = [];
  let text = template[0] ?? "";
  for (const [index, filler] of filling.entries()) {
    const list = isList(filler);
    const items = list ? filler : [filler];
    for (const [place, item] of items.entries()) {
      texts.push(place > 0 ? "," : list ? `${text}(` : text);
      values.push(item);
    }
    text = `${list ? ")" : ""}${template[index + 1] ?? ""}`;
  }
  return { texts: [...texts, text], values };
}

/**
 * Adds rows, at least one, each with the columns of the first; `clause` is what follows them, such as
 * `on conflict do nothing`. SQLite takes 32,766 values.
 */
export function insertion(table: string, rows: readonly Row[], clause = ""): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return {
    insertion: { table, columns, rows, clause },
    // Made by who asks for them: there are thousands.
    get texts() {
      const row = Array<string>(columns.length).fill(",");
      const texts = rows.flatMap(() => row.with(0, "),("));
      return [
        `insert into ${table} (${columns.join(", ")}) values (`,
        ...texts.slice(1),
        `) ${clause}`,
      ];
    },
    get values() {
      return rows.flatMap((row) => columns.map((column) => row[column] ?? null));
    },
  };
}

/** Sets columns of a table, and whatever `rest` says after them: more columns, which rows. */
export function update(
  table: string,
  columns: Readonly<Record<string, SqlValue>>,
  rest: Statement,
): Statement {
  const names = Object.keys(columns);
  const texts = names.map((name, index) => `${index > 0 ? "," : `update ${table} set`} ${name} = `);
  return { texts: [...texts, ...rest.texts], values: [...Object.values(columns), ...rest.values] };
}

function isList(filler: SqlValue | readonly SqlValue[]): filler is readonly SqlValue[] {
  return Array.isArray(filler);
}
