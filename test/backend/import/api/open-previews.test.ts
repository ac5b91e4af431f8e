import { describe, expect, spyOn } from "bun:test";
import { MAX_PREVIEW_BYTES, startImport } from "../../../../src/backend/import/make-preview.ts";
import { parseImportList } from "../../../../src/shared/import.ts";
import { countRows, startBackend, type BackendServer } from "../../../support/backend-server.ts";
import { databaseKind } from "../../../support/both-databases.ts";
import { changeImport, previewOf, sendCommit, uploadFile } from "../../../support/import-client.ts";
import { once, test } from "../../../support/owner-test.ts";

function namesFile(names: number): string {
  return Array.from({ length: names }, (_, at) => `n${at}.example\n`).join("");
}

describe("open previews", () => {
  once("are ten for a person: the oldest goes, with its rows and its upload", async (client) => {
    const ids: string[] = [];
    for (let at = 0; at < 12; at += 1) ids.push((await previewOf(client, `n${at}.example\n`)).id);
    const { items } = parseImportList(await client.json("/api/imports"));
    expect(items.map(({ id }) => id)).toEqual(ids.slice(2).toReversed());
    expect(await countRows(client.server, "import_rows")).toBe(10);
    expect(await countRows(client.server, "uploads")).toBe(10);
    expect((await sendCommit(client, ids[0] ?? "")).status).toBe(404);
    expect((await sendCommit(client, ids[2] ?? "")).status).toBe(200);
  });

  test("take a bounded number of bytes together, also after one of them is changed", async (client) => {
    const first = await previewOf(client, "a.example\n");
    const second = await previewOf(client, "b.example\n");
    const analysis = JSON.stringify({ ...second, rowBytes: MAX_PREVIEW_BYTES });
    await client.server.write(
      (sql) => sql`update imports set analysis = ${analysis} where id = ${second.id}`,
    );
    await changeImport(client, first, { defaults: { owner: "Pat" } });
    expect((await client.request(`/api/imports/${second.id}`)).status).toBe(404);
    expect(await countRows(client.server, "import_rows")).toBe(1);
    expect(await countRows(client.server, "uploads")).toBe(1);
  });

  once("take a bounded number of bytes: a larger one is refused and leaves nothing", async () => {
    await using server = await startBackend();
    const database = await server.openDatabase();
    const uploadId = await uploadFile(await server.owner(), namesFile(2000));
    const [user] = await database.read((sql) => sql<{ id: string }[]>`select id from users`);
    const input = { uploadId, userId: user?.id ?? "", maxBytes: 100_000 };
    const refused = database.writeMany(startImport, input).catch((error: unknown) => error);
    expect(await refused).toMatchObject({ extra: { errors: [{ code: "preview-too-large" }] } });
    expect(await countRows(server, "import_rows")).toBe(0);
    expect(await countRows(server, "import_stagings")).toBe(0);
  });
});

/** Lets the database refuse one row of each preview; returns how to end that. */
async function refuseRow(server: BackendServer, name: string): Promise<() => Promise<void>> {
  const run = async (statement: string) => {
    await server.write((sql) => sql.unsafe(statement));
  };
  if (databaseKind() === "postgres") {
    await run(`alter table import_rows add constraint refused check (name <> '${name}')`);
    return () => run("alter table import_rows drop constraint refused");
  }
  await run(`create trigger refused before insert on import_rows when new.name = '${name}'
    begin select raise(abort, 'refused'); end`);
  return () => run("drop trigger refused");
}

// Of four batches the third and the last: rows are written while the next are read.
test.each([[400], [799]])(
  "a preview whose rows the database refuses is 500 and leaves nothing, row %d",
  async (row) => {
    await using server = await startBackend();
    const client = await server.owner();
    const json = { uploadId: await uploadFile(client, namesFile(800)) };
    const accept = await refuseRow(server, `n${row}.example`);
    using log = spyOn(console, "error").mockImplementation(() => undefined);
    const refused = await client.post("/api/imports", json);
    expect(refused.status).toBe(500);
    // What was refused first is told, not that the transaction has failed since.
    expect(log.mock.calls.join()).toContain("refused");
    await accept();
    for (const table of ["import_rows", "import_stagings", "imports"]) {
      expect(await countRows(server, table)).toBe(0);
    }
  },
);

test("a preview that is changed while it is committed or discarded is never an error", async (client) => {
  for (let round = 0; round < 4; round += 1) {
    const { id } = await previewOf(client, namesFile(100));
    const path = `/api/imports/${id}`;
    const change = (owner: string) => client.patch(path, { defaults: { owner } });
    const end = async () => {
      await Bun.sleep(round * 8);
      return round % 2 === 0 ? sendCommit(client, id) : client.delete(path);
    };
    const answers = await Promise.all([change("one"), change("two"), end(), change("three")]);
    for (const { status } of answers) expect([200, 204, 404, 409]).toContain(status);
  }
});
