import { SQL } from "bun";
import { expect, test } from "bun:test";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { countRows } from "../../../src/backend/database/database.ts";
import { isConflict } from "../../../src/backend/database/database-error.ts";
import { readFields } from "../../../src/backend/domains/list/read-domains.ts";
import {
  putInBin,
  readBin,
  removeBinned,
  sweepBin,
} from "../../../src/backend/domains/write/bin.ts";
import { blankDomain, writeDomains } from "../../../src/backend/domains/write/write-domains.ts";
import { onSqlite } from "../../support/both-databases.ts";
import { openRegister } from "../../support/empty-database.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";

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

const AUTHOR = { by: { id: null, name: "Ada", token: null }, at: "2027-03-01T12:00:00.000Z" };
const ID = "01890000-0000-7000-8000-000000000001";

onSqlite("the bin is in the order of deletions, whatever clock an instance has", async () => {
  await using register = await openRegister();
  const domainOf = (name: string) => blankDomain(crypto.randomUUID(), { name, unicode: name });
  const { items } = await register.database.write(async (sql) => {
    const later = { ...AUTHOR, at: "2027-03-02T12:00:00.000Z" };
    await putInBin(sql, [domainOf("oak.example")], later);
    await putInBin(sql, [domainOf("elm.example")], AUTHOR);
    return readBin.run(sql, {});
  });
  expect(items.map(({ name }) => name)).toEqual(["oak.example", "elm.example"]);
});

test.skipIf(!hasPostgres)(
  "a domain that another transaction has deleted meanwhile is a conflict, which is tried again",
  async () => {
    await using postgres = await preparedPostgres();
    const after = blankDomain(ID, { name: "oak.example", unicode: "oak.example" });
    await postgres.database.write((sql) => writeDomains(sql, [{ before: null, after }], AUTHOR));
    await using later = new SQL(postgres.url, { max: 1 });
    const failing = later.begin("isolation level repeatable read", async (sql) => {
      const domains = await readFields(sql, "id", [ID]);
      await postgres.database.write(async (other) => {
        await putInBin(other, domains, AUTHOR);
        await removeBinned(other, AUTHOR);
      });
      await putInBin(sql, domains, AUTHOR);
    });
    expect(isConflict(await failing.catch((error: unknown) => error))).toBe(true);
  },
);
