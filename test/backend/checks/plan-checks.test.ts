import { describe, expect, spyOn } from "bun:test";
import type { SQL } from "bun";
import { listUnsettled } from "../../../src/backend/checks/derive.ts";
import { mergeServers } from "../../../src/backend/checks/lookup-servers.ts";
import { createPlanner } from "../../../src/backend/checks/plan-checks.ts";
import { leaseChecks, repairClock } from "../../../src/backend/checks/queues.ts";
import { startBackend } from "../../support/backend-server.ts";
import { onSqlite } from "../../support/both-databases.ts";
import { addDomain, deleteDomain, patchDomain } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { test } from "../../support/owner-test.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

const SOURCES = { rdap: new Map(), whois: new Map(), intervals: {} };
const NOW = new Date("2027-03-01T12:00:00Z");
const BEFORE = "2027-02-01T12:00:00.000Z";

describe("createPlanner", () => {
  test("comes to the oldest domains, however often it is called", async () => {
    // While checks are off, the server's own rounds take back what the planner finds.
    await using server = await startBackend({ loop: createSteppedLoop() });
    const database = await server.openDatabase();
    await fillRegister(database, 600);
    const planSome = createPlanner(database);
    while ((await planSome(SOURCES, NOW)) > 0);
    await database.write(async (sql) => {
      await sql`update domains set created_at = ${BEFORE}`;
      await sql`update checks set answered_at = ${BEFORE}, failures = 9`;
      const run = { answeredAt: BEFORE, failedAt: NOW.toISOString(), failures: 10, hosts: [] };
      const value = JSON.stringify({ startedAt: BEFORE, runs: { any: run } });
      await sql`insert into settings ${sql({ name: "checks reach", value })}`;
    });
    let time = performance.now();
    using _ = spyOn(performance, "now").mockImplementation(() => (time += 1));
    // Rounds follow each other fast while checks are under way.
    for (let rounds = 0; rounds < 50; rounds += 1) {
      await planSome(SOURCES, NOW);
      time += 100;
    }
    const [found] = await database.read(
      (sql) => sql<{ domains: number }[]>`
        select cast(count(*) as integer) as domains from findings where code = 'not-checked'`,
    );
    expect(found?.domains).toBe(600);
  });

  test("leaves out what is archived, of which nothing known stays", async (client) => {
    const { id } = await addDomain(client, { name: "a.example" });
    const database = await client.server.openDatabase();
    const planSome = createPlanner(database);
    const checks = () => database.read((sql) => sql`select * from checks where domain_id = ${id}`);
    await planSome(SOURCES, NOW);
    expect(await checks()).not.toBeEmpty();
    await patchDomain(client, id, { archivedOn: "2027-03-01" }, "*");
    const again = createPlanner(database);
    await again(SOURCES, NOW);
    expect(await checks()).toBeEmpty();
    await patchDomain(client, id, { archivedOn: null }, "*");
    await createPlanner(database)(SOURCES, NOW);
    expect(await checks()).not.toBeEmpty();
  });

  test("leaves out what is deleted while it looks", async () => {
    await using server = await startBackend({ loop: createSteppedLoop() });
    const client = await server.owner();
    const { id } = await addDomain(client, { name: "a.example" });
    const kept = await addDomain(client, { name: "b.example" });
    const database = await server.openDatabase();
    const planSome = createPlanner({
      ...database,
      async read(work) {
        const found = await database.read(work);
        await deleteDomain(client, id);
        return found;
      },
    });
    await planSome(SOURCES, NOW);
    const planned = await database.read(
      (sql) => sql<{ id: string }[]>`select distinct domain_id as id from checks`,
    );
    expect(planned.map((row) => row.id)).toEqual([kept.id]);
  });
});

onSqlite("what is looked for each day, and the next check, is found by an index", async () => {
  await using server = await startBackend({ loop: createSteppedLoop() });
  const { id: domain_id } = await addDomain(await server.owner(), { name: "a.example" });
  const database = await server.openDatabase();
  const lines: string[] = [];
  const explain = <T>(work: (sql: SQL) => Promise<T>): Promise<T> =>
    database.write(async (sql) => {
      const queries: SQL.Query<{ detail: string }[]>[] = [];
      const result = await work(
        new Proxy(sql, {
          apply(tag, self, given: [readonly string[]]) {
            const query = Reflect.apply(tag, self, given);
            const isRead = /^\s*(?:select|with|update)\b/.test(given[0][0] ?? "");
            if (isRead) queries.push(sql`explain query plan ${query}`);
            return query;
          },
        }),
      );
      for (const query of queries) lines.push(...(await query).map(({ detail }) => detail));
      return result;
    });
  await repairClock({ ...database, write: explain }, NOW);
  await explain((sql) => listUnsettled(sql, "2027-03-01"));
  expect(lines).toContain("SEARCH checks USING INDEX checks_by_look (checked_at>?)");
  expect(lines.filter((line) => line.startsWith("SCAN"))).toEqual([]);
  const row = { domain_id, kind: "dns", name: "a.example", queue: "dns", due_at: BEFORE };
  await server.write((sql) => sql`insert into checks ${sql({ ...row, priority: 1, failures: 0 })}`);
  const servers = mergeServers(new Map(), SOURCES);
  lines.length = 0;
  const leased = explain((sql) => leaseChecks(sql, "dns", { servers, now: NOW, limit: 4 }));
  expect(await leased).toMatchObject([{ domain_id }]);
  // What is picked is already in the right order, and no more than is wanted.
  expect(lines.filter((line) => /^SCAN (?!picked)|TEMP B-TREE/.test(line))).toEqual([]);
});
