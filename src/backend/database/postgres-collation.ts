import type { SQL } from "bun";

/**
 * Runs work on the schema, and makes every text column that it adds compare by its bytes, as SQLite
 * does: a list is in the same order on both, and no update of the system's locales spoils an index.
 * What other programs keep in the same schema stays as it is.
 */
export async function collatingBytewise<T>(sql: SQL, work: (sql: SQL) => Promise<T>): Promise<T> {
  const before = new Set((await listTextColumns(sql)).map(({ key }) => key));
  const result = await work(sql);
  const added = (await listTextColumns(sql)).filter(({ key }) => !before.has(key));
  for (const [table, columns] of Map.groupBy(added, (column) => column.table)) {
    const changes = columns.map(
      ({ name }, index) => sql`${index > 0 ? sql`,` : sql``}
        alter column ${sql(name)} type text collate "C"`,
    );
    await sql`alter table ${sql(table)} ${changes}`;
  }
  return result;
}

async function listTextColumns(sql: SQL) {
  const rows = await sql<{ table: string; name: string }[]>`
    select c.relname::text as "table", a.attname::text as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and a.atttypid = 'text'::regtype and a.attcollation <> '"C"'::regcollation
    order by c.relname, a.attnum`;
  return rows.map(({ table, name }) => ({ table, name, key: `${table}.${name}` }));
}
