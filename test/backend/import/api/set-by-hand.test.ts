import { describe, expect } from "bun:test";
import { parseRecentChanges } from "../../../../src/shared/changes.ts";
import { parseDomainDetail } from "../../../../src/shared/domain-detail.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { reading, startAccounts } from "../../../support/accounts.ts";
import { changeMany } from "../../../support/domains.ts";
import {
  changeImport,
  importFile,
  previewOf,
  sendCommit,
  skipRows,
  undoImport,
} from "../../../support/import-client.ts";
import { once, test } from "../../../support/owner-test.ts";

const FILE = [
  "Domain,Expires,Auto-renew,Owner,Notes",
  "a.example,2027-01-05,on,Acme,from the file",
  "b.example,2027-01-05,on,Acme,",
  "c.example,2027-01-05,on,Acme,",
].join("\n");

async function edit(client: ApiClient, q: string, given: object): Promise<void> {
  const select = { filter: { q }, expectedCount: q === "example" ? 3 : 1 };
  expect((await changeMany(client, select, { kind: "edit", ...given })).status).toBe(200);
}

async function lastOperation(client: ApiClient): Promise<string> {
  const { items } = parseRecentChanges(await client.json("/api/changes"));
  return items[0]?.operations[0] ?? "";
}

async function look(client: ApiClient, name: string) {
  const detail = parseDomainDetail(await client.json(`/api/domains/${name}`));
  return [detail.autoRenew, detail.owner, detail.notes];
}

describe("values that people set by hand", () => {
  test("are counted, and stay or go as their field is told to", async (client) => {
    await importFile(client, FILE);
    await edit(client, "example", { autoRenew: false });
    await edit(client, "a.example", { owner: "Bob", notes: "mine" });
    // It is what the file says again: there is nothing to ask.
    await edit(client, "c.example", { autoRenew: true });
    const preview = await previewOf(client, FILE);
    const byHand = [
      { field: "autoRenew", domains: 2 },
      { field: "owner", domains: 1 },
      { field: "notes", domains: 1 },
    ];
    expect(preview.counts).toMatchObject({ byHand, changed: 1, same: 2 });
    const skip = { ids: ["000000000001"] };
    const skipped = await skipRows(client, preview, skip);
    expect(skipped.counts.byHand).toEqual([{ field: "autoRenew", domains: 1 }]);
    await skipRows(client, preview, skip, false);

    const defaults = { registrarUnknown: true, keepByHand: ["owner" as const] };
    const taken = await changeImport(client, preview, { defaults });
    expect(taken).toMatchObject({ defaults, counts: { byHand, changed: 2, same: 1 } });
    // One that changes meanwhile is compared again by the same choice.
    await edit(client, "b.example", { owner: "Eve" });
    expect((await sendCommit(client, preview.id)).status).toBe(200);
    expect(await look(client, "a.example")).toEqual([true, "Bob", "from the file"]);
    expect(await look(client, "b.example")).toEqual([true, "Eve", ""]);
    await undoImport(client, preview.id);
    expect(await look(client, "a.example")).toEqual([false, "Bob", "mine"]);
    const next = await importFile(client, FILE);
    expect(next.defaults.keepByHand).toBeUndefined();
    expect(await look(client, "a.example")).toEqual([false, "Acme", "mine"]);
  });

  once("are of no concern in our own export, and after another import", async (client) => {
    await importFile(client, FILE);
    await edit(client, "example", { owner: "Acme Ltd", autoRenew: false });
    const exported = await (await client.request("/api/domains.csv")).text();
    const own = await previewOf(client, exported.replaceAll("Acme", "Bob"));
    expect(own.counts).toMatchObject({ byHand: [], changed: 3 });
    await importFile(client, FILE, { defaults: { keepByHand: [] } });
    expect((await previewOf(client, FILE.replaceAll(",on,", ",off,"))).counts).toMatchObject({
      byHand: [],
      changed: 3,
    });
  });

  once("are neither what an undo set nor what is undone, until a redo", async (client) => {
    await importFile(client, FILE);
    const other = FILE.replaceAll("Acme", "Zoe");
    const asked = async () => (await previewOf(client, other)).counts?.byHand;
    const owners = (domains: number) => [{ field: "owner" as const, domains }];
    const undo = async (operation: string) => {
      const path = `/api/operations/${operation}/undo`;
      expect(await client.json(path, { method: "POST" })).toMatchObject({ restored: 1 });
    };
    await edit(client, "b.example", { owner: "Bob" });
    await edit(client, "a.example", { owner: "Bob" });
    const first = await lastOperation(client);
    await edit(client, "a.example", { owner: "Eve" });
    expect(await asked()).toEqual(owners(2));
    // What the first edit set stands again.
    await undo(await lastOperation(client));
    expect(await asked()).toEqual(owners(2));
    await undo(first);
    expect(await asked()).toEqual(owners(1));
    await undo(await lastOperation(client));
    expect(await asked()).toEqual(owners(2));
  });

  once("are not what a person accepted from an account", async () => {
    await using house = await startAccounts();
    const { id } = await house.add("A");
    house.readings.set("A", reading([{ name: "a.example", autoRenew: false }]));
    await house.read(id, "2027-03-01T08:00:00Z");
    expect((await house.post(id, "accept", { all: true, expectedCount: 1 })).status).toBe(200);
    const { counts } = await previewOf(house.client, "Domain,Auto-renew\na.example,on\n");
    expect(counts).toMatchObject({ byHand: [], changed: 1 });
  });
});
