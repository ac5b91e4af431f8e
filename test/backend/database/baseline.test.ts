import { join } from "node:path";
import { SQL } from "bun";
import { describe, expect, test as bunTest } from "bun:test";
import { createResetCode } from "../../../src/backend/auth/people/invitations.ts";
import { hashToken, randomToken } from "../../../src/backend/auth/tokens/secrets.ts";
import { backUp, writeBackup } from "../../../src/backend/backup/backup.ts";
import { restore, restoreBackup } from "../../../src/backend/backup/restore.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { migrate, MIGRATIONS } from "../../../src/backend/database/migrate.ts";
import type { Import } from "../../../src/shared/import.ts";
import type { Delivery } from "../../../src/shared/reminders.ts";
import { type ApiClient, OWNER } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { emptyDatabase } from "../../support/empty-database.ts";
import { sendCommit, undoImport } from "../../support/import-client.ts";
import { blankDomain } from "../../../src/backend/domains/write/write-domains.ts";

// A register as commit e9018ab2 left it, at schema 40, the oldest that any version opens. It stays, and
// with it the promise of UPGRADING.md. What is swept by age has the year 2099.
const DATA = join(import.meta.dir, "../../data/schema-40");

async function unpack(name: string): Promise<Uint8Array> {
  return Bun.gunzipSync(await Bun.file(join(DATA, name)).bytes());
}

/** A copy of that register, in a database of its own. */
async function oldRegister() {
  const place = await emptyDatabase();
  if (databaseKind() === "postgres") {
    await using sql = new SQL(place.url, { max: 1 });
    await sql.unsafe(new TextDecoder().decode(await unpack("register.postgres.sql.gz")));
  } else {
    await Bun.write(place.file, await unpack("register.sqlite.gz"));
  }
  return place;
}

/** That register, restored from the archive that the commit wrote. */
async function restoredRegister() {
  const place = await emptyDatabase();
  const archive = join(place.folder, "register.tar");
  await Bun.write(archive, await unpack("register.tar.gz"));
  await restore(place.url, archive);
  return place;
}

const credentialsKey = Buffer.alloc(32, 7).toString("base64");

const add = (sql: SQL, table: string, row: object) => sql`insert into ${sql(table)} ${sql(row)}`;

async function items(client: ApiClient, path: string) {
  return (await (await client.request(path)).json()).items;
}

describe.each([
  ["a database", oldRegister, "pending", "2026-01"],
  ["an archive", restoredRegister, "cancelled", "2099-01"],
] as const)("%s of e9018ab2", (_, place, delivery, month) => {
  test("still opens, with a preview, messages, a bin, checks, people and accounts", async () => {
    await using old = await place();
    const { url: databaseUrl } = old;
    await using server = await startBackend({ databaseUrl, setupCode: null, credentialsKey });
    const client = server.visitor();
    expect((await client.signIn()).status).toBe(200);

    const listed = async () => {
      const all = await items(client, "/api/domains?sort=name");
      return all.filter(({ name }: { name: string }) => !name.includes("-name-"));
    };
    const names = (of: { name: string }[]) => of.map(({ name }) => name.replace(".example", ""));
    const before = await listed();
    expect(names(before)).toEqual(["account", "held", "imported", "kept", "shared", "soon"]);
    const [, , , kept, shared] = before;
    expect(await client.json("/api/domains?q=müll")).toMatchObject({ total: 1, items: [shared] });
    expect(shared).toMatchObject({ account: "Shop", person: { name: "Grace" } });
    expect(kept).toMatchObject({ expires: { date: "2026-03-01", conflict: true } });
    const checks = { dns: { outcome: "ok" }, registry: { outcome: "timeout" } };
    expect(await client.json(`/api/domains/${kept.id}`)).toMatchObject({ checks });
    // Reminders may have been evaluated since the start.
    const messages: Delivery[] = await items(client, "/api/deliveries");
    const older = messages.filter(({ createdAt }) => createdAt.startsWith(month));
    expect(older.map(({ state }) => state)).toEqual([delivery, delivery]);
    const shop = { label: "Shop", state: "on", outcome: "ok", counts: { listed: 3, new: 0 } };
    expect(await items(client, "/api/accounts")).toMatchObject([shop]);
    expect(await items(client, "/api/people")).toMatchObject([
      { email: OWNER.email, role: "owner" },
      { name: "Grace", role: "editor" },
    ]);

    const { id } = await (await client.request("/api/token")).json();
    const changes = await items(client, `/api/domains/${kept.id}/history`);
    expect(changes.at(-1)).toMatchObject({ by: OWNER.email, byId: id });
    const [{ operation, deletedById }] = await items(client, "/api/bin");
    expect(deletedById).toBe(id);
    const undone = await client.post(`/api/operations/${operation}/undo`);
    expect(await undone.json()).toMatchObject({ restored: 1 });
    const imports = await items(client, "/api/imports");
    const [large, small] = imports.filter(({ state }: Import) => state === "committed");
    const preview = imports.find(({ state }: Import) => state === "preview");
    const undo = { restored: 1, removed: 1, kept: [] };
    expect(await undoImport(client, small.id)).toMatchObject({ undo });
    expect(await undoImport(client, large.id)).toMatchObject({ undo: { removed: 34, kept: [] } });
    // What one row would do has changed with the undo of the imports.
    for (const status of [409, 200]) {
      expect((await sendCommit(client, preview.id)).status).toBe(status);
    }
    const after = ["account", "binned", "held", "kept", "shared", "soon", "waiting"];
    expect(names(await items(client, "/api/domains?sort=name"))).toEqual(after);
    // Their preview had no words.
    const added = await items(client, "/api/domains?sort=name&q=example waiting");
    expect(names(added)).toEqual(["waiting"]);
  });
});

