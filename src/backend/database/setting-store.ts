import type { SQL } from "bun";
import * as p from "../../shared/parse.ts";

/** What a register remembers in single rows, each by its name, as JSON: the table `settings`. */

/** Null if it was never saved. @throws {ParseError} */
export async function readSetting<T>(sql: SQL, name: string, parse: p.Parser<T>) {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`;
  return row === undefined ? null : parse(JSON.parse(row.value));
}

export async function saveSetting(sql: SQL, name: string, value: unknown): Promise<void> {
  await sql`insert into settings ${sql({ name, value: JSON.stringify(value) })}
    on conflict (name) do update set value = excluded.value`;
}

/** Reads a text, or makes it if it is missing; that of the first instance stays. */
export async function ensureSetting(sql: SQL, name: string, make: () => string): Promise<string> {
  const row = { name, value: JSON.stringify(make()) };
  await sql`insert into settings ${sql(row)} on conflict (name) do nothing`;
  const value = await readSetting(sql, name, p.text);
  if (value === null) throw new Error(`The setting ${name} vanished within its transaction`);
  return value;
}

export async function removeSetting(sql: SQL, name: string): Promise<void> {
  await sql`delete from settings where name = ${name}`;
}
