import { join } from "node:path";
import { SQL } from "bun";
import { Database as SQLite } from "bun:sqlite";
import { describe, expect, spyOn, test as once } from "bun:test";
import { writeBackup } from "../../../src/backend/backup/backup.ts";
import { restoreBackup } from "../../../src/backend/backup/restore.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { type Database, isPostgres } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { databaseFile } from "../../../src/backend/database/sqlite.ts";
import { filterCondition } from "../../../src/backend/domains/list/filter-condition.ts";
import { FIELDS, LABEL_FIELDS } from "../../../src/shared/fields.ts";
import { customKey, foldLabel } from "../../../src/shared/text.ts";
import { startBackend } from "../../support/backend-server.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { addDomain, patchDomain } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { importFile, undoImport } from "../../support/import-client.ts";
import { importTable } from "../../support/import-table.ts";
import { emptyPostgres, hasPostgres } from "../../support/postgres.ts";

const TIME = { today: "2027-01-15", leadDays: 60 };

/** What is likely to be found, to be cut in the middle, or to mean something to SQL or FTS5. */
const PIECES = [
  ..."abcdeABC01 -.%_\\\"'*^:()+{}~&|äßÄéş€字例子😀👩‍👧",
  ..."and or not near shop xn-- e\u0301 \u0307 İ ﬁ Ⅷ ½ \u200d \ufeff ΑΣ Σ ς".split(" "),
];

/** Numbers that a seed decides, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const text = (most: number) =>
    Array.from({ length: 1 + below(most) }, () => PIECES[below(PIECES.length)]).join("");
  return { below, text };
}

/** What a search finds by the plainest statement: the text stands anywhere. */
async function plainSearch(sql: SQL, q: string): Promise<string[]> {
  const position = isPostgres(sql) ? sql`strpos` : sql`instr`;
  const has = (column: string) => sql`${position}(${sql(column)}, ${foldLabel(q)}) > 0`;
  const labels = LABEL_FIELDS.map((field) => sql`or ${has(FIELDS[field].sortedBy)}`);
  const rows = await sql<{ id: string; found: boolean | number; custom: string | null }[]>`
    select id, custom, coalesce(${has("name")} or ${has("unicode")} ${labels}
      or ${has("notes_key")}
      or id in (select domain_id from domain_tags where ${has("tag_key")}), false) as found
    from domains`;
  const isIn = (custom: string | null) =>
    Object.values(JSON.parse(custom ?? "{}")).some((each) =>
      foldLabel(String(each)).includes(foldLabel(q)),
    );
  return rows
    .filter(({ found, custom }) => Boolean(found) || isIn(custom))
    .map(({ id }) => id)
    .toSorted();
}

