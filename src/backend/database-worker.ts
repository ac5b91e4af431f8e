import { SQL } from "bun";
import { connectReader, connectSqlite } from "./database/sqlite.ts";
import type { WorkerOrder, WorkerReply } from "./database/threads.ts";
import { RequestError } from "./http/request-error.ts";
import { createDeletePerson } from "./auth/people/people.ts";
import { useRight } from "./auth/session/rights.ts";
import { readCheaper } from "./costs/cheaper.ts";
import { readCosts } from "./costs/costs.ts";
import { readStatement } from "./costs/statement.ts";
import { changeMany, foretellMany } from "./domains/write/bulk.ts";
import { readConflictIds, readConflicts } from "./domains/write/conflicts.ts";
import { readCsvLines, readCustomNames, readExportIds } from "./domains/list/csv-export.ts";
import { readChangedAt } from "./domains/news.ts";
import { readFacets } from "./domains/list/facets.ts";
import { readPage } from "./domains/list/list-domains.ts";
import { readSummary, readYearlyCost } from "./domains/overview.ts";
import { readChanges } from "./domains/recent-changes.ts";
import { releaseDomains } from "./domains/write/save-domain.ts";
import { commitImport, previewUndo, skipPreviewRows, undoImport } from "./import/import-jobs.ts";
import { discardPreview } from "./import/import-record.ts";
import { changePreview, startImport } from "./import/make-preview.ts";
import { removePreviewRows } from "./merge/preview-rows.ts";
import { readLeftOut, readRows } from "./import/list-rows.ts";
import { changeRegistrar, readRegistrars } from "./domains/registrars.ts";
import { readCalendar } from "./reminders/calendars.ts";
import { pauseFollowers } from "./reminders/channels.ts";
import {
  evaluateReminders,
  planEvaluation,
  previewMessage,
  sweepReminders,
} from "./reminders/evaluate.ts";
import { answerNames, foretellUndo, undo } from "./accounts/answer-names.ts";
import { changeAccount } from "./accounts/change-account.ts";
import { mergeAccount } from "./accounts/merge-account.ts";
import { listNames } from "./accounts/names.ts";
import { countAccounts, countNews } from "./accounts/stored-accounts.ts";
import { deleteOld, emptyBin, readBin, restoreFromBin } from "./domains/write/bin.ts";
import { readProgress } from "./checks/queues.ts";

// The thread in which jobs on SQLite run, one after the other, until it is ended: see
// `Database.readMany` and `writeMany`.

const JOBS = [
  [useRight, createDeletePerson({ release: releaseDomains, ended: pauseFollowers })],
  [readPage, readFacets, readCustomNames, readExportIds, readCsvLines],
  [readSummary, readYearlyCost, readChangedAt, readChanges, readRegistrars, changeRegistrar],
  [changeMany, foretellMany, readConflictIds, readConflicts],
  [readBin, restoreFromBin, emptyBin, deleteOld],
  [readCosts, readCheaper, readStatement],
  [startImport, changePreview, skipPreviewRows, discardPreview, removePreviewRows],
  [readRows, readLeftOut, commitImport, undoImport, previewUndo],
  [readCalendar, planEvaluation, evaluateReminders, sweepReminders, previewMessage],
  [mergeAccount, changeAccount, answerNames, foretellUndo, undo],
  [countAccounts, countNews, listNames, readProgress],
].flat();

/** Stays open for the next read, as its pages and statements stay in memory. */
let reader: { file: string; sql: SQL } | null = null;

self.addEventListener("message", async ({ data }: MessageEvent<WorkerOrder>) => {
  try {
    await (data.kind === "read" ? read(data) : write(data));
  } catch (error) {
    reply(describe(error));
  }
});
reply({ ready: true });

async function read(order: WorkerOrder): Promise<void> {
  if (reader?.file !== order.file) {
    await reader?.sql.close();
    reader = { file: order.file, sql: await connectReader(order.file) };
  }
  reply({ result: await reader.sql.begin("deferred", (sql) => run(sql, order)) });
}

async function write(order: WorkerOrder): Promise<void> {
  await using sql = await connectSqlite(order.file);
  // Else the log is folded at the end of the transaction, before the answer.
  await sql`pragma wal_autocheckpoint = 0`;
  reply({ result: await sql.begin("immediate", (transaction) => run(transaction, order)) });
  // Folds the write-ahead log into the database here, once those who read what was before are done, while
  // other writers wait without keeping their thread: else the first of them folds it there. What a long
  // read keeps from being folded now, a later write folds. The job has its one answer already.
  await sql`pragma busy_timeout = 1000`;
  await sql`pragma wal_checkpoint(full)`.catch(() => undefined);
}

async function run(
  sql: SQL,
  { name, input, first }: Pick<WorkerOrder, "name" | "input" | "first">,
): Promise<unknown> {
  if (first !== undefined) await run(sql, { ...first, first: undefined });
  const job = JOBS.find((each) => each.name === name);
  if (job === undefined) throw new Error(`database-worker.ts has no job "${name}"`);
  // True because the input was given together with the job of this name.
  return job.run(sql, input as never);
}

function reply(message: WorkerReply): void {
  self.postMessage(message, []);
}

function describe(error: unknown): WorkerReply {
  if (error instanceof RequestError) {
    const { name, message, status, extra, headers } = error;
    return { refusal: { name, message, status, extra, headers } };
  }
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof SQL.SQLiteError ? { code: error.code, errno: error.errno } : null;
  return { error: { name, message, stack }, code };
}
