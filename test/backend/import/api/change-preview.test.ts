import { describe, expect } from "bun:test";
import type { Import } from "../../../../src/shared/import.ts";
import { sweepImports } from "../../../../src/backend/import/import-record.ts";
import { countRows } from "../../../support/backend-server.ts";
import { addDomain, deleteDomain, patchDomain } from "../../../support/domains.ts";
import {
  changeImport,
  importFile,
  listRows,
  previewOf,
  sendCommit,
  uploadFile,
} from "../../../support/import-client.ts";
import { once, test } from "../../../support/owner-test.ts";

const AMBIGUOUS = "Domain,Expires\na.example,05/01/2027\nb.example,07/08/2027\n";

describe("PATCH /api/imports/:id", () => {
  once(
    "answers what is open, and still offers it; until then nothing can be committed",
    async (client) => {
      const { id, ambiguous, columns } = await previewOf(client, AMBIGUOUS);
      expect(ambiguous).toEqual([
        {
          code: "date-order",
          column: 1,
          contradictory: false,
          orders: ["dmy", "mdy"],
          samples: ["05/01/2027", "07/08/2027"],
        },
      ]);
      expect(columns[1]?.dates).toEqual({ orders: ["dmy", "mdy"], contradictory: false });
      const refused = await sendCommit(client, id);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        errors: [{ pointer: "/dateOrder", code: "date-order" }],
      });
      expect(await client.json("/api/domains")).toMatchObject({ total: 0 });

      const defaults = { registrar: "Hoster", tags: ["new"] };
      const answered = await changeImport(client, { id }, { dateOrder: "dmy", defaults });
      expect(answered).toMatchObject({ id, ambiguous: [], dateOrder: "dmy", defaults });
      expect(answered.columns[1]?.dates?.orders).toEqual(["dmy", "mdy"]);
      expect((await sendCommit(client, id)).status).toBe(200);
      expect(await client.json("/api/domains")).toMatchObject({
        items: [
          { registrar: "Hoster", tags: ["new"], expires: { date: "2027-01-05", source: "Hoster" } },
          { expires: { date: "2027-08-07" } },
        ],
      });
      const file = "Domain,Expires\na.example,27-01-05\nb.example,01/31/27\n";
      const preview = await previewOf(client, file);
      const dates = { orders: ["dmy" as const, "mdy" as const], contradictory: true };
      expect(preview.columns[1]?.dates).toEqual(dates);
      const still = await changeImport(client, preview, { dateOrder: "dmy" });
      expect(still.columns[1]?.dates).toEqual(dates);
    },
  );

  once("takes another mapping and keeps it when something else is said", async (client) => {
    const preview = await previewOf(client, "Domain,Holder of it,Remark\na.example,Ada,hello\n");
    const { id } = preview;
    await changeImport(client, preview, { mapping: ["name", "ignore", "owner"] });
    const again = await changeImport(client, preview, { defaults: { account: "main" } });
    expect(again.columns.map(({ field }) => field)).toEqual(["name", "ignore", "owner"]);
    const [row] = await listRows(client, id);
    expect(row?.values).toEqual({ owner: "hello", account: "main" });
    const mapping = ["owner", "ignore", "ignore"];
    expect((await client.patch(`/api/imports/${id}`, { mapping })).status).toBe(400);
    expect((await listRows(client, id))[0]?.values).toEqual(row?.values);
  });
});

once("DELETE /api/imports/:id forgets a preview, its rows and its upload", async (client) => {
  const { id } = await previewOf(client, "a.example\nb.example\n");
  expect((await client.delete(`/api/imports/${id}`)).status).toBe(204);
  expect(await client.json("/api/imports")).toEqual({ items: [] });
  expect(await countRows(client.server, "import_rows")).toBe(0);
  expect(await countRows(client.server, "uploads")).toBe(0);
  expect(await countRows(client.server, "upload_parts")).toBe(0);
});

test("GET /api/imports/:id/rows pages through the rows of a class, the missing ones last", async (client) => {
  for (const name of ["x.example", "y.example", "z.example"]) {
    await addDomain(client, { name, registrar: "Hoster" });
  }
  const names = Array.from({ length: 5 }, (_, index) => `n${index}.example`);
  const { id } = await previewOf(client, `${names.join("\n")}\ny.example\n`, {
    defaults: { registrar: "Hoster" },
  });
  const paged = await listRows(client, id, "limit=2");
  expect(paged.map((row) => row.name)).toEqual([...names, "y.example", "x.example", "z.example"]);
  expect((await listRows(client, id, "class=new&limit=2")).map(({ name }) => name)).toEqual(names);
  const missing = await listRows(client, id, "class=missing&limit=1");
  expect(missing.map(({ name }) => name)).toEqual(["x.example", "z.example"]);
});