describe("a database of e9018ab2", () => {
  test("still has who was signed in, their calendars, tokens, factors, views and prices", async () => {
    await using old = await oldRegister();
    await using sql = new SQL(old.url, { max: 1 });
    const [session, secret] = [randomToken(), randomToken()];
    const created_at = new Date().toISOString();
    const [user] = await sql<{ id: string }[]>`select id from users where role = 'owner'`;
    const owned = { user_id: user?.id, created_at };
    const expires_at = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
    const open = { id_hash: hashToken(session), expires_at, last_seen_at: created_at };
    await add(sql, "sessions", { ...owned, ...open });
    const id = crypto.randomUUID();
    const calendar = { id, name: "Old", filter: "", secret_hash: hashToken(secret) };
    await add(sql, "calendars", { ...owned, ...calendar });
    const token = "fh_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0DofJ8";
    const script = { id, name: "Script", scope: "read", hash: hashToken(token), expires_at };
    await add(sql, "api_tokens", { ...owned, ...script });
    const passkey = { id, name: "Key", counter: 1, public_key: "AA", credential_id: "AA" };
    await add(sql, "passkeys", { ...owned, ...passkey });
    const totp = { user_id: user?.id, secret: "AA", confirmed_at: created_at };
    await add(sql, "totp", totp);
    await add(sql, "recovery_codes", { user_id: user?.id, code_hash: "AA" });
    await add(sql, "views", { id, name: "Mine", name_key: "mine", query: "tag=shop" });
    const price = { tld: "com", minor: 1099, currency: "EUR", years: 1 };
    const [registrar] = await sql<object[]>`
      select label_key as registrar_key from registrars limit 1`;
    await add(sql, "registrar_prices", { ...registrar, ...price });
    await sql.close();

    await using server = await startBackend({ databaseUrl: old.url, setupCode: null });
    const client = server.visitor();
    client.cookies.set("freehold-session", session);
    expect(await client.json("/api/token")).toMatchObject({ id: user?.id, role: "owner" });
    expect(await items(client, "/api/sessions")).toMatchObject([{ current: true }]);
    expect(await items(client, "/api/calendars")).toMatchObject([{ name: "Old" }]);
    expect(await items(client, "/api/passkeys")).toMatchObject([{ name: "Key" }]);
    expect(await client.json("/api/factors")).toMatchObject({ totp: true, recoveryCodesLeft: 1 });
    expect(await items(client, "/api/views")).toMatchObject([{ name: "Mine" }]);
    const registrars: { prices: object[] }[] = await items(client, "/api/registrars");
    expect(registrars.flatMap(({ prices }) => prices)).toEqual([price]);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await server.visitor().request("/api/domains", { headers })).status).toBe(200);
    const feed = await server.visitor().request(`/api/calendar/${secret}.ics`);
    expect(feed.status).toBe(200);
    expect(await feed.text()).toContain("NAME:Old");
  });

  bunTest("is refused if older, by each command in a line that says what to do", async () => {
    await using old = await oldRegister();
    await using sql = new SQL(old.url, { max: 1 });
    await sql`update schema_migrations set version = version - 1`;
    await sql.close();
    const database = await openDatabase(old.url);
    const archive = join(old.folder, "older.tar");
    for (const opening of [migrate(database), backUp(old.url, archive)]) {
      const refusal = String(await opening.catch(String));
      expect(refusal).toContain("(schema 39, this one opens 40 and later)");
      expect(refusal).toContain("start commit e9018ab2 with it first");
      expect(refusal).not.toContain("\n");
    }
    await database.close();
    const refused = String(await createResetCode(old.url).catch(String));
    expect(refused).toContain("was written by another version of this program");
  });
});

