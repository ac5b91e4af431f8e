import type { SQL } from "bun";
import {
  ROW_FILTERS,
  type ImportRow,
  type ImportRowPage,
  type RowClass,
  type RowFilter,
} from "../../shared/import.ts";
import * as p from "../../shared/parse.ts";
import type { Database, Job } from "../database/database.ts";
import { PAGE_SIZE, pageOf, parsePageSize } from "../http/paging.ts";
import { queryOf } from "../http/read-input.ts";
import { toLine } from "../domains/list/csv-export.ts";
import { findImport, type ImportRecord } from "./import-record.ts";
import { isSkipped, listMissing, lookupEnd, rowId } from "../merge/planned-rows.ts";

export const parseRowQuery = queryOf({
  class: p.optional(p.oneOf(ROW_FILTERS)),
  after: p.optional(
    p.textLike(/^(?:\d{12}|missing-[a-z0-9.-]{1,253})$/, "value", "the `next` of the page before"),
  ),
  limit: p.optional(parsePageSize),
});

/** Rows of the file have twelve digits for an id; a missing name has none, but itself. */
const MISSING = "missing-";

type Row = {
  row_key: string;
  line: number;
  class: RowClass;
  repeats: number | null;
  lookup: string | null;
  by_hand: string | null;
  name: string | null;
  unicode: string | null;
} & Record<"said" | "changes" | "problems", string>;

/** A page of the rows of the file, then of names that it lacks; `after` is the id of the row before. */
export const readRows: Job<{ id: string; query: ReturnType<typeof parseRowQuery> }, ImportRowPage> =
  {
    name: "list rows of an import",
    async run(sql, { id, query: { class: only, after = "0", limit = PAGE_SIZE } }) {
      const record = await findImport(sql, id);
      const { rowsId } = record;
      if (rowsId === null) return { items: [], next: null };
      const isInFile = only !== "missing" && !after.startsWith(MISSING);
      const items = isInFile
        ? await listFileRows(sql, rowsId, { only, after, limit: limit + 1 })
        : [];
      if (items.length <= limit && (only === undefined || only === "missing")) {
        const name = after.startsWith(MISSING) ? after.slice(MISSING.length) : "";
        items.push(
          ...(await listAbsent(sql, record, { after: name, limit: limit + 1 - items.length })),
        );
      }
      const { page, next } = pageOf(items, limit, (row) => row.id);
      return { items: page, next };
    },
  };

async function listFileRows(
  sql: SQL,
  rowsId: string,
  { only, after, limit }: { only: RowFilter | undefined; after: string; limit: number },
): Promise<ImportRow[]> {
  const all = sql`id > ${rowId(rowsId, after)} and id < ${rowId(rowsId, "A")} order by id`;
  const taken = sql`(lookup is null or lookup < ${lookupEnd(rowsId)})`;
  const kind = only === "partly" ? sql`partly = 1` : sql`class = ${only ?? ""}`;
  const filtered =
    only === "skipped"
      ? sql`${isSkipped(sql, rowsId)} and row_key > ${after} order by row_key`
      : sql`staging = ${rowsId} and ${kind} and ${taken} and row_key > ${after} order by row_key`;
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
    archived: false,
  }));
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
