import { describe, expect } from "bun:test";
import { sweepImports } from "../../../src/backend/import/import-record.ts";
import { sweepBin } from "../../../src/backend/domains/write/bin.ts";
import { parseChangePage } from "../../../src/shared/changes.ts";
import type { DomainDetail } from "../../../src/shared/domain-detail.ts";
import { parseImport } from "../../../src/shared/import.ts";
import type { BinPage, Undone } from "../../../src/shared/operations.ts";
import type { BulkResult } from "../../../src/shared/register.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import {
  addDomain,
  addDomains,
  changeMany,
  deleteDomain,
  FULL_DOMAIN,
  listNames,
  patchDomain,
  reportExpiry,
  undoOperation,
} from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { importFile } from "../../support/import-client.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

const OTHER_VALUES = {
  registrar: "Gandi",
  account: null,
  owner: "Bob",
  tags: ["new"],
  decision: "drop",
  autoRenew: true,
  expires: "2031-01-01",
  renewal: null,
  notes: "other",
};

async function detail(client: ApiClient, nameOrId: string): Promise<DomainDetail> {
  return (await client.request(`/api/domains/${nameOrId}`)).json();
}

/** Changes a domain, and returns the operation. */
async function edit(client: ApiClient, id: string, json: object): Promise<string> {
  return (await (await patchDomain(client, id, json, "*")).json()).operation;
}

const restore = (client: ApiClient, id: string) => client.post("/api/bin/restore", { ids: [id] });

async function bulk(client: ApiClient, ids: string[], op: object): Promise<BulkResult> {
  const response = await changeMany(client, { ids }, op);
  expect(response.status).toBe(200);
  return response.json();
}

async function undo(client: ApiClient, operation: unknown): Promise<Undone> {
  const response = await undoOperation(client, operation);
  expect(response.status).toBe(200);
  return response.json();
}

async function remove(client: ApiClient, id: string): Promise<string> {
  const response = await deleteDomain(client, id);
  expect(response.status).toBe(200);
  return (await response.json()).operation;
}

async function bin(client: ApiClient, query = ""): Promise<BinPage> {
  return (await client.request(`/api/bin?${query}`)).json();
}

