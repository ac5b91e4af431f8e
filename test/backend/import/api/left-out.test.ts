import { describe, expect } from "bun:test";
import { changePreview } from "../../../../src/backend/import/make-preview.ts";
import type { Import } from "../../../../src/shared/import.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { databaseKind } from "../../../support/both-databases.ts";
import { addDomain } from "../../../support/domains.ts";
import { importTable } from "../../../support/import-table.ts";
import {
  changeImport,
  importFile,
  listRows,
  previewOf,
  sendCommit,
  skipRows,
  undoImport,
} from "../../../support/import-client.ts";
import { once, test } from "../../../support/owner-test.ts";

const FILE = [
  "Domain,Registrar,Expires,Auto-renew",
  "known.example,Hoster,2027-05-01,yes",
  "new.example,Hoster,soon,no",
  "new.example,Hoster,2027-06-02,no",
  "not a name,Hoster,2027-06-02,no",
  "other.example,Hoster,2027-06-02,perhaps",
  "https://www.url.example/,Hoster,2027-06-02,no",
].join("\n");

async function leftOut(client: ApiClient, { id }: Import): Promise<string[]> {
  const response = await client.request(`/api/imports/${id}/left-out.csv`);
  expect(response.headers.get("content-type")).toStartWith("text/csv");
  return (await response.text()).trim().split("\r\n");
}

describe("rows of a preview", () => {
  test("are listed by what was read of them, and left out one by one or as a class", async (client) => {
    const known = await addDomain(client, { name: "known.example", registrar: "Hoster" });
    const preview = await previewOf(client, FILE);
    expect(preview.counts).toMatchObject({ new: 3, changed: 1, partly: 2, skipped: 0 });
    const partly = await listRows(client, preview.id, "class=partly");
    expect(partly.map(({ name }) => name)).toEqual(["new.example", "other.example"]);

    const [first] = partly;
    const one = await skipRows(client, preview, { ids: [String(first?.id)] });
    expect(one.counts).toMatchObject({ new: 2, changed: 1, partly: 1, skipped: 1, missing: 0 });
    expect(await listRows(client, preview.id, "class=skipped")).toMatchObject([
      { name: "new.example", class: "new", skipped: true },
    ]);
    expect(await listRows(client, preview.id, "class=new")).toMatchObject([
      { name: "other.example", skipped: false },
      { name: "url.example", skipped: false },
    ]);
    const again = await skipRows(client, preview, { class: "skipped" });
    expect(again.counts).toEqual(one.counts);
    const all = await skipRows(client, preview, { class: "changed" });
    expect(all.counts).toMatchObject({ new: 2, changed: 0, partly: 1, skipped: 2 });

    // A change of the preview keeps what was left out, by name.
    const changed = await changeImport(client, preview, { defaults: { owner: "Pat" } });
    expect(changed.counts).toMatchObject({ new: 2, changed: 0, skipped: 2 });
    expect(await leftOut(client, preview)).toEqual([
      "Line,Domain,Reason",
      "2,known.example,Left out by hand",
      "3,new.example,Left out by hand",
      "4,new.example,Same domain as line 3",
      '5,,"That isn’t a valid domain. Use letters, digits, hyphens and dots: ""not a name"""',
    ]);
    expect(await listRows(client, preview.id, "class=missing")).toEqual([]);

    const committed = await sendCommit(client, preview.id);
    expect(await committed.json()).toMatchObject({ counts: { new: 2, changed: 0, skipped: 2 } });
    expect(await client.json(`/api/domains/${known.id}`)).toMatchObject({ version: 1 });
    expect(await client.json("/api/domains?sort=name")).toMatchObject({
      items: [{ name: "known.example" }, { name: "other.example" }, { name: "url.example" }],
    });
    expect(await leftOut(client, preview)).toHaveLength(5);
    const json = { skip: { class: "new" }, skipped: true };
    const path = `/api/imports/${preview.id}/rows`;
    expect((await client.patch(path, json)).status).toBe(409);
    expect((await undoImport(client, preview.id)).undo).toMatchObject({ removed: 2, restored: 0 });
    expect(await leftOut(client, preview)).toHaveLength(5);
  });

  test("are taken in again; stay left out of a changed preview, which looks each of them up", async (client) => {
    const { id } = await previewOf(client, importTable(1200));
    await skipRows(client, { id }, { class: "new" });
    const all = await skipRows(client, { id }, { class: "skipped" }, false);
    expect(all.counts).toMatchObject({ new: 1200, skipped: 0 });
    await skipRows(client, { id }, { class: "new" });
    await client.server.write(async (sql) => {
      const json = { id, defaults: { registrar: "Gandi" } };
      const { counts } = await changePreview.run(sql, json);
      expect(counts).toMatchObject({ new: 0, skipped: 1200 });
      if (databaseKind() === "sqlite") return;
      // To compare each row with all that were left out would read 1,440,000.
      const [read] = await sql<{ rows: number }[]>`
        select cast(idx_tup_fetch + seq_tup_read as integer) as rows
        from pg_stat_xact_user_tables where relname = 'import_rows'`;
      expect(read?.rows).toBeLessThan(20 * 1200);
    });
  });
});

once("GET /api/imports/template.csv is a list that imports without a question", async (client) => {
  const template = await (await client.request("/api/imports/template.csv")).text();
  const done = await importFile(client, template, { defaults: {} });
  expect(done).toMatchObject({ format: null, counts: { new: 1, partly: 0 } });
  expect(done.columns.filter(({ field }) => field === "ignore")).toEqual([]);
  expect(await client.json("/api/domains")).toMatchObject({
    items: [
      {
        name: "example.com",
        registrar: "Example Registrar",
        expires: { date: "2030-12-31", source: "Example Registrar" },
        renewal: { minor: 1250, currency: "EUR", years: 1 },
        tags: ["client", "shop"],
        nameservers: ["ns1.example.net", "ns2.example.net"],
        askingPrice: { minor: 90_000, currency: "EUR" },
        locked: true,
      },
    ],
  });
});

test("rows that are left out beside a commit are in its counts or refused", async (client) => {
  const { id } = await previewOf(client, importTable(1000));
  const change = (skipped: boolean) => {
    const json = { skip: { class: skipped ? "new" : "skipped" }, skipped };
    return client.patch(`/api/imports/${id}/rows`, json);
  };
  const changes = Array.from({ length: 14 }, (_, index) => change(index % 2 === 0));
  const [committed, ...changed] = await Promise.all([sendCommit(client, id), ...changes]);
  expect(committed?.status).toBe(200);
  expect(changed.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const { counts }: Import = await (await client.request(`/api/imports/${id}`)).json();
  expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: counts.new });
});

once("DELETE /api/imports discards every preview, and nothing else", async (client) => {
  const { id } = await importFile(client, "a.example\n");
  await previewOf(client, "b.example\n");
  await previewOf(client, "c.example\n");
  const remove = (query: string) =>
    client.delete(`/api/imports${query}`).then(({ status }) => status);
  expect([await remove(""), await remove("?state=committed")]).toEqual([400, 400]);
  expect(await remove("?state=preview")).toBe(204);
  expect(await client.json("/api/imports")).toMatchObject({ items: [{ id }] });
});