describe("POST /api/imports/:id/commit", () => {
  test("compares anew what has changed since the preview", async (client) => {
    const kept = await addDomain(client, { name: "c.example", owner: "Kim" });
    const gone = await addDomain(client, { name: "d.example" });
    const paid = await addDomain(client, { name: "e.example", owner: "Pat" });
    const { id, counts } = await previewOf(
      client,
      "Domain,Owner,Account\na.example,Pat,\nb.example,Pat,\nc.example,Pat,\nd.example,Pat,\ne.example,Pat,main\n",
    );
    expect(counts).toMatchObject({ new: 2, changed: 3, same: 0 });
    await addDomain(client, { name: "a.example", owner: "Pat" });
    await deleteDomain(client, gone.id);
    await patchDomain(client, kept.id, { owner: "Ada", notes: "n" }, "*");
    // What it would have changed is done; what was right is not any more.
    await patchDomain(client, paid.id, { owner: "Ada", account: "main" }, "*");

    // A person has decided on other counts, and has deleted one of the names meanwhile.
    const stale = await sendCommit(client, id);
    expect(stale.status).toBe(409);
    const now = { new: 2, changed: 2, same: 1 };
    expect(await stale.json()).toMatchObject({ current: { state: "preview", counts: now } });
    expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 3 });
    expect((await client.request(`/api/domains/${gone.id}`)).status).toBe(404);
    const done: Import = await (await sendCommit(client, id)).json();
    expect(done).toMatchObject({ state: "committed", counts: now });
    expect((await listRows(client, id)).map((row) => [row.name, row.class])).toEqual([
      ["a.example", "same"],
      ["b.example", "new"],
      ["c.example", "changed"],
      ["d.example", "new"],
      ["e.example", "changed"],
    ]);
    expect(await client.json("/api/domains?owner=pat&limit=1")).toMatchObject({ total: 5 });
    expect(await client.json(`/api/domains/${kept.id}`)).toMatchObject({
      owner: "Pat",
      notes: "n",
    });
  });

  once("overwrites nothing that was typed since, and says so first", async (client) => {
    const { id: domain } = await addDomain(client, { name: "a.example", owner: "Kim" });
    const { id, counts } = await previewOf(client, "Domain,Account\na.example,file\n");
    const edit = (json: object) => patchDomain(client, domain, json, "*");
    await edit({ account: "typed" });
    const stale = await sendCommit(client, id);
    expect(stale.status).toBe(409);
    const now = { ...counts, byHand: [{ field: "account", domains: 1 }] };
    expect(await stale.json()).toMatchObject({ current: { state: "preview", counts: now } });
    expect(await client.json(`/api/domains/${domain}`)).toMatchObject({ account: "typed" });
    const [row] = await listRows(client, id);
    expect(row?.changes).toEqual([{ field: "account", before: "typed", after: "file" }]);

    // What the row does stays as it is shown, whatever else somebody edits.
    await edit({ owner: "Pat" });
    expect((await sendCommit(client, id)).status).toBe(200);
    const both = { owner: "Pat", account: "file" };
    expect(await client.json(`/api/domains/${domain}`)).toMatchObject(both);
  });
});

test("sweepImports removes what nobody can use any more, and nothing else", async (client) => {
  const old = await previewOf(client, "a.example\n");
  const young = await previewOf(client, "b.example\n");
  const long = await importFile(client, "c.example\n");
  const late = await importFile(client, "d.example\n");
  const unused = await uploadFile(client, "e.example\n");
  const database = await client.server.openDatabase();
  const past = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await database.write(async (sql) => {
    await sql`update imports set previewed_at = ${past(1)} where id = ${old.id}`;
    await sql`update imports set committed_at = ${past(31)} where id = ${long.id}`;
    await sql`update import_stagings set created_at = ${past(1)}`;
  });
  await sweepImports(database);

  expect((await client.request(`/api/imports/${old.id}`)).status).toBe(404);
  expect(await listRows(client, young.id)).toHaveLength(1);
  expect(await listRows(client, long.id)).toEqual([]);
  expect(await countRows(client.server, "import_rows")).toBe(2);
  const json = { uploadId: unused, defaults: { registrarUnknown: true } };
  expect((await client.post("/api/imports", json)).status).toBe(201);
  const undo = (id: string) => client.post(`/api/imports/${id}/undo`);
  expect((await undo(long.id)).status).toBe(409);
  expect((await undo(late.id)).status).toBe(200);
});
