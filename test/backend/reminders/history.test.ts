import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { openRegister } from "../../support/empty-database.ts";
import { histories, runHistory } from "./simulate-history.ts";

const RUNS = Number(process.env["HISTORIES"] ?? 10);

test("whatever happens, reminders tell what their rules say, miss nothing and repeat nothing", async () => {
  await using register = await openRegister();
  const { database } = register;
  const holds = fc.asyncProperty(histories, async (history) => {
    const { told, expected, missed, repeated } = await runHistory(database, history);
    expect({ told, missed, repeated }).toEqual({ told: expected, missed: [], repeated: [] });
  });
  await fc.assert(holds, { numRuns: RUNS });
});
