import type { Database } from "../database.ts";
import { commitImport } from "./commit/commit-import.ts";
import { undoImport } from "./commit/undo-import.ts";
import { listUnfinished } from "./import-record.ts";

/**
 * Finishes each commit and each undo that was cut off half-way, by a process that died or a disk that
 * was full. One that is under way right now is only helped along.
 */
export async function finishImports(database: Database): Promise<void> {
  for (const { id, unfinished } of await database.read(listUnfinished)) {
    const { email, at } = unfinished;
    const author = { email, at };
    await database.writeMany<unknown>((sql, size) =>
      unfinished.kind === "commit"
        ? commitImport(sql, id, { key: unfinished.key, author, size })
        : undoImport(sql, id, { author, size }),
    );
  }
}
