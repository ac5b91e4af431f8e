import type { Database } from "../database/database.ts";
import { commitImport } from "./commit/commit-import.ts";
import { undoImport } from "./commit/undo-import.ts";
import { listUnfinished, type Unfinished } from "./import-record.ts";

/**
 * Finishes each commit and each undo that was cut off half-way, by a process that died or a disk that
 * was full. One that is under way right now is only helped along.
 *
 * @throws {AggregateError} When some cannot be finished; the others are.
 */
export async function finishImports(database: Database): Promise<void> {
  const errors: unknown[] = [];
  for (const { id, unfinished } of await database.read(listUnfinished)) {
    await finish(database, id, unfinished).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, "Some imports could not be finished");
}

async function finish(database: Database, id: string, unfinished: Unfinished): Promise<void> {
  const { email, at } = unfinished;
  const author = { email, at };
  await database.writeMany<unknown>((sql, size) =>
    unfinished.kind === "commit"
      ? commitImport(sql, id, { key: unfinished.key, author, size })
      : undoImport(sql, id, { author, size }),
  );
}
