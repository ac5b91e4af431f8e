import { expect, test } from "bun:test";
import { sweepImports } from "../../src/backend/import/import-record.ts";
import { sweepUploads } from "../../src/backend/uploads/uploads.ts";
import type { ApiClient } from "../support/api-client.ts";
import { startBackend } from "../support/backend-server.ts";
import { startFakeRegistry } from "../support/fake-registry.ts";
import { importFile, previewOf, sendCommit, undoImport } from "../support/import-client.ts";
import { importTable } from "../support/import-table.ts";
import { hasPostgres, preparedPostgres } from "../support/postgres.ts";
import { spawnBackend } from "../support/spawn-backend.ts";
import { createSteppedLoop } from "../support/stepped-loop.ts";

/** By hand: `INSTANCE_KILLS=100`. */
const KILLS = Number(process.env["INSTANCE_KILLS"] ?? 3);
const NAMES = 300;
const UPLOAD_BYTES = 5_000_000;

/** What an instance is killed in, with the milliseconds in which the kill comes; messages have a test of theirs. */
const WORK = { upload: 60, preview: 80, commit: 120, undo: 120, bulk: 60, check: 400 };

type Begin = (client: ApiClient) => Promise<() => Promise<unknown>>;

async function totalOf(client: ApiClient, query = ""): Promise<number> {
  return (await (await client.request(`/api/domains?limit=1${query}`)).json()).total;
}

test.skipIf(!hasPostgres)(
  "an instance that is killed leaves nothing which another cannot finish or sweep",
  async () => {
    await using postgres = await preparedPostgres();
    await using registry = startFakeRegistry();
    const about = {
      checks: {
        mode: "on",
        allow: ["127.0.0.0/8"],
        sources: { rdap: { com: registry.url }, intervals: { [registry.host]: 0 } },
        ports: { dns: 1, http: 1, https: 1 },
      },
      dnsServers: ["127.0.0.1:1"],
    } as const;
    const loop = createSteppedLoop();
    const { url: databaseUrl, database } = postgres;
    await using server = await startBackend({ databaseUrl, ...about, loop, instances: 1 });
    const other = await server.owner();
    const forgetDomains = () => database.write((sql) => sql`delete from domains`);

    /** Begins a work at an instance; returns what the other one finds and finishes. */
    const begin: Record<keyof typeof WORK, Begin> = {
      async upload(client) {
        const body = new FormData();
        body.append("file", new Blob([new Uint8Array(UPLOAD_BYTES)]), "a.csv");
        void client.request("/api/upload/post", { method: "POST", body }).catch(() => null);
        return async () => {};
      },
      async preview(client) {
        void previewOf(client, importTable(NAMES)).catch(() => null);
        return () => previewOf(other, importTable(NAMES));
      },
      async commit(client) {
        const { id } = await previewOf(client, importTable(NAMES));
        void sendCommit(client, id, "k").catch(() => null);
        return async () => {
          expect([0, NAMES]).toContain(await totalOf(other));
          expect((await sendCommit(other, id, "k")).status).toBe(200);
          expect(await totalOf(other)).toBe(NAMES);
          await undoImport(other, id);
        };
      },
      async undo(client) {
        const { id } = await importFile(client, importTable(NAMES));
        void client.post(`/api/imports/${id}/undo`).catch(() => null);
        return async () => {
          expect([0, NAMES]).toContain(await totalOf(other));
          await undoImport(other, id);
          expect(await totalOf(other)).toBe(0);
        };
      },
      async bulk(client) {
        await importFile(client, importTable(NAMES));
        const select = { filter: {}, expectedCount: NAMES };
        const json = { select, op: { kind: "edit", owner: "Kim" } };
        void client.post("/api/domains/bulk", json).catch(() => null);
        return async () => {
          expect([0, NAMES]).toContain(await totalOf(other, "&owner=Kim"));
          expect((await other.post("/api/domains/bulk", json)).status).toBe(200);
          expect(await totalOf(other, "&owner=Kim")).toBe(NAMES);
          await forgetDomains();
        };
      },
      async check(client) {
        for (const name of ["a.com", "b.com", "c.com"]) {
          await client.post("/api/domains", { name });
        }
        return async () => {
          // A lease would end by itself in two minutes.
          await database.write((sql) => sql`update checks set leased_until = null`);
          await database.write((sql) => sql`update check_hosts set next_at = '2026-01-01'`);
          const open = () =>
            database.read(
              (sql) => sql<unknown[]>`select 1 from domains where not exists (
                  select 1 from checks where domain_id = domains.id and kind = 'registry'
                    and outcome is not null and leased_until is null)`,
            );
          while ((await open()).length > 0) await loop.step();
          await forgetDomains();
        };
      },
    };

    const kinds = Object.keys(WORK) as (keyof typeof WORK)[];
    const first = Math.floor(kinds.length * Math.random());
    const options = { ...about, maxUploadBytes: 9_000_000 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const kind = kinds[(first + kill) % kinds.length] ?? "upload";
      const milliseconds = WORK[kind] * Math.random();
      try {
        await using killed = await spawnBackend(databaseUrl, { options });
        for (const [name, content] of other.cookies) killed.client.cookies.set(name, content);
        const finish = await begin[kind](killed.client);
        await Bun.sleep(milliseconds);
        await killed[Symbol.asyncDispose]();
        await finish();
      } catch (error) {
        throw new Error(`Killed in ${kind} after ${milliseconds} ms`, { cause: error });
      }
      // A day later.
      await database.write(async (sql) => {
        await sql`update uploads set expires_at = '2026-01-01'`;
        await sql`update imports set previewed_at = '2026-01-01'`;
        await sql`update import_stagings set created_at = '2026-01-01'`;
      });
      await sweepImports(database);
      await sweepUploads(database);
      const left = await database.read(
        (sql) => sql<unknown[]>`
          select 'upload' as what from uploads
          union all select 'part' from upload_parts
          union all select 'preview' from imports where state = 'preview'
          union all select 'rows' from import_stagings where id not in (
            select staging from imports where staging is not null)
          union all select 'row' from import_rows where not exists (
            select 1 from import_stagings where import_rows.id like import_stagings.id || '.%')`,
      );
      expect([kind, ...left]).toEqual([kind]);
    }
  },
  180_000 + 10_000 * KILLS,
);