describe("POST /api/operations/:operations/undo", () => {
  test("sets back every field of an edit, and does it again", async (client) => {
    const before = await addDomain(client, FULL_DOMAIN);
    const operation = await edit(client, before.id, OTHER_VALUES);
    const undone = await undo(client, operation);
    expect(undone).toEqual({ restored: 1, kept: [], operation: expect.any(String) });
    const { observedAt: _, ...expires } = before.expires ?? { observedAt: "" };
    const { updatedAt: __, ...values } = { ...before, expires, version: 3 };
    expect(await detail(client, before.id)).toMatchObject(values);
    expect(await client.json(`/api/domains/${before.id}/history`)).toMatchObject({
      items: [{ operation: undone.operation }, { operation }, { action: "added" }],
    });
    expect(await undo(client, operation)).toEqual({ restored: 0, kept: [], operation: null });

    expect(await undo(client, undone.operation)).toMatchObject({ restored: 1, kept: [] });
    const expected = { date: OTHER_VALUES.expires, source: "manual" };
    expect(await detail(client, before.id)).toMatchObject({ ...OTHER_VALUES, expires: expected });
  });

  test("keeps what was changed since, and says so, before it is done and then", async (client) => {
    const names = ["a.example", "b.example", "c.example"];
    const ids = await addDomains(client, names, { owner: "Ada", tags: ["x"] });
    const [a = "", b = "", c = ""] = ids;
    const op = { kind: "edit", owner: "Bob", decision: "drop", addTags: ["y"] };
    const { operation } = await bulk(client, ids, op);
    await patchDomain(client, b, { owner: "Carol" }, "*");
    await remove(client, c);
    const kept = [
      { name: "b.example", unicode: "b.example", fields: ["owner"] },
      { name: "c.example", unicode: "c.example", fields: [] },
    ];
    const before = await client.json("/api/domains");
    const foretold = await client.post(`/api/operations/${operation}/undo/foretell`);
    expect(await foretold.json()).toMatchObject({ restored: 2, kept });
    expect(await client.json("/api/domains")).toEqual(before);
    const undone = await undo(client, operation);
    expect(undone).toEqual({ restored: 2, kept, operation: expect.any(String) });
    expect(await detail(client, a)).toMatchObject({ owner: "Ada", tags: ["x"] });
    expect(await detail(client, b)).toMatchObject({ owner: "Carol", decision: null });
  });

  test("withdraws a day set by hand, and gives a name back unless it is taken", async (client) => {
    await importFile(client, "domain,registrar,expires\nold.example,GoDaddy,2027-01-05\n");
    const { id } = await detail(client, "old.example");
    const json = { name: "new.example", expires: "2029-01-01" };
    const undone = await undo(client, await edit(client, id, json));
    expect(undone.restored).toBe(1);
    const reported = { date: "2027-01-05", source: "GoDaddy", conflict: false };
    expect(await detail(client, id)).toMatchObject({ name: "old.example", expires: reported });
    await addDomain(client, { name: "new.example" });
    const kept = [{ name: "old.example", fields: ["name"] }];
    expect(await undo(client, undone.operation)).toMatchObject({ restored: 1, kept });
    const again = { date: "2029-01-01", source: "manual" };
    expect(await detail(client, id)).toMatchObject({ name: "old.example", expires: again });
  });

  once("spells a label as before, unless another domain has it too", async (client) => {
    const { id } = await addDomain(client, { name: "a.example", tags: ["shop"], registrar: "eno" });
    const respell = () => edit(client, id, { tags: ["Shop"], registrar: "Eno" });
    expect(await undo(client, await respell())).toMatchObject({ restored: 1, kept: [] });
    expect(await detail(client, id)).toMatchObject({ tags: ["shop"], registrar: "eno" });
    const again = await respell();
    await addDomain(client, { name: "b.example", tags: ["shop"] });
    expect(await undo(client, again)).toMatchObject({ restored: 1 });
    expect(await detail(client, id)).toMatchObject({ tags: ["Shop"], registrar: "eno" });
    expect(await detail(client, "b.example")).toMatchObject({ tags: ["Shop"] });
  });

  once("moves what was added to the bin, unless it was edited", async (client) => {
    const add = async (name: string) =>
      (await client.post("/api/domains", { name, owner: "Ada" })).json();
    const [plain, edited] = [await add("plain.example"), await add("edited.example")];
    await patchDomain(client, edited.id, { notes: "mine" }, "*");
    const kept = [{ name: "edited.example", fields: ["notes"] }];
    const nothing = { restored: 0, kept, operation: null };
    expect(await undo(client, edited.operation)).toMatchObject(nothing);
    const undone = await undo(client, plain.operation);
    expect((await bin(client)).items).toMatchObject([{ id: plain.id, name: "plain.example" }]);
    expect(await undo(client, undone.operation)).toMatchObject({ restored: 1 });
    expect(await detail(client, plain.id)).toMatchObject({ owner: "Ada" });
  });

  test("brings back hundreds as they were, with ids, tags, reports and history", async () => {
    // Else a round might find conflicts meanwhile.
    await using server = await startBackend({ loop: createSteppedLoop() });
    const client = await server.owner();
    await fillRegister(await server.openDatabase(), 250);
    const csv = async () => (await client.request("/api/domains.csv")).text();
    const before = await csv();
    const { items } = await (await client.request("/api/domains?expires=conflict&limit=1")).json();
    const sample = await detail(client, items[0].id);
    expect(sample.expires?.alternatives).not.toEqual([]);
    const select = { filter: {}, expectedCount: 250 };
    const deleted = await changeMany(client, select, { kind: "delete" });
    const { operation } = await deleted.json();
    expect(await bin(client, "limit=2")).toMatchObject({
      total: 250,
      items: [{ operation, deletedBy: "ada@example.com" }, { operation }],
    });
    await addDomain(client, { name: items[0].name });
    const undone = await undo(client, operation);
    expect(undone).toMatchObject({ restored: 249, kept: [{ name: items[0].name }] });
    const { id } = await detail(client, items[0].name);
    await remove(client, id);
    expect(await undo(client, operation)).toMatchObject({ restored: 1, kept: [] });
    expect(await csv()).toBe(before);
    // The file has its values. What the look of each day has found is found again.
    const { expires, observations } = sample;
    expect(await detail(client, sample.id)).toMatchObject({ expires, observations });
    const { items: changes } = parseChangePage(
      await client.json(`/api/domains/${sample.id}/history`),
    );
    expect(changes.map(({ action }) => action)).toEqual(["added", "deleted"]);
    // The other with this name is in the bin, and nothing else.
    expect(await bin(client)).toMatchObject({ total: 1, items: [{ id }] });
  });

  once("leaves the reports of a day as they were, and so a conflict", async (client) => {
    const { id } = await addDomain(client, { name: "a.example", expires: "2027-01-01" });
    await importFile(client, "Domain,Registrar,Expires\na.example,Gandi,2026-12-20\n");
    const { expires, observations } = await detail(client, id);
    expect(expires).toMatchObject({ date: "2027-01-01", conflict: true });
    const undone = await undo(client, await edit(client, id, { expires: "2030-01-01" }));
    expect(undone).toMatchObject({ restored: 1, kept: [] });
    expect(await detail(client, id)).toMatchObject({ expires, observations });
    const redone = await undo(client, undone.operation);
    // Twice is as good as once.
    await undo(client, redone.operation);
    expect(await undo(client, redone.operation)).toMatchObject({ restored: 0, kept: [] });
    for (const restored of [1, 0]) {
      expect(await undo(client, undone.operation)).toMatchObject({ restored, kept: [] });
    }
    const again = { date: "2030-01-01", conflict: false };
    expect((await detail(client, id)).expires).toMatchObject(again);
  });

  once("leaves a day until none that was set later is in use", async (client) => {
    const { id } = await addDomain(client, { name: "a.example" });
    const days = ["2031-01-01", "2032-01-01", "2031-01-01"];
    const operations: string[] = [];
    for (const expires of days) operations.push(await edit(client, id, { expires }));
    const before = await detail(client, id);
    const kept = [{ name: "a.example", unicode: "a.example", fields: ["expires"] }];
    const first = operations[0] ?? "";
    expect(await undo(client, first)).toEqual({ restored: 0, kept, operation: null });
    expect(await detail(client, id)).toEqual(before);
    const left: unknown[] = [];
    for (const operation of operations.toReversed()) {
      expect(await undo(client, operation)).toMatchObject({ restored: 1, kept: [] });
      left.push((await detail(client, id)).expires?.date);
      // Another day is in use.
      if (left.length === 1) expect(await undo(client, first)).toMatchObject({ restored: 0, kept });
    }
    expect(left).toEqual(["2032-01-01", "2031-01-01", undefined]);
  });

  test("undoes several as one, and the undo of an import, which stands again", async (client) => {
    const { id } = await addDomain(client, { name: "a.example" });
    const edits: unknown[] = [];
    for (const json of [{ decision: "keep" }, { notes: "x" }]) {
      edits.push(await edit(client, id, json));
    }
    const undone = await undo(client, edits.join());
    expect(undone).toMatchObject({ restored: 2, kept: [] });
    expect(await detail(client, id)).toMatchObject({ decision: null, notes: "" });
    await undo(client, undone.operation);
    expect(await detail(client, id)).toMatchObject({ decision: "keep", notes: "x" });

    const file = "Domain,Owner\na.example,Ada\nb.example,Ada\n";
    const { id: importId } = await importFile(client, file);
    const stateOf = async () => parseImport(await client.json(`/api/imports/${importId}`)).state;
    const database = await client.server.openDatabase();
    for (const _ of [1, 2]) {
      const of = await undo(client, importId);
      expect(of).toMatchObject({ restored: 2, kept: [] });
      expect(await stateOf()).toBe("undone");
      await sweepImports(database);
      expect((await undo(client, of.operation)).restored).toBe(2);
      expect(await stateOf()).toBe("committed");
      expect(await detail(client, "b.example")).toMatchObject({ owner: "Ada" });
    }
    const path = `/api/operations/${edits.join()},nonsense/undo`;
    expect((await client.post(path)).status).toBe(404);
  });
});

