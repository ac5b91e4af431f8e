import { describe, expect, test } from "bun:test";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { startOperation } from "../../../src/backend/domains/history.ts";
import { applyRows } from "../../../src/backend/merge/apply-rows.ts";
import { planRows } from "../../../src/backend/merge/plan-rows.ts";
import { createPreviewRows, rowKey, toRecords } from "../../../src/backend/merge/planned-rows.ts";
import { startBackend } from "../../support/backend-server.ts";

describe("applyRows", () => {
  test("makes rows without an import an operation that can be undone", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const database = await server.openDatabase();
    const author = startOperation({ id: null, name: "owner@example.com" });
    const source = { own: false, name: "Registrar account" };
    const counts = { new: 1, changed: 0, same: 0, duplicate: 0, invalid: 0, missing: 0 };
    const none = { partly: 0, skipped: 0, moves: [], secondDates: 0, losing: 0 };
    await database.write(async (sql) => {
      const rowsId = await createPreviewRows(sql);
      const name = { name: "a.example", unicode: "a.example", tld: "example" };
      const values = { expires: "2030-05-06", owner: "Ada" };
      const row = { line: 1, name, values, problems: [], repeats: null };
      const planned = await planRows(sql, [row], source);
      const records = planned.map((each) => ({ key: rowKey(1), row: each }));
      await insertRows(sql, "import_rows", toRecords(rowsId, records));
      const plan = { rowsId, counts: { ...counts, ...none }, source };
      await applyRows(sql, plan, { ...author, stamp: Bun.randomUUIDv7().slice(0, -12) });
    });
    await database.close();

    const { operation } = author;
    expect(await client.json("/api/summary")).toMatchObject({
      changes: [{ import: null, operation, action: "added" }],
    });
    const undone = await client.request(`/api/operations/${operation}/undo`, { method: "POST" });
    expect(undone.status).toBe(200);
    expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 0 });
  });
});
