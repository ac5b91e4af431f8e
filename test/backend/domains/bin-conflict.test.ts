import { SQL } from "bun";
import { expect, test } from "bun:test";
import { isConflict } from "../../../src/backend/database/database-error.ts";
import { putInBin, removeBinned } from "../../../src/backend/domains/write/bin.ts";
import { readFields } from "../../../src/backend/domains/list/read-domains.ts";
import { blankDomain, writeDomains } from "../../../src/backend/domains/write/write-domains.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";

const AUTHOR = { by: { id: null, name: "Ada", token: null }, at: "2027-03-01T12:00:00.000Z" };
const ID = "01890000-0000-7000-8000-000000000001";

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
