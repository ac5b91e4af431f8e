import type { SQL } from "bun";
import { describe, expect } from "bun:test";
import { openDatabase } from "../../../../src/backend/database/database.ts";
import type { DomainPage } from "../../../../src/shared/domain.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { startBackend } from "../../../support/backend-server.ts";
import { test } from "../../../support/both-databases.ts";
import { addDomain } from "../../../support/domains.ts";
import { importFile, previewOf, sendCommit } from "../../../support/import-client.ts";

const EMAIL = "gone@example.com";
const AT = "2026-11-01T00:00:00.000Z";

/** Ten domains, of which the register has `m.example` already, with another day. */
const NAMES = ["a", "b", "c", "f", "k", "m", "q", "t", "x", "z"].map((each) => `${each}.example`);
const FILE = `Domain,Expires,Tags,Registrar\n${NAMES.map((name) => `${name},2030-01-02,new,Gandi\n`).join("")}`;

/** Commits the file and leaves what version 0.1.0 left when it was killed half-way. */
async function leaveHalf(client: ApiClient, databaseUrl: string, kind: "commit" | "undo") {
  const { id } = await previewOf(client, FILE);
  expect((await sendCommit(client, id, "k")).status).toBe(200);
  const gone = kind === "commit" ? ["x.example", "z.example"] : NAMES.slice(0, 5);
  const last = kind === "commit" ? "t.example" : "k.example";
  const database = await openDatabase(databaseUrl);
  await database.write(async (sql) => {
    const [row] = await sql<{ stamp: string; staging: string; counts: string }[]>`
      select stamp, staging, counts from imports where id = ${id}`;
    if (row === undefined) throw new Error("The import is not there");
    const { stamp, counts } = row;
    const begun = { kind, email: EMAIL, at: AT, stamp, after: `${row.staging} ${last}` };
    const note =
      kind === "commit"
        ? { ...begun, key: "k", counts: JSON.parse(counts) }
        : { ...begun, end: null, undo: { restored: 0, removed: 5, kept: [] } };
    await removeDomains(sql, gone);
    await sql`update imports set unfinished = ${JSON.stringify(note)} where id = ${id}`;
    if (kind === "undo") return;
    await sql`update imports set state = 'preview', committed_at = null, commit_key = null,
      stamp = null where id = ${id}`;
  });
  await database.close();
  return id;
}

async function removeDomains(sql: SQL, names: readonly string[]): Promise<void> {
  await sql`delete from changes where domain_id in (
    select id from domains where name in ${sql(names)})`;
  await sql`delete from domains where name in ${sql(names)}`;
}

async function listNames(client: ApiClient): Promise<string[]> {
  const page: DomainPage = await (await client.request("/api/domains?sort=name")).json();
  return page.items.map(({ name }) => name);
}

describe("a database of a version that was killed", () => {
  test.each(["commit", "undo"] as const)("half-way in a %s: it is reverted", async (kind) => {
    await using server = await startBackend();
    const client = await server.owner();
    const { id: known } = await addDomain(client, { name: "m.example", expires: "2029-01-01" });
    const id = await leaveHalf(client, server.databaseUrl, kind);
    expect(await listNames(client)).toHaveLength(kind === "commit" ? 8 : 5);

    const { databaseUrl } = server;
    await using _ = await startBackend({ databaseUrl, setupCode: null });
    expect(await listNames(client)).toEqual(["m.example"]);
    expect(await client.json(`/api/imports/${id}`)).toMatchObject({
      state: "undone",
      undo: { restored: 1, removed: kind === "commit" ? 7 : 9, kept: [] },
    });
    expect(await client.json(`/api/domains/${known}`)).toMatchObject({
      expires: { date: "2029-01-01", conflict: false },
      tags: [],
    });
    await importFile(client, FILE);
    expect(await listNames(client)).toEqual(NAMES);
  });
});
