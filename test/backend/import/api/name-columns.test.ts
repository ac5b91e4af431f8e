import { describe, expect, test } from "bun:test";
import type { Import } from "../../../../src/shared/import.ts";
import type { Mapping } from "../../../../src/backend/import/reading/mapping.ts";
import { openDatabase } from "../../../../src/backend/database/database.ts";
import { startBackend, type BackendServer } from "../../../support/backend-server.ts";
import { importFile, listRows, previewOf, sendCommit } from "../../../support/import-client.ts";

const TEXT =
  "SLD,TLD,ExpDate,Client\nnorthwind,com,2027-01-05,Ada\nBÜCHER,.Example,2027-02-06,\ncontoso,,2027-03-07,\nNorthwind,.com,2027-04-08,\n";

/** Makes a preview what it was before names in two columns were known. */
async function makeOld(server: BackendServer, id: string) {
  const database = await openDatabase(server.databaseUrl);
  await database.write(async (sql) => {
    const [row] = await sql<{ analysis: string }[]>`select analysis from imports where id = ${id}`;
    const { columns, mapping, source, ...rest } = JSON.parse(row?.analysis ?? "");
    const { nameColumns: _, ...old } = source;
    const analysis = { ...rest, columns: columns.slice(0, 4), mapping: mapping.slice(0, 4) };
    const json = JSON.stringify({ ...analysis, source: old });
    await sql`update imports set analysis = ${json} where id = ${id}`;
  });
  await database.close();
}

describe("/api/imports of a file whose names are in two columns", () => {
  test("reads, changes, commits and reads once more without a question", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const { id, columns, ambiguous, counts } = await previewOf(client, TEXT);
    expect(ambiguous).toEqual([]);
    expect(columns.map(({ header, field }) => [header, field])).toEqual([
      ["SLD", "ignore"],
      ["TLD", "ignore"],
      ["ExpDate", "expires"],
      ["Client", "owner"],
      ["SLD + TLD", "name"],
    ]);
    expect(counts).toMatchObject({ new: 2, duplicate: 1, invalid: 1 });
    const [invalid] = await listRows(client, id, "class=invalid");
    expect(invalid).toMatchObject({ line: 4, problems: [{ code: "invalid-name" }] });

    const mapping: Mapping = ["notes", "ignore", "expires", "ignore", "name"];
    const request = { method: "PATCH", json: { mapping } };
    const changed = await client.request(`/api/imports/${id}`, request);
    expect(changed.status).toBe(200);
    expect((await sendCommit(client, id)).status).toBe(200);
    expect(await client.json("/api/domains?sort=name")).toMatchObject({
      total: 2,
      items: [
        { name: "northwind.com", owner: null, notes: "northwind", expires: { date: "2027-01-05" } },
        { name: "xn--bcher-kva.example", notes: "BÜCHER", expires: { date: "2027-02-06" } },
      ],
    });
    const again = await importFile(client, TEXT, { mapping: ["ignore", ...mapping.slice(1)] });
    expect(again.counts).toMatchObject({ new: 0, changed: 0, same: 2 });
  });

  test("goes on with a preview that was made before such columns were known", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const kept = await previewOf(client, TEXT);
    await makeOld(server, kept.id);
    expect((await sendCommit(client, kept.id)).status).toBe(200);
    expect(await client.json("/api/domains")).toMatchObject({ total: 2 });

    const { id } = await previewOf(client, TEXT.replaceAll("2027", "2028"));
    await makeOld(server, id);
    const mapping: Mapping = ["name", "ignore", "expires", "owner"];
    const request = { method: "PATCH", json: { mapping } };
    const changed: Import = await (await client.request(`/api/imports/${id}`, request)).json();
    expect(changed.columns.map(({ field }) => field)).toEqual([...mapping, "ignore"]);
    expect(changed.counts).toMatchObject({ new: 0, invalid: 4 });
  });
});