async function search(sql: SQL, q: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${filterCondition(sql, { q }, TIME)}`;
  return rows.map(({ id }) => id).toSorted();
}

async function planOf(database: Database, q: string): Promise<string> {
  return database.read(async (sql) => {
    const select = sql`select id from domains where ${filterCondition(sql, { q }, TIME)}`;
    if (!isPostgres(sql)) {
      const rows = await sql<{ detail: string }[]>`explain query plan ${select}`;
      return rows.map(({ detail }) => detail).join("\n");
    }
    // A small table is scanned, unless that is forbidden.
    await sql`set local enable_seqscan = off`;
    const rows = await sql<{ "QUERY PLAN": string }[]>`explain ${select}`;
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

/** Fails where the index of SQLite is not what the domains say. */
async function checkIndex(database: Database): Promise<void> {
  await database.write(async (sql) => {
    if (isPostgres(sql)) return;
    await sql`insert into domain_search (domain_search, rank) values ('integrity-check', 1)`;
  });
}

function closing(database: Database) {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

describe("searching", () => {
  test("finds what reading every text finds, whatever the texts and the query", async () => {
    await using server = await startBackend();
    await using database = closing(await server.openDatabase());
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { below, text } = createRandom(seed);
    const maybe = (most: number) => (below(3) > 0 ? text(most) : null);
    const texts: string[] = [];
    const remember = (given: string | null) => {
      if (given !== null) texts.push(given);
      return given;
    };
    await database.write(async (sql) => {
      const tags = new Set(Array.from({ length: 12 }, () => foldLabel(text(5))));
      await insertRows(
        sql,
        "tags",
        [...tags].map((label) => ({ label_key: label, label })),
      );
      texts.push(...tags);
      for (let at = 0; at < 100; at += 1) {
        const unicode = `${foldLabel(text(8))}${at}.test`;
        const labels = LABEL_FIELDS.map((field) => [FIELDS[field].sortedBy, remember(maybe(6))]);
        const keys = Object.fromEntries(
          labels.map(([column, label]) => [column, label && foldLabel(label)]),
        );
        const registrar = keys["registrar_key"] ?? null;
        if (registrar !== null) {
          const row = { label_key: registrar, label: registrar };
          await insertRows(sql, "registrars", [row], "on conflict do nothing");
        }
        const notes = remember(maybe(40)) ?? "";
        const custom = { [text(3)]: remember(text(6)) ?? "", Contract: String(at) };
        const id = Bun.randomUUIDv7();
        const time = "2027-01-01T00:00:00.000Z";
        const row = {
          id,
          version: 1,
          name: below(2) === 0 ? unicode : `xn--${at}.test`,
          unicode: remember(unicode),
          tld: "test",
          ...keys,
          expires_conflict: 0,
          created_at: time,
          updated_at: time,
          notes,
          notes_key: notes === "" ? null : foldLabel(notes),
          custom: JSON.stringify(custom),
          custom_key: customKey(custom),
        };
        await insertRows(sql, "domains", [row]);
        const own = [...tags].filter(() => below(8) === 0);
        await insertRows(
          sql,
          "domain_tags",
          own.map((tag_key) => ({ domain_id: id, tag_key })),
        );
      }
    });
    const queries = Array.from({ length: 150 }, () => {
      if (below(4) === 0) return text(3);
      const whole = [...(texts[below(texts.length)] ?? "")];
      const start = below(whole.length);
      return whole.slice(start, start + 1 + below(9)).join("");
    }).filter((q) => foldLabel(q) !== "");
    let found = 0;
    for (const q of queries) {
      const [ids, plain] = await database.read(
        async (sql) => [await search(sql, q), await plainSearch(sql, q)] as const,
      );
      expect([seed, q, ids]).toEqual([seed, q, plain]);
      if (plain.length > 0 && plain.length < 100) found += 1;
    }
    expect(found).toBeGreaterThan(20);
  });

  test("reads an index from three characters on", async () => {
    await using server = await startBackend();
    await using database = closing(await server.openDatabase());
    const plan = await planOf(database, "12345");
    const used =
      databaseKind() === "postgres" ? "on domain_search_trigrams" : "SCAN domain_search VIRTUAL";
    expect(plan).toContain(used);
    expect(plan).not.toMatch(/SCAN domains\b|Seq Scan on domains\b/);
    expect(await planOf(database, "12")).not.toContain("domain_search");
  });

  test("keeps up with edits, bulk changes, imports, the bin, undo, vacuum and restoring", async () => {
    await using server = await startBackend();
    await using database = closing(await server.openDatabase());
    const client = await server.owner();
    const totalOf = async (q: string) => {
      await checkIndex(database);
      const response = await client.request(`/api/domains?q=${encodeURIComponent(q)}`);
      return (await response.json()).total;
    };
    const send = async (method: string, path: string, json?: object) => {
      const init = { method, headers: { "If-Match": "*" }, ...(json && { json }) };
      const response = await client.request(path, init);
      expect(response.status).toBe(200);
      return response.json();
    };
    const { id } = await addDomain(client, {
      name: "first.example",
      owner: "Zuse",
      tags: ["ledger"],
    });
    const other = await addDomain(client, { name: "second.example", notes: "the abacus" });
    expect([await totalOf("zuse"), await totalOf("abacus"), await totalOf("edge")]).toEqual([
      1, 1, 1,
    ]);
    await patchDomain(
      client,
      id,
      { owner: "Ada", notes: "an engine", custom: { No: "X-77" } },
      "*",
    );
    expect([await totalOf("zuse"), await totalOf("engine"), await totalOf("x-77")]).toEqual([
      0, 1, 1,
    ]);

    const imported = await importFile(client, importTable(30));
    expect(await totalOf("example")).toBeGreaterThan(2);
    const op = { kind: "edit", account: "Babbage" };
    const select = { ids: [id, other.id] };
    const { operation } = await send("POST", "/api/domains/bulk", { select, op });
    expect(await totalOf("babbage")).toBe(2);
    await send("POST", `/api/operations/${operation}/undo`);
    expect(await totalOf("babbage")).toBe(0);
    await undoImport(client, imported.id);
    expect(await totalOf("example")).toBe(2);

    const deleted = await send("DELETE", `/api/domains/${id}`);
    expect(await totalOf("engine")).toBe(0);
    await send("POST", `/api/operations/${deleted.operation}/undo`);
    expect(await totalOf("engine")).toBe(1);

    // SQLite promises nobody the rows' numbers, by which the index names them.
    const file = join(server.folder, "copy.sqlite");
    if (databaseKind() === "sqlite") {
      const vacuumed = join(server.folder, "vacuumed.sqlite");
      using register = new SQLite(databaseFile(server.databaseUrl));
      // Into another file: in place it fails while the backend writes, as its loops do at any time.
      register.run("vacuum into ?", [vacuumed]);
      await using smaller = closing(await openDatabase(`sqlite://${vacuumed}`));
      await checkIndex(smaller);
      expect(await smaller.read((sql) => search(sql, "ngine"))).toEqual([id]);
    }
    expect([await totalOf("engine"), await totalOf("edger")]).toEqual([1, 1]);

    const backup = join(server.folder, "backup.tar");
    await writeBackup(database, backup);
    await using copy = closing(await openDatabase(`sqlite://${file}`));
    await restoreBackup(copy, backup);
    await checkIndex(copy);
    const found = await copy.read((sql) => search(sql, "ngine"));
    expect(found).toEqual([id]);
  });

  once.skipIf(!hasPostgres)("works and says so where Postgres has no trigrams", async () => {
    await using place = await emptyPostgres();
    await using owner = new SQL(place.url);
    const url = new URL(place.url);
    url.username = `user_${url.pathname.slice(1)}`;
    await owner.unsafe(`create role ${url.username} login`);
    await owner.unsafe(`grant all on schema public to ${url.username}`);
    const warned = spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      for (const [isIndexed, warnings] of [
        [false, 1],
        [true, 0],
      ] as const) {
        warned.mockClear();
        await using server = await startBackend({ databaseUrl: url.href, instances: 1 });
        await using database = closing(await server.openDatabase());
        if (warnings === 1) await fillRegister(database, 1000);
        expect(warned.mock.calls.flat()).toHaveLength(warnings);
        if (warnings === 1)
          expect(String(warned.mock.calls[0])).toContain("create extension pg_trgm");
        expect(await database.read((sql) => search(sql, "account 7"))).toHaveLength(25);
        await owner`create extension if not exists pg_trgm`;
        expect((await planOf(database, "12345")).includes("on domain_search_trigrams")).toBe(
          isIndexed,
        );
      }
    } finally {
      warned.mockRestore();
      await owner.unsafe(`drop owned by ${url.username} cascade`);
      await owner.unsafe(`drop role ${url.username}`);
    }
  });
});
