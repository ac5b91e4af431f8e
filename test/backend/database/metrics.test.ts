import { describe, expect, test as once } from "bun:test";
import type { Backend } from "../../../src/backend/backend.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

async function samplesOf(backend: Backend, name: string) {
  const metrics = (await backend.metrics?.()) ?? [];
  const samples = metrics.find((each) => each.name === name)?.samples();
  return samples?.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const now = new Date("2026-05-01T12:00:00.000Z");
const soon = "2026-05-01T11:59:00.000Z";
const later = "2026-05-01T12:00:30.000Z";

const CHANNEL = { kind: "webhook", target: "", filter: "", rhythm: "daily", created_at: soon };
const DELIVERY = { type: "finding.added", payload: "{}", priority: 0, attempts: 0 };
const ACCOUNT = { version: 1, registrar: "gandi", credentials: "", state: "on", refusals: "[]" };

const delivery = (id: string, channel_id: string, due_at: string | null) => {
  const state = due_at === null ? "sent" : "pending";
  return { ...DELIVERY, id, channel_id, delivery_key: id, state, due_at, created_at: soon };
};
const account = (id: string, outcome: string | null, complete_at: string | null) => {
  const turn = { failures: 0, due_at: later, priority: 0, created_at: soon };
  return { ...ACCOUNT, ...turn, id, label: id, label_key: id, outcome, complete_at };
};

describe("metrics of the backend", () => {
  test("tell what waits, and for how long", async () => {
    const options = { instances: 1, clock: () => now, loop: createSteppedLoop() };
    await using server = await startBackend(options);
    await server.write(async (sql) => {
      const channels = [
        { ...CHANNEL, id: "a", name: "a", state: "working" },
        { ...CHANNEL, id: "b", name: "b", state: "paused" },
      ];
      await sql`insert into channels ${sql(channels)}`;
      for (const each of [
        delivery("1", "a", soon),
        delivery("2", "a", later),
        delivery("3", "b", "2026-04-01T00:00:00.000Z"),
        delivery("4", "a", null),
      ])
        await sql`insert into deliveries ${sql(each)}`;
      const accounts = [account("x", "ok", "2026-05-01T11:00:00.000Z"), account("y", null, null)];
      for (const each of accounts) await sql`insert into registrar_accounts ${sql(each)}`;
    });
    const client = await server.owner();
    const form = new FormData();
    form.set("file", new File(["a.example\n"], "a.txt"));
    await client.request("/api/upload/post", { method: "POST", body: form });

    const { backend } = server;
    const expected = {
      database_up: [{ value: 1 }],
      channels: [
        { kind: "webhook", state: "paused", value: 1 },
        { kind: "webhook", state: "working", value: 1 },
      ],
      deliveries_pending: [{ value: 3 }],
      deliveries_oldest_due_seconds: [{ value: 60 }],
      registrar_accounts: [
        { registrar: "gandi", state: "on", outcome: "none", value: 1 },
        { registrar: "gandi", state: "on", outcome: "ok", value: 1 },
      ],
      registrar_accounts_oldest_list_seconds: [{ value: 3600 }],
      uploads_bytes: [{ value: 10 }],
    };
    for (const [name, samples] of Object.entries(expected)) {
      expect([name, await samplesOf(backend, `freehold_${name}`)]).toEqual([name, samples]);
    }
    const [size] = (await samplesOf(backend, "freehold_database_size_bytes")) ?? [];
    expect(size?.value).toBeGreaterThan(100_000);
    const connections = (await samplesOf(backend, "freehold_database_connections")) ?? [];
    expect(connections.length > 0).toBe(databaseKind() === "postgres");
    expect(connections.every(({ value }) => value > 0)).toBe(true);
    // Several scrapes soon after each other cost the database nothing.
    await client.request("/api/upload/post", { method: "POST", body: form });
    expect(await samplesOf(backend, "freehold_uploads_bytes")).toEqual([{ value: 10 }]);
  });

  test("tell for how long a check is due, while checks are on", async () => {
    for (const mode of ["on", "off"] as const) {
      const checks = { mode, allow: [], sources: null };
      const loop = createSteppedLoop();
      await using server = await startBackend({ checks, clock: () => now, loop });
      const client = await server.owner();
      await client.post("/api/domains", { name: "a.example" });
      const check = { name: "a.example", due_at: soon, priority: 0, failures: 0 };
      await server.write(async (sql) => {
        const [domain] = await sql<[{ id: string }]>`select id from domains`;
        await sql`delete from checks`;
        for (const [kind, due_at] of Object.entries({ dns: soon, tls: later })) {
          const row = { ...check, domain_id: domain.id, kind, queue: kind, due_at };
          await sql`insert into checks ${sql(row)}`;
        }
      });
      const oldest = await samplesOf(server.backend, "freehold_checks_oldest_due_seconds");
      expect(oldest).toEqual(mode === "on" ? [{ value: 60 }] : []);
    }
  });

  once("count transactions", async () => {
    await using server = await startBackend({ instances: 1, loop: createSteppedLoop() });
    const { backend } = server;
    const durations = "freehold_database_transaction_duration_seconds";
    const countOf = async (kind: string) =>
      (await samplesOf(backend, durations))?.find(
        (each) => each["suffix"] === "_count" && each["kind"] === kind,
      )?.value ?? 0;
    const client = await server.owner();
    const before = await countOf("write");
    await client.post("/api/domains", { name: "a.example" });
    expect(await countOf("write")).toBe(before + 1);
    // To find out who asks is one, too.
    const reads = await countOf("read");
    await client.request("/api/nothing");
    expect(await countOf("read")).toBe(reads + 1);
    const running = await samplesOf(backend, "freehold_database_transactions");
    expect(running).toContainEqual({ kind: "write", value: 0 });
  });

  once("leave out what cannot be read", async () => {
    await using server = await startBackend({ loop: createSteppedLoop() });
    await server.backend.close();
    expect(await samplesOf(server.backend, "freehold_database_up")).toEqual([{ value: 0 }]);
    expect(await samplesOf(server.backend, "freehold_database_size_bytes")).toBeUndefined();
  });
});
