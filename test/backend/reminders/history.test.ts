import { expect, test } from "bun:test";
import { join } from "node:path";
import * as fc from "fast-check";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { histories, runHistory } from "./simulate-history.ts";

test("whatever happens, reminders tell what their rules say, miss nothing and repeat nothing", async () => {
  using folder = createTemporaryFolder();
  const database = await openDatabase(`sqlite://${join(folder.path, "register.sqlite")}`);
  await migrate(database);
  const holds = fc.asyncProperty(histories, async (history) => {
    const { told, expected, missed, repeated } = await runHistory(database, history);
    expect({ told, missed, repeated }).toEqual({ told: expected, missed: [], repeated: [] });
  });
  await fc.assert(holds, { numRuns: 10 });
  await database.close();
});
