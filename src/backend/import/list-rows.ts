import type { SQL } from "bun";
import type { ImportRow, ImportRowPage, RowClass } from "../../shared/import.ts";
import type { ImportRecord } from "./import-record.ts";
import { listMissing } from "./preview/missing-domains.ts";
import { rowId } from "./preview/preview-rows.ts";

/** What `GET /api/imports/:id/rows` asks for; `after` is the id of the last row before the page. */
export interface RowQuery {
  class: RowClass | null;
  after: string | null;
  limit: number;
}

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
 * missing from it. Once the rows of an old import are gone, there are none.
 */
export async function listRows(
  sql: SQL,
  record: ImportRecord,
  query: RowQuery,
): Promise<ImportRowPage> {
  const { rowsId } = record;
  if (rowsId === null) return { items: [], next: null };
  const wanted = { ...query, limit: query.limit + 1 };
  const items = inFile(query) ? await listFileRows(sql, rowsId, wanted) : [];
  if (items.length < wanted.limit && (query.class === null || query.class === "missing")) {
    const limit = wanted.limit - items.length;
    items.push(...(await listAbsent(sql, record, { ...wanted, limit })));
  }
  const page = items.slice(0, query.limit);
  return { items: page, next: items.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

function inFile(query: RowQuery): boolean {
  return query.class !== "missing" && query.after?.startsWith(MISSING) !== true;
}

async function listFileRows(sql: SQL, rowsId: string, query: RowQuery): Promise<ImportRow[]> {
  const { class: only, after, limit } = query;
  const rows = await sql<Row[]>`
    select row_key, line, class, repeats, name, unicode, said, changes, problems from import_rows
    where ${
      only === null
        ? sql`id > ${rowId(rowsId, after ?? "0")} and id < ${rowId(rowsId, "A")} order by id`
        : sql`staging = ${rowsId} and class = ${only} and row_key > ${after ?? "0"}
            order by row_key`
    } limit ${limit}`;
  return [...rows].map((row) => ({
    id: row.row_key,
    class: row.class,
    line: row.line,
    name: row.name,
    unicode: row.unicode,
    values: JSON.parse(row.said),
    changes: JSON.parse(row.changes),
    problems: JSON.parse(row.problems),
    repeats: row.repeats,
  }));
}

async function listAbsent(
  sql: SQL,
  { rowsId, registrarKey, previewedAt }: ImportRecord,
  { after, limit }: RowQuery,
): Promise<ImportRow[]> {
  if (rowsId === null || registrarKey === null) return [];
  const from = { registrarKey, rowsId, before: previewedAt };
  const name = after?.startsWith(MISSING) === true ? after.slice(MISSING.length) : "";
  const names = await listMissing(sql, from, { after: name, limit });
  return [...names].map((missing) => ({
    id: MISSING + missing.name,
    class: "missing",
    line: null,
    name: missing.name,
    unicode: missing.unicode,
    values: {},
    changes: [],
    problems: [],
    repeats: null,
  }));
}
