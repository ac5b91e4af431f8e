import type { SQL } from "bun";
import type { ImportRow, ImportRowPage, RowClass } from "../../shared/import.ts";
import type { Parsed } from "../../shared/parse.ts";
import type { parseRowQuery } from "./import-input.ts";
import type { ImportRecord } from "./import-record.ts";
import { listMissing } from "./preview/missing-domains.ts";
import { rowId } from "./preview/preview-rows.ts";

const DEFAULT_ROWS = 100;

/** Rows of the file have twelve digits for an id; a missing name has none, but itself. */
const MISSING = "missing-";

type Row = {
  row_key: string;
  line: number;
  class: RowClass;
  repeats: number | null;
  name: string | null;
  unicode: string | null;
} & Record<"said" | "changes" | "problems", string>;

/**
 * One page of the rows of an import, those of the file in its order and then the names that are
 * missing from it. `after` is the id of the last row before the page. Once the rows of an old import
 * are gone, there are none.
 */
export async function listRows(
  sql: SQL,
  record: ImportRecord,
  { class: only, after = "0", limit = DEFAULT_ROWS }: Parsed<typeof parseRowQuery>,
): Promise<ImportRowPage> {
  const { rowsId } = record;
  if (rowsId === null) return { items: [], next: null };
  const isInFile = only !== "missing" && !after.startsWith(MISSING);
  const items = isInFile ? await listFileRows(sql, rowsId, { only, after, limit: limit + 1 }) : [];
  if (items.length <= limit && (only === undefined || only === "missing")) {
    const name = after.startsWith(MISSING) ? after.slice(MISSING.length) : "";
    items.push(
      ...(await listAbsent(sql, record, { after: name, limit: limit + 1 - items.length })),
    );
  }
  const page = items.slice(0, limit);
  return { items: page, next: items.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

async function listFileRows(
  sql: SQL,
  rowsId: string,
  { only, after, limit }: { only: RowClass | undefined; after: string; limit: number },
): Promise<ImportRow[]> {
  const rows = await sql<Row[]>`
    select row_key, line, class, repeats, name, unicode, said, changes, problems from import_rows
    where ${
      only === undefined
        ? sql`id > ${rowId(rowsId, after)} and id < ${rowId(rowsId, "A")} order by id`
        : sql`staging = ${rowsId} and class = ${only} and row_key > ${after}
            order by row_key`
    } limit ${limit}`;
  return rows.map((row) => ({
    id: row.row_key,
    class: row.class,
    line: row.line,
    name: row.name,
    unicode: row.unicode,
    values: JSON.parse(row.said),
    changes: JSON.parse(row.changes),
    problems: JSON.parse(row.problems),
    repeats: row.repeats,
    skipped: false,
  }));
}

async function listAbsent(
  sql: SQL,
  { rowsId, registrarKey, previewedAt }: ImportRecord,
  page: { after: string; limit: number },
): Promise<ImportRow[]> {
  if (rowsId === null || registrarKey === null) return [];
  const from = { registrarKey, rowsId, before: previewedAt };
  const names = await listMissing(sql, from, page);
  return names.map(({ name, unicode }) => ({
    id: MISSING + name,
    class: "missing",
    line: null,
    name,
    unicode,
    values: {},
    changes: [],
    problems: [],
    repeats: null,
    skipped: false,
  }));
}
