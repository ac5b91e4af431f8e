import { describe, expect, test } from "bun:test";
import { UnavailableError } from "../../../../src/backend/database/database-error.ts";
import type { Database } from "../../../../src/backend/database/database.ts";
import { previewUpload } from "../../../../src/backend/import/make-preview.ts";
import { addImport } from "../../../../src/backend/import/save-preview.ts";
import { startBackend } from "../../../support/backend-server.ts";
import { previewOf, uploadFile } from "../../../support/import-client.ts";

describe("addImport", () => {
  test("keeps the rows of a new preview where those of the oldest cannot be removed now", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    for (let at = 0; at < 10; at += 1) await previewOf(client, "Domain\na.example\n");
    const uploadId = await uploadFile(client, "Domain\na.example\nb.example\n");
    const database = await server.openDatabase();
    const input = { uploadId, fileName: "a.csv", dateOrder: null };
    const previewed = await database.writeMany(previewUpload, input);
    if (previewed.kind !== "preview") throw new Error(previewed.kind);
    const [user] = await database.read((sql) => sql<{ id: string }[]>`select id from users`);
    const busy: Database = {
      ...database,
      writeMany: () => Promise.reject(new UnavailableError("Other writers were busy")),
    };
    const given = { uploadId, fileName: "a.csv", userId: user?.id ?? "" };
    const added = await addImport(busy, previewed.preview, given);
    expect(added).toMatchObject({ counts: { new: 2 } });
    const rows = await database.read(
      (sql) => sql`select id from import_rows where staging = ${previewed.preview.rowsId}`,
    );
    expect(rows).toHaveLength(2);
    await database.close();
  });
});
