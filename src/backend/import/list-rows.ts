import type { SQL } from "bun";
import {
  ROW_FILTERS,
  type ImportRow,
  type ImportRowPage,
  type RowFilter,
} from "../../shared/import.ts";
import * as p from "../../shared/parse.ts";
import type { Database, Job } from "../database/database.ts";
import { PAGE_SIZE, pageOf, parsePageSize } from "../http/paging.ts";
import { queryOf } from "../http/read-input.ts";
import { toLine } from "../domains/list/csv-export.ts";
import { findImport } from "./import-record.ts";
import { isSkipped, listMissing, lookupEnd, rowId } from "../merge/preview-rows.ts";

export const parseRowQuery = queryOf({
  class: p.optional(p.oneOf(ROW_FILTERS)),
  after: p.optional(
    p.textLike(/^(?:\d{12}|missing-[a-z0-9.-]{1,253})$/, "value", "the `next` of the page before"),
  ),
  limit: p.optional(parsePageSize),
});

/** Rows of the file have twelve digits for an id; a missing name has none, but itself. */
const MISSING = "missing-";

type Row = Pick<ImportRow, "line" | "class" | "repeats" | "name" | "unicode"> &
  Record<"row_key" | "said" | "changes" | "problems", string> &
  Record<"lookup" | "by_hand", string | null>;

type RowsInput = { id: string; query: ReturnType<typeof parseRowQuery> };

/** A page of the rows of the file, then of names that it lacks; `after` is the id of the row before. */
export const readRows: Job<RowsInput, ImportRowPage> = {
  name: "list rows of an import",
  async run(sql, { id, query: { class: only, after = "0", limit = PAGE_SIZE } }) {
    const { rowsId, registrarKey, previewedAt } = await findImport(sql, id);
    if (rowsId === null) return { items: [], next: null };
    const isInFile = only !== "missing" && !after.startsWith(MISSING);
    const inFile = { after, limit: limit + 1 };
    const items = isInFile ? await listFileRows(sql, rowsId, only, inFile) : [];
    const open = limit + 1 - items.length;
    if (open > 0 && (only ?? "missing") === "missing" && registrarKey !== null) {
      const from = { registrarKey, rowsId, before: previewedAt };
      const name = after.startsWith(MISSING) ? after.slice(MISSING.length) : "";
      items.push(...(await listMissing(sql, from, { after: name, limit: open })).map(missingRow));
    }
    const { page, next } = pageOf(items, limit, (row) => row.id);
    return { items: page, next };
  },
};

async function listFileRows(
  sql: SQL,
  rowsId: string,
  only: RowFilter | undefined,
  { after, limit }: { after: string; limit: number },
): Promise<ImportRow[]> {
  const all = sql`id > ${rowId(rowsId, after)} and id < ${rowId(rowsId, "A")} order by id`;
  const taken = sql`(lookup is null or lookup < ${lookupEnd(rowsId)})`;
  const kind = only === "partly" ? sql`partly = 1` : sql`class = ${only ?? ""}`;
  const filter =
    only === "skipped" ? isSkipped(sql, rowsId) : sql`staging = ${rowsId} and ${kind} and ${taken}`;
  const filtered = sql`${filter} and row_key > ${after} order by row_key`;
  const rows = await sql<Row[]>`
    select row_key, line, class, repeats, lookup, by_hand, name, unicode, said, changes, problems
    from import_rows where ${only === undefined ? all : filtered} limit ${limit}`;
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
    skipped: row.lookup !== null && row.lookup > lookupEnd(rowsId),
    archived: row.by_hand?.split(",").includes("archivedOn") ?? false,
  }));
}

function missingRow({ name, unicode }: { name: string; unicode: string }): ImportRow {
  return {
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
    archived: false,
  };
}

const LEFT_OUT_ROWS = 500;

/** Names lines of the uploaded file, not cells: those are stored nowhere, as some may be secret. */
export async function* leftOutCsv(database: Database, rowsId: string): AsyncGenerator<string> {
  yield `\ufeff${toLine(["Line", "Domain", "Reason"])}`;
  for (let after: string | null = "0"; after !== null;) {
    const rows: Row[] = await database.readMany(readLeftOut, { rowsId, after });
    yield rows.map((row) => toLine([String(row.line), row.unicode ?? "", reasonOf(row)])).join("");
    after = rows.length < LEFT_OUT_ROWS ? null : (rows.at(-1)?.row_key ?? null);
  }
}

export const readLeftOut: Job<{ rowsId: string; after: string }, Row[]> = {
  name: "list rows that are left out",
  run: async (sql, { rowsId, after }) => [
    ...(await sql<Row[]>`
      select row_key, line, class, repeats, lookup, name, unicode, problems from import_rows
      where id > ${rowId(rowsId, after)} and id < ${rowId(rowsId, "A")}
        and (class in ('duplicate', 'invalid') or lookup > ${lookupEnd(rowsId)})
      order by id limit ${LEFT_OUT_ROWS}`),
  ],
};

function reasonOf(row: Row): string {
  if (row.class === "duplicate") return `Same domain as line ${row.repeats}`;
  if (row.class !== "invalid") return "Left out by hand";
  const problems: ImportRow["problems"] = JSON.parse(row.problems);
  return problems.map(({ detail }) => detail).join("; ");
}
