import { join } from "node:path";
import { SQL } from "bun";
import { describe, expect, test as bunTest } from "bun:test";
import { createResetCode } from "../../../src/backend/auth/invitations.ts";
import { hashToken, randomToken } from "../../../src/backend/auth/secrets.ts";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { openDatabase } from "../../../src/backend/database/database.ts";
import { OWNER } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { sendCommit, undoImport } from "../../support/import-client.ts";
import { emptyPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

// A register as commit 23fb20f left it, at schema 21, when no release had been made: this test and
// its data go at the release. What is swept by age has the year 2099.
const DATA = join(import.meta.dir, "../../data/schema-21");

async function unpack(name: string): Promise<Uint8Array> {
  return Bun.gunzipSync(await Bun.file(join(DATA, name)).bytes());
}

/** A copy of that register, in a database of its own. */
async function oldRegister() {
  const used = new AsyncDisposableStack();
  if (databaseKind() === "postgres") {
    const { url } = used.use(await emptyPostgres());
    const sql = new SQL(url, { max: 1 });
    await sql.unsafe(new TextDecoder().decode(await unpack("register.postgres.sql.gz")));
    await sql.close();
    return { url, [Symbol.asyncDispose]: () => used.disposeAsync() };
  }
  const file = join(used.use(createTemporaryFolder()).path, "register.sqlite");
  await Bun.write(file, await unpack("register.sqlite.gz"));
  return { url: `sqlite://${file}`, [Symbol.asyncDispose]: () => used.disposeAsync() };
}

describe("a database of 23fb20f", () => {
  test("still opens, with a preview, messages that wait, a bin and checks", async () => {
    await using old = await oldRegister();
    await using sql = new SQL(old.url, { max: 1 });
    await sql`update domains set custom = '{"Vertrag":"Nr. ÄB 90207451"}'
      where name = 'kept.example'`;
    await sql.close();
    await using server = await startBackend({ databaseUrl: old.url, setupCode: null });
    const client = server.visitor();
    expect((await client.signIn()).status).toBe(200);

    const names = ["imported.example", "kept.example", "soon.example"];
    const listed = async () =>
      (await (await client.request("/api/domains?sort=name")).json()).items;
    const before = await listed();
    expect(before.map(({ name }: { name: string }) => name)).toEqual(names);
    // Custom fields are folded, so that a search finds them.
    const found = await client.json("/api/domains?q=nr.%20%C3%A4b%20902");
    expect(found).toMatchObject({ items: [{ name: "kept.example" }], total: 1 });
    expect(before[1]).toMatchObject({ expires: { date: "2026-03-01", conflict: true } });
    expect(await client.json(`/api/domains/${before[1].id}`)).toMatchObject({
      checks: { dns: { outcome: "ok" }, registry: { outcome: "timeout" } },
    });
    const { items: deliveries } = await (await client.request("/api/deliveries")).json();
    expect(deliveries).toMatchObject([{ state: "pending" }, { state: "pending" }]);

    // The one account is the owner, and who made each change by its address has it by id too.
    const { id, role } = await (await client.request("/api/token")).json();
    expect(role).toBe("owner");
    const { items: changes } = await (
      await client.request(`/api/domains/${before[1].id}/history`)
    ).json();
    expect(changes.at(-1)).toMatchObject({ by: OWNER.email, byId: id });
    const [{ operation, deletedBy, deletedById }] = (
      await (await client.request("/api/bin")).json()
    ).items;
    expect([deletedBy, deletedById]).toEqual([OWNER.email, id]);
    const undone = { method: "POST" };
    expect(await client.json(`/api/operations/${operation}/undo`, undone)).toMatchObject({
      restored: 1,
    });
    const imports = (await (await client.request("/api/imports")).json()).items;
    const idOf = (wanted: string) =>
      imports.find(({ state }: { state: string }) => state === wanted).id;
    expect(await undoImport(client, idOf("committed"))).toMatchObject({
      undo: { restored: 1, removed: 1, kept: [] },
    });
    expect((await sendCommit(client, idOf("preview"))).status).toBe(200);
    const after = await listed();
    expect(after.map(({ name }: { name: string }) => name)).toEqual([
      "binned.example",
      "kept.example",
      "soon.example",
      "waiting.example",
    ]);
  });

  test("still has who was signed in, and their calendars", async () => {
    await using old = await oldRegister();
    await using sql = new SQL(old.url, { max: 1 });
    const [session, secret] = [randomToken(), randomToken()];
    const created_at = new Date().toISOString();
    const [user] = await sql<{ id: string }[]>`select id from users`;
    const open = { expires_at: "2099-01-01T00:00:00.000Z", last_seen_at: created_at };
    const signedIn = { id_hash: hashToken(session), user_id: user?.id, created_at, ...open };
    await sql`insert into sessions ${sql(signedIn)}`;
    const calendar = { id: crypto.randomUUID(), name: "Old", filter: "", created_at };
    const byWhom = { secret_hash: hashToken(secret), created_by: OWNER.email };
    await sql`insert into calendars ${sql({ ...calendar, ...byWhom })}`;
    await sql.close();

    await using server = await startBackend({ databaseUrl: old.url, setupCode: null });
    const client = server.visitor();
    client.cookies.set("freehold-session", session);
    expect(await client.json("/api/token")).toMatchObject({ id: user?.id, role: "owner" });
    expect(await client.json("/api/sessions")).toMatchObject({ items: [{ current: true }] });
    expect(await client.json("/api/calendars")).toMatchObject({ items: [{ name: "Old" }] });
    const feed = await server.visitor().request(`/api/calendar/${secret}.ics`);
    expect(feed.status).toBe(200);
    expect(await feed.text()).toContain("NAME:Old");
    // When that session was last proved is not known.
    const post = (path: string, json: object) => client.request(path, { method: "POST", json });
    expect((await post("/api/invitations", { role: "viewer" })).status).toBe(403);
    expect((await post("/api/token/prove", { password: OWNER.password })).status).toBe(204);
    expect((await post("/api/invitations", { role: "viewer" })).status).toBe(201);
  });

  bunTest("gives no link for a new password before the first start with it", async () => {
    await using old = await oldRegister();
    const refusal = await createResetCode(old.url).catch(String);
    expect(refusal).toContain("was written by another version of this program");
  });

  bunTest("refuses an older one, and says what to do", async () => {
    await using old = await oldRegister();
    const database = await openDatabase(old.url);
    await database.write((sql) => sql`delete from schema_migrations where version > 14`);
    const refusal = await migrate(database).catch(String);
    await database.close();
    expect(refusal).toContain(
      "before the first release (schema 14, this program opens 21 and later)",
    );
    expect(refusal).toContain("start commit 23fb20f with it once");
  });
});
