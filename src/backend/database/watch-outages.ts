import { log } from "../../shared/log.ts";
import { type Database, wrapDatabase } from "./database.ts";
import { explainOutage, isDiskTrouble, isUnavailable } from "./database-error.ts";

/** How long nothing may have failed for an outage to be over: a small write may fit on a full disk. */
const QUIET_MS = 3000;

export type WatchedDatabase = ReturnType<typeof watchOutages>;

/** Logs an outage once for each reason, and its end, instead of each failed request and job. */
export function watchOutages(database: Database) {
  const reasons = new Set<string>();
  let failedAt = 0;
  /** Why nothing can be written; reads may go on. */
  let diskReason: string | null = null;

  const watched = wrapDatabase(database, async (start, kind) => {
    const isWrite = kind.startsWith("write");
    try {
      const result = await start();
      const isOver = performance.now() > failedAt + QUIET_MS && (isWrite || diskReason === null);
      if (reasons.size > 0 && isOver) {
        log.info(`The database ${database.place} is back.`);
        reasons.clear();
        diskReason = null;
      }
      return result;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      failedAt = performance.now();
      const reason = explainOutage(error);
      if (isDiskTrouble(error)) diskReason = reason;
      if (!reasons.has(reason))
        log.error(`The database ${database.place} ${reason} (Requests get 503 until it is back.)`);
      reasons.add(reason);
      throw error;
    }
  });

  async function explain(): Promise<string | null> {
    try {
      await watched.read((sql) => sql`select 1`);
      if (diskReason === null) return null;
      if (performance.now() < failedAt + QUIET_MS) return `the database ${diskReason}`;
      // Any row will do: it stays as it is.
      await watched.write(
        (sql) => sql`update settings set value = value where name = 'xsrf secret'`,
      );
      return null;
    } catch (error) {
      return `the database ${explainOutage(error)}`;
    }
  }

  return { ...watched, reason: explain };
}