const SOURCE = 'account:gandi:My "main"';
const AT = "2026-11-01T00:00:00.000Z";
const LATER = "2026-11-02T00:00:00.000Z";
const [ACCOUNT, DOMAIN, OPERATION] = ["1", "2", "3"].map(
  (digit) => `00000000-0000-7000-8000-00000000000${digit}`,
);

const expiry = { date: "2027-06-01", source: SOURCE, conflict: false };

/** A register of an older version, with an account whose label is in its sources. */
async function fill(sql: SQL): Promise<void> {
  const { source, date } = expiry;
  const name = { name: "a.example", unicode: "a.example", tld: "example" };
  const pinned = { expires_on: "2028-01-01", expires_source: "manual", expires_observed_at: LATER };
  const written = { notes: "", expires_conflict: 0, created_at: AT, updated_at: LATER };
  await add(sql, "domains", { id: DOMAIN, version: 2, ...name, ...pinned, ...written });
  const report = { domain_id: DOMAIN, kind: "expires" };
  await add(sql, "observations", { ...report, id: "one", source, value: date, observed_at: AT });
  const byHand = { source: "manual", value: "2028-01-01", observed_at: LATER };
  await add(sql, "observations", { ...report, ...byHand, id: "two" });
  const change = { domain_id: DOMAIN, made_by: "u", made_by_name: "Ada", action: "edited" };
  const after = { date: "2028-01-01", source: "manual", conflict: false };
  const fields = JSON.stringify([{ field: "expires", before: expiry, after }]);
  const made = { id: Bun.randomUUIDv7(), at: LATER, operation: OPERATION };
  await add(sql, "changes", { ...change, ...made, fields });
  const label = { label: 'My "main"', label_key: 'my "main"' };
  const about = { registrar: "gandi", ...label, credentials: "{}" };
  const state = { state: "paused", failures: 0, refusals: "[]", due_at: AT, priority: 0 };
  await add(sql, "registrar_accounts", {
    id: ACCOUNT,
    version: 1,
    ...about,
    ...state,
    created_at: AT,
  });
  const other = { name: "b.example", unicode: "b.example" };
  const binned = blankDomain(Bun.randomUUIDv7(), other);
  const expires = { ...expiry, observedAt: AT, alternatives: [] };
  const content = JSON.stringify({
    domain: { ...binned, createdAt: AT, updatedAt: AT, expires },
    observations: [
      { ...report, id: "three", domain_id: binned.id, source, value: date, observed_at: AT },
    ],
  });
  const deleted_at = "2099-01-01T00:00:00.000Z";
  const deleted = { deleted_at, deleted_by: "u", deleted_by_name: "Ada" };
  const row = { id: Bun.randomUUIDv7(), domain_id: binned.id, ...other };
  await add(sql, "bin", { ...row, ...deleted, content });
}

bunTest(
  "a register of schema 40 keeps the sources of its accounts, and undoes what was done by hand",
  async () => {
    await using old = await emptyDatabase();
    await using other = await emptyDatabase();
    const archive = join(old.folder, "backup.tar");
    const database = await openDatabase(old.url);
    const former = MIGRATIONS.filter(({ version }) => version <= 40);
    await migrate(database, former);
    await database.write(fill);
    await writeBackup(database, archive);
    await database.close();
    const restored = await openDatabase(other.url);
    await restoreBackup(restored, archive);
    await restored.close();

    // The one opens as it is, the other was restored.
    for (const databaseUrl of [old.url, other.url]) {
      await using server = await startBackend({ databaseUrl, setupCode: null });
      const client = await server.owner();
      const detail = (which = DOMAIN) => client.json(`/api/domains/${which}`);
      const history = () => items(client, `/api/domains/${DOMAIN}/history`);
      const observations = [{ source: "manual" }, { source: SOURCE }];
      expect(await detail()).toMatchObject({ observations });
      expect(await history()).toMatchObject([{ fields: [{ before: expiry }] }]);
      const undone = await client.post(`/api/operations/${OPERATION}/undo`);
      expect(await undone.json()).toMatchObject({ restored: 1, kept: [] });
      expect(await detail()).toMatchObject({ expires: expiry });
      const [{ id }] = await items(client, "/api/bin");
      await client.post("/api/bin/restore", { ids: [id] });
      expect(await detail("b.example")).toMatchObject({ expires: expiry });

      // The new label is shown everywhere, and the old one as a new account's is another source.
      const label = "Other";
      const headers = { "If-Match": '"1"' };
      const rename = { method: "PATCH", json: { label }, headers };
      await client.request(`/api/accounts/${ACCOUNT}`, rename);
      const renamed = { ...expiry, source: `account:gandi:${label}` };
      expect(await detail("b.example")).toMatchObject({ expires: renamed });
      expect((await history()).at(-1).fields).toMatchObject([{ before: renamed }]);
    }
  },
);
