import { log } from "../../shared/log.ts";
import type { Loop } from "./loop.ts";
import { OutdatedError } from "../database/database-error.ts";
import type { WatchedDatabase } from "../database/watch-outages.ts";
import { NEWEST_SCHEMA, readSchema } from "../database/migrate.ts";

/** With the stop of the loop, the last write comes within 20 s. */
const WATCH_MS = 10_000;

/**
 * Stops the loop and then refuses writes once a newer version has changed the schema while this one runs,
 * until a restart with that version. Reads go on, as migrations add before they take away.
 */
export function guardSchema(database: WatchedDatabase, loop: Loop) {
  let outdated: string | null = null;
  let refusesWrites = false;
  const allowed = async () => {
    if (refusesWrites) throw new OutdatedError(outdated ?? "");
    return database;
  };

  loop.add({
    name: "Watching the schema",
    pauseMs: WATCH_MS,
    async round() {
      const schema = (await database.read(readSchema).catch(() => null)) ?? 0;
      if (schema <= NEWEST_SCHEMA || outdated !== null) return false;
      outdated =
        `the database was changed by a newer version (schema ${schema}, this one knows ${NEWEST_SCHEMA}): ` +
        "this instance only reads until it is restarted with the newer version";
      log.error(`Writes are refused: ${outdated}.`);
      // Messages that are under way still note that they were sent. The stop waits for this round, too.
      void loop.stop().finally(() => (refusesWrites = true));
      return false;
    },
  });

  return {
    /** Why this instance should get no more requests; null while it should. */
    reason: async () => outdated ?? (await database.reason()),
    /** @throws {OutdatedError} From `write` and `writeMany`. */
    database: {
      ...database,
      write: async (work) => (await allowed()).write(work),
      writeMany: async (job, input) => (await allowed()).writeMany(job, input),
    } satisfies WatchedDatabase,
  };
}
