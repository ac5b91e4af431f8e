import { describe, expect, test } from "bun:test";
import type { ColumnMeaning } from "../../../../src/shared/import.ts";
import { startBackend } from "../../../support/backend-server.ts";
import { importFile, listRows, previewOf, sendCommit } from "../../../support/import-client.ts";

const TEXT =
  "SLD,TLD,ExpDate,Client\nnorthwind,com,2027-01-05,Ada\nBÜCHER,.Example,2027-02-06,\ncontoso,,2027-03-07,\nNorthwind,.com,2027-04-08,\n";

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

    const mapping: ColumnMeaning[] = ["notes", "ignore", "expires", "ignore", "name"];
    const request = { method: "PATCH", json: { mapping } };
    const changed = await client.request(`/api/imports/${id}`, request);
    expect(changed.status).toBe(200);
    expect((await sendCommit(client, id)).status).toBe(200);
    expect(await client.json("/api/domains?sort=name")).toMatchObject({
      total: 2,
      items: [
        { name: "xn--bcher-kva.example", notes: "BÜCHER", expires: { date: "2027-02-06" } },
        { name: "northwind.com", owner: null, notes: "northwind", expires: { date: "2027-01-05" } },
      ],
    });
    const again = await importFile(client, TEXT, { mapping: ["ignore", ...mapping.slice(1)] });
    expect(again.counts).toMatchObject({ new: 0, changed: 0, same: 2 });
  });
});
