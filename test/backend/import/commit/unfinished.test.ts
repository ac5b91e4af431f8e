import { describe, expect, spyOn } from "bun:test";
import type { Database } from "../../../../src/backend/database/database.ts";
import { commitImport } from "../../../../src/backend/import/commit/commit-import.ts";
import { undoImport } from "../../../../src/backend/import/commit/undo-import.ts";
import { sweepImports } from "../../../../src/backend/import/sweep-imports.ts";
import { openDatabase } from "../../../../src/backend/database/open-database.ts";
import { PAUSE, type Work } from "../../../../src/backend/database/run-all.ts";
import { createUploadFiles } from "../../../../src/backend/uploads/upload-files.ts";
import type { ChangePage, DomainDetail, DomainPage } from "../../../../src/shared/contract.ts";
import { OWNER, type ApiClient } from "../../../support/api-client.ts";
import { startBackend } from "../../../support/backend-server.ts";
import { test } from "../../../support/both-databases.ts";
import { addDomain } from "../../../support/domains.ts";
import {
  importFile,
  previewOf,
  sendCommit,
  undoImport as sendUndo,
} from "../../../support/import-client.ts";

const AUTHOR = { email: "gone@example.com", at: "2026-11-01T00:00:00.000Z" };

/** Ten names in no order, of which the register has the first already, with another day. */
const NAMES = ["m", "c", "x", "a", "q", "f", "z", "k", "b", "t"].map((each) => `${each}.example`);
const FILE = `Domain,Expires,Tags,Registrar\n${NAMES.map((name) => `${name},2030-01-02,new,Gandi\n`).join("")}`;

/** Does some of the work, and leaves it there, as a process does that dies in a pause. */
async function* untilPause<T>(work: Work<T>, pauses: number): Work<void> {
  for (let left = pauses; left > 0;) {
    const { value, done } = await work.next(false);
    if (done === true) throw new Error("The work was done before it paused");
    if (value === PAUSE) left -= 1;
    else yield value;
  }
}

/** Commits nine rows out of ten, three at a time. */
async function breakCommitOff(database: Database, id: string): Promise<void> {
  const options = { key: "k", author: AUTHOR, size: 3 };
  await database.writeMany((sql) => untilPause(commitImport(sql, id, options), 3));
}

async function breakUndoOff(database: Database, id: string): Promise<void> {
  await database.writeMany((sql) =>
    untilPause(undoImport(sql, id, { author: AUTHOR, size: 6 }), 2),
  );
}

async function listNames(client: ApiClient): Promise<string[]> {
  const page: DomainPage = await (await client.request("/api/domains?sort=name")).json();
  return page.items.map(({ name }) => name);
}

