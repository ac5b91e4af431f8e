import { DAY_MS } from "../../shared/day.ts";
import type { SQL } from "bun";
import type { Database, Job } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { findByUpload, readImport, type ImportRecord } from "./import-record.ts";
import { MAX_PREVIEW_BYTES, type Preview } from "./make-preview.ts";
import { instantIn } from "../database/clock.ts";
import { removePreviewRows, skipAgain, sweepPreviewRows } from "../merge/planned-rows.ts";

/** How long an uncommitted preview and its upload are kept. */
const PREVIEW_MS = DAY_MS;

/** How long a committed import can be undone: its rows are kept for so long, then only its counts. */
export const UNDO_DAYS = 30;

/**
 * Previews that one person may have open; the oldest are discarded for a new one. Their rows may take
 * as many bytes together as those of one preview.
 */
const MAX_OPEN_PREVIEWS = 10;

/** Makes an import of a preview; or returns the id of the one that has the upload already. */
export async function addImport(
  database: Database,
  preview: Preview,
  given: { uploadId: string; fileName: string; userId: string },
): Promise<ImportRecord | { existing: string }> {
  const id = Bun.randomUUIDv7();
  const row = {
    id,
    user_id: given.userId,
    upload_id: given.uploadId,
    state: "preview",
    file_name: given.fileName,
    created_at: preview.previewedAt,
    ...columnsOf(preview),
  };
  try {
    const { record, discarded } = await database.write(async (sql) => {
      await sql`insert into imports ${sql(row)}`;
      await sql`update uploads set expires_at = ${expiryOf(preview)} where id = ${given.uploadId}`;
      const others = await discardOldest(sql, id, preview);
      return { record: existing(await readImport(sql, id)), discarded: others };
    });
    await removeRows(database, discarded);
    return record;
  } catch (error) {
    await removeRows(database, [preview.rowsId]);
    if (!isUniqueViolation(error)) throw error;
    const other = await database.read((sql) => findByUpload(sql, given.uploadId));
    return { existing: other ?? "" };
  }
}

/**
 * Replaces the preview that `before` has; `record` is null where the import has changed meanwhile. Returns
 * the ids of the rows that are left to be removed.
 */
export const replacePreview: Job<
  { before: ImportRecord; preview: Preview },
  { record: ImportRecord | null; unused: (string | null)[] }
> = {
  name: "replace preview",
  async run(sql, { before: { id, rowsId, uploadId }, preview }) {
    const counts = { ...preview.counts };
    if (rowsId !== null) await skipAgain(sql, rowsId, { rowsId: preview.rowsId, counts });
    const rows = await sql<unknown[]>`
      update imports set ${sql(columnsOf({ ...preview, counts }))}
      where id = ${id} and state = 'preview' and staging = ${rowsId}
      returning 1`;
    if (rows.length === 0) return { record: null, unused: [preview.rowsId] };
    await sql`update uploads set expires_at = ${expiryOf(preview)} where id = ${uploadId}`;
    const discarded = await discardOldest(sql, id, preview);
    return { record: existing(await readImport(sql, id)), unused: [rowsId, ...discarded] };
  },
};

/** Discards every preview with its rows and its upload. */
export async function discardPreviews(database: Database): Promise<void> {
  const previews = await database.read(
    (sql) => sql<{ id: string }[]>`select id from imports where state = 'preview'`,
  );
  for (const { id } of previews) await discardPreview(database, id);
}

/** Discards a preview with its rows and its upload. */
export async function discardPreview(
  database: Database,
  id: string,
): Promise<"discarded" | "missing" | "committed"> {
  const found = await database.write(async (sql) => {
    const discarded = await deletePreview(sql, id);
    if (discarded !== null) return discarded;
    return (await readImport(sql, id)) === null ? "missing" : "committed";
  });
  if (typeof found === "string") return found;
  await removeRows(database, [found.rowsId]);
  return "discarded";
}

/** Removes rows that no import has any more; those that cannot be removed right now are swept. */
export async function removeRows(database: Database, ids: readonly (string | null)[]) {
  for (const id of ids) {
    if (id !== null) await database.writeMany(removePreviewRows, id).catch(() => undefined);
  }
}

/** Removes previews older than a day, and rows that are no longer needed. Their uploads expire then, too. */
export async function sweepImports(database: Database): Promise<void> {
  await database.write(async (sql) => {
    await sql`delete from imports
      where state = 'preview' and previewed_at <= ${instantIn(sql, -PREVIEW_MS / 1000)}`;
    const committedBefore = instantIn(sql, (-UNDO_DAYS * DAY_MS) / 1000);
    await sql`update imports set staging = null where staging is not null
      and (state = 'undone' or (state = 'committed' and committed_at <= ${committedBefore}))`;
  });
  await sweepPreviewRows(
    database,
    (sql) => sql`id in (select staging from imports where staging is not null)`,
  );
}

/**
 * Discards the oldest other previews of the same person, so that all keep within the limits. Returns
 * the ids of their rows, which are left to be deleted.
 */
async function discardOldest(sql: SQL, id: string, preview: Preview): Promise<string[]> {
  const others = await sql<{ id: string; analysis: string }[]>`
    select id, analysis from imports
    where user_id = (select user_id from imports where id = ${id}) and state = 'preview' and id <> ${id}
    order by id desc`;
  const discarded: string[] = [];
  let bytes = preview.rowBytes;
  for (const [index, other] of others.entries()) {
    const { rowBytes }: { rowBytes: number } = JSON.parse(other.analysis);
    bytes += rowBytes;
    if (index + 2 <= MAX_OPEN_PREVIEWS && bytes <= MAX_PREVIEW_BYTES) continue;
    const found = await deletePreview(sql, other.id);
    if (found?.rowsId) discarded.push(found.rowsId);
  }
  return discarded;
}

async function deletePreview(sql: SQL, id: string): Promise<{ rowsId: string | null } | null> {
  const [row] = await sql<{ upload_id: string; staging: string | null }[]>`
    delete from imports where id = ${id} and state = 'preview'
    returning upload_id, staging`;
  if (row === undefined) return null;
  await sql`delete from uploads where id = ${row.upload_id}`;
  return { rowsId: row.staging };
}

function columnsOf(preview: Preview) {
  const { dateOrder, defaults } = preview.analysis;
  return {
    previewed_at: preview.previewedAt,
    staging: preview.rowsId,
    analysis: JSON.stringify({ ...preview.analysis, rowBytes: preview.rowBytes }),
    date_order: dateOrder,
    defaults: JSON.stringify(defaults),
    counts: JSON.stringify(preview.counts),
    registrar_key: preview.registrarKey,
  };
}

function expiryOf({ previewedAt }: Preview): string {
  return new Date(Date.parse(previewedAt) + PREVIEW_MS).toISOString();
}

function existing(record: ImportRecord | null): ImportRecord {
  if (record === null) throw new Error("An import vanished within its own transaction");
  return record;
}
