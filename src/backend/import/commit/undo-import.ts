import type { BulkJob } from "../../database/database.ts";
import { undoChanges } from "../../domains/undo-operation.ts";
import { lockImport, readImport, type ImportRecord } from "../import-record.ts";

/** What became of an undo. `too-late`: its rows are no longer stored. */
type Undone =
  | { kind: "undone"; record: ImportRecord }
  | { kind: "missing" }
  | { kind: "preview" }
  | { kind: "too-late" };

/**
 * Reverts what a committed import did, except for what was edited since, in one transaction. For an
 * import that is undone already, the answer is the import.
 */
export const undoImport: BulkJob<{ id: string; email: string }, Undone> = {
  name: "undo import",
  async run(sql, { id, email }) {
    await lockImport(sql, id);
    const at = new Date().toISOString();
    const record = await readImport(sql, id);
    if (record === null) return { kind: "missing" };
    if (record.state === "preview") return { kind: "preview" };
    if (record.state === "undone") return { kind: "undone", record };
    if (record.rowsId === null) return { kind: "too-late" };
    const { kept, ...done } = await undoChanges(sql, id, { email, at, importId: id });
    // A domain that was deleted since stays deleted.
    const undo = { ...done, kept: kept.filter(({ fields }) => fields.length > 0) };
    await sql`update imports set state = 'undone', undone_at = ${at}, undo = ${JSON.stringify(undo)}
      where id = ${id}`;
    return { kind: "undone", record: { ...record, state: "undone", undoneAt: at, undo } };
  },
};