/** A backend with one of the ten names, a preview of all ten, and its database beside it. */
async function begin() {
  const server = await startBackend();
  const client = await server.owner();
  const { id } = await addDomain(client, { name: "m.example", expires: "2029-01-01" });
  const preview = await previewOf(client, FILE);
  const database = await openDatabase(server.databaseUrl);
  return {
    server,
    client,
    database,
    known: id,
    id: preview.id,
    /** What another process would make of it. */
    restart: () => startBackend({ databaseUrl: server.databaseUrl, setupCode: null }),
    async [Symbol.asyncDispose]() {
      await database.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("a commit that was cut off", () => {
  test("is finished by the next start, as the one who began it", async () => {
    await using place = await begin();
    const { client, database, id, known } = place;
    await breakCommitOff(database, id);
    expect(await listNames(client)).toHaveLength(9);
    await using _ = await place.restart();
    expect(await listNames(client)).toEqual(NAMES.toSorted());
    expect(await client.json(`/api/imports/${id}`)).toMatchObject({
      state: "committed",
      committedAt: AUTHOR.at,
      counts: { new: 9, changed: 1, same: 0 },
    });
    const history: ChangePage = await (
      await client.request(`/api/domains/${known}/history`)
    ).json();
    expect(history.items.map(({ by, import: from }) => [by, from])).toEqual([
      [AUTHOR.email, id],
      [OWNER.email, undefined],
    ]);
    expect(await client.json("/api/domains?tag=new")).toMatchObject({ total: 10 });
  });

  test("is finished even where another one cannot be", async () => {
    await using place = await begin();
    const { client, database, id } = place;
    const other = await previewOf(client, FILE.replaceAll(".example", ".test"));
    await breakCommitOff(database, id);
    await breakCommitOff(database, other.id);
    await database.write((sql) => sql`update imports set analysis = '{' where id = ${id}`);
    using complaints = spyOn(console, "error").mockImplementation(() => undefined);
    await using _ = await place.restart();
    expect(await client.json(`/api/imports/${other.id}`)).toMatchObject({ state: "committed" });
    expect(complaints).toHaveBeenCalled();
  });

  test("goes on where it is sent again, and is another's under another key", async () => {
    await using place = await begin();
    const { client, database, id } = place;
    await breakCommitOff(database, id);
    expect((await sendCommit(client, id, "other")).status).toBe(409);
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    expect(await listNames(client)).toEqual(NAMES.toSorted());
  });

  test("compares anew what was edited meanwhile", async () => {
    await using place = await begin();
    const { client, database, id } = place;
    await breakCommitOff(database, id);
    const json = { name: "z.example", owner: "Pat" };
    expect((await client.request("/api/domains", { method: "POST", json })).status).toBe(201);
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    expect(await client.json(`/api/imports/${id}`)).toMatchObject({
      counts: { new: 8, changed: 2 },
    });
    expect(await client.json("/api/domains?owner=pat&tag=new")).toMatchObject({ total: 1 });
  });

  test("is later than what was said and done meanwhile", async () => {
    await using place = await begin();
    const { client, database, id } = place;
    await breakCommitOff(database, id);
    const domain = await addDomain(client, { name: "z.example", expires: "2031-01-01" });
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    const { items }: ChangePage = await (
      await client.request(`/api/domains/${domain.id}/history`)
    ).json();
    expect(items.map(({ by }) => by)).toEqual([AUTHOR.email, OWNER.email]);
    const { observations, expires }: DomainDetail = await (
      await client.request(`/api/domains/${domain.id}`)
    ).json();
    expect(expires).toMatchObject({ date: "2031-01-01", conflict: true });
    const said = observations.toSorted((one, other) =>
      one.observedAt < other.observedAt ? -1 : 1,
    );
    expect(said.map(({ source }) => source)).toEqual(["manual", "Gandi"]);
  });

  test("is not changed, dropped or swept as a preview is", async () => {
    await using place = await begin();
    const { client, database, id, server } = place;
    await breakCommitOff(database, id);
    const options = { method: "PATCH", json: { defaults: { owner: "Pat" } } };
    expect((await client.request(`/api/imports/${id}`, options)).status).toBe(409);
    expect((await client.request(`/api/imports/${id}`, { method: "DELETE" })).status).toBe(409);
    await database.write((sql) => sql`update imports set previewed_at = '2001-01-01'`);
    await sweepImports(database, createUploadFiles(server.folder));
    expect((await sendCommit(client, id, "k")).status).toBe(200);
  });

  test("is taken back, as far as it came", async () => {
    await using place = await begin();
    const { client, database, id, known } = place;
    await breakCommitOff(database, id);
    const { state, undo } = await sendUndo(client, id);
    expect({ state, undo }).toEqual({
      state: "undone",
      undo: { restored: 1, removed: 8, kept: [] },
    });
    expect(await listNames(client)).toEqual(["m.example"]);
    expect(await client.json(`/api/domains/${known}`)).toMatchObject({
      expires: { date: "2029-01-01", conflict: false },
      tags: [],
    });
    expect((await sendCommit(client, id, "k")).status).toBe(409);
  });
});

describe("an undo that was cut off", () => {
  test("is finished by the next start, and counts what was undone before", async () => {
    await using place = await begin();
    const { client, database, id } = place;
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    const { items }: DomainPage = await (await client.request("/api/domains?q=a.example")).json();
    const options = { method: "PATCH", json: { owner: "Pat" }, headers: { "If-Match": "*" } };
    await client.request(`/api/domains/${items[0]?.id}`, options);
    await breakUndoOff(database, id);
    expect(await listNames(client)).toHaveLength(6);
    await using _ = await place.restart();
    expect(await listNames(client)).toEqual(["a.example", "m.example"]);
    expect(await client.json(`/api/imports/${id}`)).toMatchObject({
      state: "undone",
      undoneAt: AUTHOR.at,
      undo: { restored: 1, removed: 8, kept: [{ name: "a.example", fields: ["owner"] }] },
    });
  });

  test("keeps what it needs, however old its commit is by then", async () => {
    await using place = await begin();
    const { client, database, id, server } = place;
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    await breakUndoOff(database, id);
    await database.write((sql) => sql`update imports set committed_at = '2001-01-01'`);
    await sweepImports(database, createUploadFiles(server.folder));
    expect((await sendUndo(client, id)).undo).toEqual({ restored: 1, removed: 9, kept: [] });
    expect(await listNames(client)).toEqual(["m.example"]);
  });

  test("goes on where it is asked for again", async () => {
    await using place = await begin();
    const { client, database, id } = place;
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    await breakUndoOff(database, id);
    expect((await sendUndo(client, id)).undo).toEqual({ restored: 1, removed: 9, kept: [] });
    expect(await listNames(client)).toEqual(["m.example"]);
    await importFile(client, FILE);
    expect(await listNames(client)).toEqual(NAMES.toSorted());
  });
});