describe("/api/bin", () => {
  test("restores one by one, but no name that is taken, until it is emptied", async (client) => {
    const first = await addDomain(client, FULL_DOMAIN);
    await remove(client, first.id);
    const second = await addDomain(client, { name: FULL_DOMAIN.name });
    const taken = { restored: 0, taken: [FULL_DOMAIN.name], operation: null };
    expect(await (await restore(client, first.id)).json()).toEqual(taken);
    await remove(client, second.id);
    const { items, next } = await bin(client, "limit=1");
    expect(items).toMatchObject([{ id: second.id, unicode: FULL_DOMAIN.name }]);
    expect((await bin(client, `limit=1&after=${next}`)).items).toMatchObject([{ id: first.id }]);
    const { operation, ...result } = await (await restore(client, first.id)).json();
    expect(result).toEqual({ restored: 1, taken: [] });
    const { updatedAt: _, ...values } = { ...first, version: 2 };
    expect(await detail(client, first.name)).toMatchObject(values);
    expect(await undo(client, operation)).toMatchObject({ restored: 1 });

    // Of as many as were seen, or of all.
    const fewer = await client.delete("/api/bin?expectedCount=1");
    expect(await fewer.json()).toMatchObject({ status: 409, count: 2 });
    expect((await bin(client)).total).toBe(2);
    expect((await client.delete("/api/bin?expectedCount=2")).status).toBe(204);
    expect(await bin(client)).toEqual({ items: [], next: null, total: 0 });
    expect((await restore(client, first.id)).status).toBe(404);
    await remove(client, (await addDomain(client, FULL_DOMAIN)).id);
    expect((await client.delete("/api/bin")).status).toBe(204);
    expect((await bin(client)).total).toBe(0);
  });

  test("restores once what many restore at once, and never beside the same name", async (client) => {
    const add = (name: string) => client.post("/api/domains", { name });
    const undoOf = (operation: unknown) => undoOperation(client, operation);
    const together = async (...requests: Promise<Response>[]) => {
      for (const { status } of await Promise.all(requests))
        expect([200, 201, 404, 409]).toContain(status);
    };
    for (const round of [1, 2, 3]) {
      const { id, name } = await addDomain(client, { name: `binned-${round}.com` });
      const operation = await remove(client, id);
      await together(restore(client, id), restore(client, id), undoOf(operation));
      const again = await remove(client, id);
      await together(restore(client, id), add(name), undoOf(again), deleteDomain(client, id));
      const renamed = await addDomain(client, { name: `before-${round}.com` });
      const rename = await edit(client, renamed.id, { name: `after-${round}.com` });
      await together(undoOf(rename), add(`before-${round}.com`));
    }
    const names = await listNames(client);
    expect(new Set(names).size).toBe(names.length);
  });

  test("is swept after 30 days", async (client) => {
    const [old, young] = await addDomains(client, ["old.example", "young.example"]);
    for (const id of [old, young]) await remove(client, id ?? "");
    const database = await client.server.openDatabase();
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    await database.write(async (sql) => {
      await sql`update bin set deleted_at = ${days(29)} where domain_id = ${young}`;
      await sql`update bin set deleted_at = ${days(31)} where domain_id = ${old}`;
    });
    await sweepBin(database);
    expect(await bin(client)).toMatchObject({ total: 1, items: [{ name: "young.example" }] });
  });
});

