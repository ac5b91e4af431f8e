import type { SQL } from "bun";
import { type Database, readColumn, instantIn } from "../database/database.ts";
import { removePreviewRows } from "../merge/planned-rows.ts";

const DAY_SECONDS = 24 * 60 * 60;

/** How long an uncommitted preview and its upload are kept. */
export const PREVIEW_SECONDS = DAY_SECONDS;

/** How long an import can be undone, and redone: its rows are kept that long, then only its counts. */
export const UNDO_DAYS = 30;

/** Rows older than this that no import points to are swept: another version writes them first. */
const ABANDONED_SECONDS = 60 * 60;

export async function discardPreviews(database: Database): Promise<void> {
  const ids = await database.read((sql) =>
    readColumn(sql`select id from imports where state = 'preview'`),
  );
  for (const id of ids) await discardPreview(database, id);
}

/** Discards a preview with its rows and its upload; false for an import that is no preview. */
export async function discardPreview(database: Database, id: string): Promise<boolean> {
  const rowsId = await database.write((sql) => deletePreview(sql, id));
  // Those that cannot be removed right now are swept.
  if (rowsId !== null) await database.writeMany(removePreviewRows, rowsId).catch(() => undefined);
  return rowsId !== null;
}

/** Deletes a preview and its upload; returns the id of its rows, or null for what is no preview. */
export async function deletePreview(sql: SQL, id: string): Promise<string | null> {
  const [row] = await sql<{ upload_id: string; staging: string | null }[]>`
    delete from imports where id = ${id} and state = 'preview'
    returning upload_id, staging`;
  if (row !== undefined) await sql`delete from uploads where id = ${row.upload_id}`;
  return row?.staging ?? null;
}

/** Removes previews older than a day, and rows that are no longer needed. Their uploads expire then, too. */
export async function sweepImports(database: Database): Promise<void> {
  await database.write(async (sql) => {
    await sql`delete from imports
      where state = 'preview' and previewed_at <= ${instantIn(sql, -PREVIEW_SECONDS)}`;
    // Those of an undone import, too: its undo can be undone, after which it stands again.
    await sql`update imports set staging = null where staging is not null
      and committed_at <= ${instantIn(sql, -UNDO_DAYS * DAY_SECONDS)}`;
  });
  const orphans = await database.read((sql) =>
    readColumn(sql`select id from import_stagings
      where created_at < ${instantIn(sql, -ABANDONED_SECONDS)}
        and id not in (select staging from imports where staging is not null)`),
  );
  for (const id of orphans) await database.writeMany(removePreviewRows, id);
}
