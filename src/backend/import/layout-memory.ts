import type { SQL } from "bun";
import type { ImportRecord } from "./import-record.ts";
import { foldHeader } from "./reading/headers.ts";
import type { RememberedLayout } from "./reading/file-survey.ts";

/** Layouts that are remembered; those that were used longest ago are forgotten. */
const MAX_LAYOUTS = 500;

/** What was decided about the last file with these headers, or null. */
export async function findLayoutMemory(
  sql: SQL,
  header: readonly string[],
): Promise<RememberedLayout | null> {
  const [row] = await sql<
    {
      mapping: string;
      dateOrder: RememberedLayout["dateOrder"];
      defaults: string;
      usedAt: string;
    }[]
  >`select mapping, date_order as "dateOrder", defaults, used_at as "usedAt" from import_layouts
    where key = ${layoutKey(header)}`;
  return row === undefined
    ? null
    : { ...row, mapping: JSON.parse(row.mapping), defaults: JSON.parse(row.defaults) };
}

/** Remembers how a file of an unknown layout was read, for the next one with its headers. */
export async function rememberLayout(
  sql: SQL,
  { analysis, dateOrder, defaults }: ImportRecord,
  usedAt: string,
): Promise<void> {
  const { kind, header } = analysis.source.format;
  if (kind === "list" || header === null || analysis.layout !== null) return;
  // About the domains of this file, not of the next.
  const { keepRegistrar: _, ...remembered } = defaults;
  const row = {
    key: layoutKey(header),
    mapping: JSON.stringify(analysis.mapping),
    date_order: dateOrder,
    defaults: JSON.stringify(remembered),
    used_at: usedAt,
  };
  await sql`delete from import_layouts where key = ${row.key} or key not in (
    select key from import_layouts order by used_at desc limit ${MAX_LAYOUTS - 1})`;
  await sql`insert into import_layouts ${sql(row)}`;
}

/** The same for headers that differ in case, punctuation or diacritics only. */
function layoutKey(header: readonly string[]): string {
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(header.map(foldHeader)))
    .digest("hex");
}
