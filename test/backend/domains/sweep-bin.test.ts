import { expect } from "bun:test";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { countRows } from "../../../src/backend/database/database.ts";
import { sweepBin } from "../../../src/backend/domains/write/bin.ts";
import { onSqlite } from "../../support/both-databases.ts";
import { openRegister } from "../../support/empty-database.ts";

const NAMES = 8_000;

onSqlite("sweepBin leaves the thread that answers alone, however much goes", async () => {
  await using register = await openRegister();
  const { database } = register;
  const content = JSON.stringify({ domain: "x".repeat(2_000), observations: [] });
  const rows = Array.from({ length: NAMES }, (_, at) => ({
    id: Bun.randomUUIDv7(),
    domain_id: crypto.randomUUID(),
    name: `name-${at}.example`,
    unicode: `name-${at}.example`,
    deleted_at: at === 0 ? "2099-01-01T00:00:00.000Z" : "2026-01-01T00:00:00.000Z",
    deleted_by_name: "Ada",
    content,
  }));
  await database.write((sql) => insertRows(sql, "bin", rows));
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
  await sweepBin(database);
  const ownTime = process.threadCpuUsage(own);
  const allTime = process.cpuUsage(all);
  expect(ownTime.user + ownTime.system).toBeLessThan((allTime.user + allTime.system) / 2);
  expect(await database.read((sql) => countRows(sql, sql`bin`))).toBe(1);
});