describe("conflicts", () => {
  once("are settled by a rule or a source, as is told before", async (client) => {
    await importFile(client, "domain,registrar,expires\na.example,GoDaddy,2028-01-01\n");
    await importFile(client, "domain,registrar,expires\na.example,Porkbun,2027-01-01\n");
    const { id } = await detail(client, "a.example");
    const same = await addDomain(client, { name: "same.example", expires: "2030-01-01" });
    const settle = async (op: object): Promise<[number, string | undefined]> => {
      const result = await bulk(client, [id, same.id], { kind: "settle", ...op });
      const { expires } = await detail(client, id);
      if (result.operation !== null) {
        expect(expires).toMatchObject({ source: "manual", conflict: false, alternatives: [] });
        await undo(client, result.operation);
      }
      const alternatives = [{ date: "2028-01-01", source: "GoDaddy" }];
      expect(await detail(client, id)).toMatchObject({
        expires: { date: "2027-01-01", source: "Porkbun", conflict: true, alternatives },
      });
      return [result.changed, expires?.date];
    };
    expect(await settle({ by: "later" })).toEqual([1, "2028-01-01"]);
    for (const by of ["newest", "earliest", "registrar"])
      expect(await settle({ by })).toEqual([1, "2027-01-01"]);
    expect(await settle({ by: "registry" })).toEqual([0, "2027-01-01"]);
    expect(await settle({ by: "source", source: "godaddy" })).toEqual([1, "2028-01-01"]);
    expect(await settle({ by: "source", source: "Gandi" })).toEqual([0, "2027-01-01"]);
    expect(await detail(client, same.id)).toMatchObject({ version: 1 });
    const find = async (select: object) =>
      (await client.post("/api/domains/conflicts", { select })).json();
    const told = (domains: number) => {
      const ways = ["registrar", "newest", "earliest", "later"].map((by) => ({ by, source: null }));
      const sources = ["GoDaddy", "Porkbun"].map((source) => ({ by: "source", source }));
      const settlings = [...ways, ...sources].map(({ by, source }) => {
        const isOther = by === "later" || source === "GoDaddy";
        return { by, source, domains, changes: isOther ? domains : 0 };
      });
      return { domains, settlings };
    };
    for (const select of [{ ids: [id, same.id] }, { filter: {}, expectedCount: 2 }]) {
      expect(await find(select)).toEqual(told(1));
    }
    expect(await find({ ids: [same.id] })).toEqual({ domains: 0, settlings: [] });
    // More than are read at once.
    const names = Array.from({ length: 210 }, (_, index) => `n${index}.example`);
    for (const reported of ["GoDaddy,2028-01-01", "Porkbun,2027-01-01"]) {
      const lines = names.map((name) => `${name},${reported}`);
      await importFile(client, ["domain,registrar,expires", ...lines].join("\n"));
    }
    expect(await find({ filter: {}, expectedCount: 210 })).toEqual(told(211));
  });

  once(
    "are settled by the date reported last, of an older one, or by the one set by hand",
    async (client) => {
      const { id } = await addDomain(client, { name: "a.example" });
      const [january, june] = ["2026-01-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"];
      await reportExpiry(await client.server.openDatabase(), id, [
        { source: "GoDaddy", date: "2027-03-01", observedAt: january },
        { source: "whois:whois.nic.example", date: "2028-03-01", observedAt: june },
      ]);
      const { expires } = await detail(client, id);
      expect(expires).toMatchObject({ date: "2027-03-01", conflict: true });
      await bulk(client, [id], { kind: "settle", by: "newest" });
      expect((await detail(client, id)).expires).toMatchObject({ date: "2028-03-01" });

      // A day set by hand stays when it is set once more.
      await addDomain(client, { name: "b.example", expires: "2030-01-01" });
      await importFile(client, "domain,registrar,expires\nb.example,GoDaddy,2028-01-01\n");
      const own = await detail(client, "b.example");
      expect(own.expires).toMatchObject({ conflict: true, alternatives: [{ date: "2028-01-01" }] });
      const later = { kind: "settle", by: "later" };
      expect(await bulk(client, [own.id], later)).toMatchObject({ changed: 1 });
      const settled = { date: "2030-01-01", conflict: false };
      expect((await detail(client, own.id)).expires).toMatchObject(settled);
    },
  );
});
