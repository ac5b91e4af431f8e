import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { leaseChecks } from "../../../src/backend/checks/store.ts";
import { mergeServers } from "../../../src/backend/checks/lookup-servers.ts";
import { openRegister } from "../../support/empty-database.ts";

const DUE = 20_000;
const NOW = new Date("2026-11-28T12:00:00.000Z");
const servers = mergeServers(new Map(), null);

test("the next check is found as quickly among many that are due as among few", async () => {
  await using register = await openRegister();
  const { database, file } = register;
  {
    using direct = new Database(file);
    // Of no domain: foreign keys are off here.
    const add = direct.query(`insert into checks
      (domain_id, kind, name, queue, due_at, priority, failures, result) values (?, ?, ?, ?, ?, ?, 0, ?)`);
    const wide = "x".repeat(500);
    direct.transaction(() => {
      for (const [queue, count] of [
        ["dns", DUE],
        ["http", 20],
      ] as const) {
        for (let at = 0; at < count; at += 1) {
          const due = new Date(NOW.getTime() - ((at * 7919) % count) * 1000).toISOString();
          add.run(`${queue}${at}`, queue, `name-${at}.example`, queue, due, at % 6, wide);
        }
      }
    })();
  }
  /** Processor time of the quickest of some leases; what was leased is given back. */
  const lease = async (queue: string) => {
    let least = Infinity;
    for (let tries = 0; tries < 5; tries += 1) {
      const began = process.cpuUsage();
      const leased = await database.write((sql) =>
        leaseChecks(sql, queue, { servers, now: NOW, limit: 4 }),
      );
      const { user, system } = process.cpuUsage(began);
      least = Math.min(least, user + system);
      expect(leased.map(({ priority }) => priority).toSorted()).toEqual(
        queue === "dns" ? [5, 5, 5, 5] : [4, 5, 5, 5],
      );
      await database.write(async (sql) => {
        await sql`update checks set leased_until = null`;
        await sql`update check_hosts set next_at = ${NOW.toISOString()}`;
      });
    }
    return least;
  };
  expect(await lease("dns")).toBeLessThan(4 * (await lease("http")));
});
