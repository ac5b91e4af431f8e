import { SQL } from "bun";
import { connectSqlite, type WorkerOrder, type WorkerReply } from "./database/sqlite.ts";
import { changeMany } from "./domains/bulk.ts";
import { undoOperation } from "./domains/undo-operation.ts";
import { commitImport, undoImport } from "./import/import-jobs.ts";
import { changeRegistrar } from "./registrars/change-registrar.ts";
import { evaluateReminders } from "./reminders/evaluate.ts";
import { answerNames } from "./sources/answer-names.ts";
import { mergeAccount } from "./sources/merge-account.ts";

// The worker thread in which SQLite's bulk jobs run, one after the other, until it is
// ended: see `Database.writeMany`.

const JOBS = [
  commitImport,
  undoImport,
  changeMany,
  undoOperation,
  changeRegistrar,
  evaluateReminders,
  mergeAccount,
  answerNames,
];

self.addEventListener("message", async ({ data }: MessageEvent<WorkerOrder>) => {
  try {
    await using sql = await connectSqlite(data.file);
    // 64 MiB of page cache (a negative number is in KiB): all indexes of 200,000 domains.
    await sql`pragma cache_size = -65536`;
    reply({ result: await sql.begin("immediate", (transaction) => run(transaction, data)) });
    // Folds the write-ahead log into the database here, where no request waits for it; what cannot
    // be folded now, the next job folds. The job has its one answer already.
    await sql`pragma wal_checkpoint(passive)`.catch(() => undefined);
  } catch (error) {
    reply(describe(error));
  }
});
reply({ ready: true });

function run(sql: SQL, { name, input }: WorkerOrder): Promise<unknown> {
  const job = JOBS.find((each) => each.name === name);
  if (job === undefined) throw new Error(`bulk-worker.ts has no job "${name}"`);
  // True because the input was given together with the job of this name.
  return job.run(sql, input as never);
}

function reply(message: WorkerReply): void {
  self.postMessage(message, []);
}

function describe(error: unknown): WorkerReply {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof SQL.SQLiteError ? { code: error.code, errno: error.errno } : null;
  return { error: { name, message, stack }, code };
}
