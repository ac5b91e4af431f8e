import type { Database } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import type { DateOrder, ImportDefaults } from "../../shared/import-contract.ts";
import { findByUpload, readImport, type ImportRecord } from "./import-record.ts";
import { discardStaging } from "./preview/stagings.ts";
import type { Preview } from "./preview/make-preview.ts";

/** How long a preview is kept that nobody commits; its upload with it. */
export const PREVIEW_MS = 24 * 60 * 60_000;

/** What a person has said of a file beside its mapping. */
export interface Choices {
  dateOrder: DateOrder | null;
  defaults: ImportDefaults;
}

/** Makes an import of a preview; the id of the other one where the upload is in one already. */
export async function addImport(
  database: Database,
  preview: Preview,
  given: Choices & { uploadId: string; fileName: string; userId: string },
): Promise<ImportRecord | { existing: string }> {
  const id = Bun.randomUUIDv7();
  const row = {
    id,
    user_id: given.userId,
    upload_id: given.uploadId,
    state: "preview",
    file_name: given.fileName,
    created_at: preview.previewedAt,
    ...columnsOf(preview, given),
  };
  try {
    return await database.write(async (sql) => {
      await sql`insert into imports ${sql(row)}`;
      await sql`update uploads set expires_at = ${expiryOf(preview)} where id = ${given.uploadId}`;
      return existing(await readImport(sql, id));
    });
  } catch (error) {
    await discardStaging(database, preview.staging);
    if (!isUniqueViolation(error)) throw error;
    const other = await database.read((sql) => findByUpload(sql, given.uploadId));
    return { existing: other ?? "" };
  }
}

/** Puts another preview in the place of the one that `before` has; null where it has moved on. */
export async function replacePreview(
  database: Database,
  before: ImportRecord,
  { preview, choices }: { preview: Preview; choices: Choices },
): Promise<ImportRecord | null> {
  const { id, staging, uploadId } = before;
  const replaced = await database.write(async (sql) => {
    const rows = await sql<unknown[]>`
      update imports set ${sql(columnsOf(preview, choices))}
      where id = ${id} and state = 'preview' and staging = ${staging} and unfinished is null
      returning 1`;
    if (rows.length === 0) return null;
    await sql`update uploads set expires_at = ${expiryOf(preview)} where id = ${uploadId}`;
    return existing(await readImport(sql, id));
  });
  const old = replaced === null ? preview.staging : staging;
  if (old !== null) await discardStaging(database, old);
  return replaced;
}

function columnsOf(preview: Preview, { dateOrder, defaults }: Choices) {
  return {
    previewed_at: preview.previewedAt,
    staging: preview.staging,
    analysis: JSON.stringify(preview.analysis),
    date_order: dateOrder,
    defaults: JSON.stringify(defaults),
    counts: JSON.stringify(preview.counts),
    registrar_key: preview.registrarKey,
    changed_fields: JSON.stringify(preview.changedFields),
  };
}

function expiryOf({ previewedAt }: Preview): string {
  return new Date(Date.parse(previewedAt) + PREVIEW_MS).toISOString();
}

function existing(record: ImportRecord | null): ImportRecord {
  if (record === null) throw new Error("An import vanished within its own transaction");
  return record;
}
