import type { Database } from "../database/database.ts";
import type { UploadFiles } from "../uploads/upload-files.ts";
import { sweepPreviewRows } from "./preview/preview-rows.ts";
import { PREVIEW_MS } from "./save-preview.ts";

/** How long a committed import can be undone: its rows are kept for so long, then only its counts. */
export const UNDO_DAYS = 30;

/** Removes previews older than a day with their uploads, and rows that nobody needs any more. */
export async function sweepImports(database: Database, files: UploadFiles): Promise<void> {
  const now = Date.now();
  const previewedBefore = new Date(now - PREVIEW_MS).toISOString();
  const committedBefore = new Date(now - UNDO_DAYS * 24 * 60 * 60_000).toISOString();
  const uploads = await database.write(async (sql) => {
    const gone = await sql<{ upload_id: string }[]>`
      delete from imports where state = 'preview'
        and previewed_at <= ${previewedBefore} returning upload_id`;
    const ids = [...gone].map((row) => row.upload_id);
    if (ids.length > 0) await sql`delete from uploads where id in ${sql(ids)}`;
    await sql`update imports set staging = null where staging is not null
      and (state = 'undone' or (state = 'committed' and committed_at <= ${committedBefore}))`;
    return ids;
  });
  for (const id of uploads) await files.remove(id);
  await sweepPreviewRows(database);
}
