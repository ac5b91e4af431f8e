import { describe, expect } from "bun:test";
import { listTables } from "../../../src/backend/database/migrate.ts";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { parseSummary } from "../../../src/shared/register.ts";
import type { ApiClient } from "../../support/api-client.ts";
import type { BackendServer } from "../../support/backend-server.ts";
import { test } from "../../support/owner-test.ts";
import { addDomain, deleteDomain, patchDomain } from "../../support/domains.ts";

const send = async (client: ApiClient, method: string) =>
  (await client.request("/api/sample", { method })).status;

const readSummary = async (client: ApiClient) => parseSummary(await client.json("/api/summary"));

/** Rows of these come and go by themselves; on Postgres, those that count domains until they are swept. */
const UNCOUNTED = new Set(["sessions", "domain_counts"]);

/** How many rows each table has, but for those. */
function countRows(server: BackendServer): Promise<Record<string, number>> {
  return server.read(async (sql) => {
    const found: Record<string, number> = {};
    for (const table of (await listTables(sql)).filter((name) => !UNCOUNTED.has(name))) {
      found[table] = (await sql<unknown[]>`select 1 from ${sql(table)}`).length;
    }
    return found;
  });
}

describe("the sample data", () => {
  test("shows something in every part of home, and is gone without a trace beside what is there", async (client) => {
    const before = await countRows(client.server);
    expect((await readSummary(client)).sample).toBe(false);
    expect(await send(client, "POST")).toBe(201);

    const { work, ...summary } = await readSummary(client);
    expect(summary).toMatchObject({ sample: true, total: 40, conflicts: 3, unknown: 2 });
    expect(work.expired.items.some(({ autoRenew }) => autoRenew === true)).toBe(true);
    const { today: _, ...groups } = work;
    for (const { total } of Object.values(groups)) expect(total).toBeGreaterThan(0);
    expect(summary.expiries.filter(({ names }) => names > 0).length).toBeGreaterThan(9);
    expect(new Set(summary.costs.map(({ currency }) => currency)).size).toBe(3);
    expect(summary.unpriced).toBeGreaterThan(0);

    expect(await send(client, "POST")).toBe(409);
    const { items } = parseDomainPage(await client.json("/api/domains?limit=3"));
    await patchDomain(client, items[0]?.id ?? "", { notes: "Mine", tags: ["shop"] }, "*");
    await deleteDomain(client, items[1]?.id ?? "");
    expect(await send(client, "DELETE")).toBe(204);
    expect(await countRows(client.server)).toEqual(before);
    expect((await readSummary(client)).sample).toBe(false);

    // What somebody added beside it stays.
    expect(await send(client, "POST")).toBe(201);
    const own = { name: "mine.example", registrar: "Gandi", tags: ["shop"] };
    const { id } = await addDomain(client, own);
    expect(await send(client, "DELETE")).toBe(204);
    expect(await client.json(`/api/domains/${id}`)).toMatchObject(own);
    expect(await readSummary(client)).toMatchObject({ total: 1, sample: false });
    expect(await send(client, "POST")).toBe(409);
  });
});
