import { expect, test } from "bun:test";
import { join } from "node:path";
import type { SQL } from "bun";
import { writeBackup } from "../../../src/backend/backup/backup.ts";
import { restoreBackup } from "../../../src/backend/backup/restore.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { blankDomain } from "../../../src/backend/domains/write/write-domains.ts";
import { migrate, MIGRATIONS } from "../../../src/backend/database/migrate.ts";
import { parseChangePage } from "../../../src/shared/changes.ts";
import { parseDomainDetail } from "../../../src/shared/domain-detail.ts";
import { parseBinPage } from "../../../src/shared/operations.ts";
import { startBackend } from "../../support/backend-server.ts";
import { emptyDatabase } from "../../support/empty-database.ts";

const SCHEMA = 40;
const SOURCE = 'account:gandi:My "main"';
const AT = "2026-11-01T00:00:00.000Z";
const LATER = "2026-11-02T00:00:00.000Z";
const [ACCOUNT, DOMAIN, OPERATION] = ["1", "2", "3"].map(
  (digit) => `00000000-0000-7000-8000-00000000000${digit}`,
);

const expiry = { date: "2027-06-01", source: SOURCE, conflict: false };

/** A register of an older version, with an account whose label is in its sources. */
async function fill(sql: SQL): Promise<void> {
  const add = (table: string, row: object) => sql`insert into ${sql(table)} ${sql(row)}`;
  const { source, date } = expiry;
  const domain = {
    id: DOMAIN,
    version: 2,
    name: "a.example",
    unicode: "a.example",
    tld: "example",
  };
  const pinned = { expires_on: "2028-01-01", expires_source: "manual", expires_observed_at: LATER };
  const written = { notes: "", expires_conflict: 0, created_at: AT, updated_at: LATER };
  await add("domains", { ...domain, ...pinned, ...written });
  const report = { domain_id: DOMAIN, kind: "expires" };
  await add("observations", { ...report, id: "one", source, value: date, observed_at: AT });
  const byHand = { source: "manual", value: "2028-01-01", observed_at: LATER };
  await add("observations", { ...report, ...byHand, id: "two" });
  const change = { domain_id: DOMAIN, made_by: "u", made_by_name: "Ada", action: "edited" };
  const after = { date: "2028-01-01", source: "manual", conflict: false };
  const fields = JSON.stringify([{ field: "expires", before: expiry, after }]);
  await add("changes", {
    ...change,
    id: Bun.randomUUIDv7(),
    at: LATER,
    operation: OPERATION,
    fields,
  });
  const about = {
    registrar: "gandi",
    label: 'My "main"',
    label_key: 'my "main"',
    credentials: "{}",
  };
  const state = { state: "paused", failures: 0, refusals: "[]", due_at: AT, priority: 0 };
  await add("registrar_accounts", { id: ACCOUNT, version: 1, ...about, ...state, created_at: AT });
  const binned = blankDomain(Bun.randomUUIDv7(), {
    name: "b.example",
    unicode: "b.example",
  });
  const content = {
    domain: {
      ...binned,
      createdAt: AT,
      updatedAt: AT,
      expires: { ...expiry, observedAt: AT, alternatives: [] },
    },
    observations: [
      { ...report, id: "three", domain_id: binned.id, source, value: date, observed_at: AT },
    ],
  };
  const { name, unicode } = binned;
  const deleted = {
    deleted_at: "2099-01-01T00:00:00.000Z",
    deleted_by: "u",
    deleted_by_name: "Ada",
  };
  const row = { id: Bun.randomUUIDv7(), domain_id: binned.id, name, unicode };
  await add("bin", { ...row, ...deleted, content: JSON.stringify(content) });
}

test("a register of schema 40 keeps the sources of its accounts, and undoes what was done by hand", async () => {
  await using old = await emptyDatabase();
  await using other = await emptyDatabase();
  const archive = join(old.folder, "backup.tar");
  const database = await openDatabase(old.url);
  await migrate(
    database,
    MIGRATIONS.filter(({ version }) => version <= SCHEMA),
  );
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
    const detail = async (which: string) =>
      parseDomainDetail(await client.json(`/api/domains/${which}`));
    expect((await detail(DOMAIN ?? "")).observations).toMatchObject([
      { source: "manual" },
      { source: SOURCE },
    ]);
    const { items } = parseChangePage(await client.json(`/api/domains/${DOMAIN}/history`));
    expect(items[0]?.fields).toMatchObject([{ before: expiry }]);
    const path = `/api/operations/${OPERATION}/undo`;
    expect(await client.json(path, { method: "POST" })).toMatchObject({ restored: 1, kept: [] });
    expect((await detail(DOMAIN ?? "")).expires).toMatchObject(expiry);
    const { items: bin } = parseBinPage(await client.json("/api/bin"));
    const json = { ids: bin.map(({ id }) => id) };
    await client.json("/api/bin/restore", { method: "POST", json });
    expect((await detail("b.example")).expires).toMatchObject(expiry);

    // The new label is shown everywhere, and the old one as a new account's is another source.
    const label = "Other";
    const headers = { "If-Match": '"1"' };
    await client.request(`/api/accounts/${ACCOUNT}`, {
      method: "PATCH",
      json: { label },
      headers,
    });
    const renamed = { ...expiry, source: `account:gandi:${label}` };
    expect((await detail("b.example")).expires).toMatchObject(renamed);
    const page = parseChangePage(await client.json(`/api/domains/${DOMAIN}/history`));
    expect(page.items.at(-1)?.fields).toMatchObject([{ before: renamed }]);
  }
});
