import { describe, expect, setSystemTime, spyOn } from "bun:test";
import { recordAudit, recordFailedSignIn, sweepAudit } from "../../../src/backend/audit/audit.ts";
import type { AuditEntry } from "../../../src/shared/audit.ts";
import { OWNER, type ApiClient } from "../../support/api-client.ts";
import { countRows, startBackend } from "../../support/backend-server.ts";
import { deleteDomain } from "../../support/domains.ts";
import { joinAs } from "../../support/people.ts";
import { onSqlite, once, test } from "../../support/owner-test.ts";

const DAY_MS = 24 * 60 * 60_000;

async function entriesOf(client: ApiClient, query = ""): Promise<AuditEntry[]> {
  return (await (await client.request(`/api/audit${query}`)).json()).items;
}

describe("GET /api/audit", () => {
  once("says who did what, from where, newest first, in pages", async () => {
    await using server = await startBackend({ peer: { address: "192.0.2.7" } });
    const owner = await server.owner();
    const { id } = await (await owner.request("/api/token")).json();
    const bob = await joinAs(server, { email: "bob@example.com", name: "Bob", role: "editor" });
    await server.visitor().signIn("a wrong password");
    const path = `/api/people/${bob.id}`;
    await owner.patch(path, { role: "viewer" });
    await owner.patch(path, { role: "viewer" });
    await owner.patch(path, { disabled: true });
    const added = await owner.post("/api/calendars", { name: "Renewals" });
    await owner.delete(`/api/calendars/${(await added.json()).id}`);
    await owner.request("/api/domains.csv");
    await owner.delete(path);

    const by = { id, name: OWNER.email };
    const from = { address: "192.0.2.7" };
    const about = { ...from, by, subject: "bob@example.com" };
    const entries = await entriesOf(owner);
    expect(entries).toMatchObject([
      { ...about, action: "person-deleted" },
      { ...from, by, action: "exported" },
      { ...from, by, action: "feed-revoked", subject: "Renewals" },
      { ...from, by, action: "feed-added", subject: "Renewals" },
      { ...about, action: "person-disabled" },
      { ...about, action: "role-changed", detail: "editor to viewer" },
      { ...from, by: null, action: "sign-in-failed", subject: OWNER.email },
      { ...from, by: { id: bob.id, name: "Bob" }, action: "sign-in" },
      { by, action: "owner-created", address: null },
    ]);
    const first = await owner.json("/api/audit?limit=4");
    expect(first).toMatchObject({ items: entries.slice(0, 4), next: entries[3]?.id });
    expect(await entriesOf(owner, `?after=${entries[3]?.id}`)).toEqual(entries.slice(4));
    const end = await owner.json(`/api/audit?after=${entries.at(-1)?.id}`);
    expect(end).toEqual({ items: [], next: null });
  });

  once(
    "says what was exported and who emptied the bin, and nothing of what only was asked for",
    async (owner) => {
      const exported = async () =>
        (await entriesOf(owner)).filter(({ action }) => action === "exported");
      const paths = ["domains.csv", "costs.csv", "costs/statement.csv?today=2027-01-15"];
      for (const path of paths) {
        const headed = await owner.request(`/api/${path}`, { method: "HEAD" });
        expect(headed.headers.get("content-disposition")).toContain(".csv");
      }
      expect(await exported()).toEqual([]);
      for (const path of paths) expect((await owner.request(`/api/${path}`)).status).toBe(200);
      const found = (await exported()).map(({ subject }) => subject);
      expect(found).toEqual(["Statement", "Costs", "Domains"]);
      const added = await owner.post("/api/domains", { name: "one.example" });
      await deleteDomain(owner, (await added.json()).id);
      for (let time = 0; time < 2; time += 1) await owner.delete("/api/bin");
      const emptied = (await entriesOf(owner)).filter(({ action }) => action === "bin-emptied");
      expect(emptied).toMatchObject([{ by: { name: OWNER.email }, detail: "1 domain" }]);
    },
  );

  test("is in the order of the database's clock, whatever that of an instance says", async (owner) => {
    await owner.post("/api/calendars", { name: "First" });
    const make = Bun.randomUUIDv7;
    const behind = spyOn(Bun, "randomUUIDv7").mockImplementation((...given: unknown[]) => {
      const [, at = Date.now() - 2 * 60 * 60_000] = given;
      return Reflect.apply(make, Bun, ["hex", at]);
    });
    await owner.post("/api/calendars", { name: "Second" });
    behind.mockRestore();
    const subjects = (await entriesOf(owner, "?limit=2")).map(({ subject }) => subject);
    expect(subjects).toEqual(["Second", "First"]);
  });
});

describe("the audit log", () => {
  onSqlite("keeps a year", async () => {
    await using server = await startBackend();
    const database = await server.openDatabase();
    const entry = { action: "restored", by: null, address: null } as const;
    await database.write((sql) => recordAudit(sql, entry));
    for (const [days, kept] of [
      [364, 1],
      [2, 0],
    ] as const) {
      setSystemTime(Date.now() + days * DAY_MS);
      await sweepAudit(database);
      expect(await countRows(server, "audit")).toBe(kept);
    }
  });

  once("is not flooded by failed sign-ins: it records 200 of an hour", async () => {
    await using server = await startBackend();
    const database = await server.openDatabase();
    await database.write(async (sql) => {
      for (let at = 0; at < 205; at += 1) {
        await recordFailedSignIn(sql, { subject: "eve@example.com", address: `192.0.2.${at}` });
      }
    });
    expect(await countRows(server, "audit")).toBe(200);
    const [last] = await database.read((sql) => sql`select detail from audit order by id desc`);
    expect(last.detail).toContain("not recorded");
  });
});
