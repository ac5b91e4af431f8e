import { join } from "node:path";
import { SQL } from "bun";
import { Database as SQLite } from "bun:sqlite";
import { describe, expect, spyOn, test as bunTest } from "bun:test";
import { writeBackup } from "../../../src/backend/backup/backup.ts";
import { restoreBackup } from "../../../src/backend/backup/restore.ts";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { type Database, isPostgres } from "../../../src/backend/database/database.ts";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { databaseFile } from "../../../src/backend/database/sqlite.ts";
import { toColumns } from "../../../src/backend/domains/columns.ts";
import { filterCondition } from "../../../src/backend/domains/list/filter-condition.ts";
import { searchWords } from "../../../src/backend/domains/list/search.ts";
import {
  type Domain,
  type NamedPerson,
  parseDomainPage,
  parsePeopleNames,
  UNKNOWN_VALUES,
} from "../../../src/shared/domain.ts";
import { parseYearlyCosts } from "../../../src/shared/facets.ts";
import { foldText, matchesWords, parseWords, searchText } from "../../../src/shared/search.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test } from "../../support/owner-test.ts";
import { databaseKind } from "../../support/both-databases.ts";
import {
  addDomain,
  changeMany,
  deleteDomain,
  listNames,
  patchDomain,
  undoOperation,
} from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";
import { importFile, undoImport } from "../../support/import-client.ts";
import { importTable } from "../../support/import-table.ts";
import { emptyPostgres, hasPostgres } from "../../support/postgres.ts";
import { createRandom } from "../../support/random.ts";
import { EVERYTHING } from "../../../src/backend/http/route.ts";

const TIME = { today: "2027-01-15", leadDays: 60 };

/** What is likely to be found, to be cut in the middle, or to mean something to SQL or FTS5. */
const PIECES = [
  ..."abcdeABC01 -.%_\\\"'*^:()+{}~&|äßÄéş€字例子😀👩‍👧",
  ..."and or not near shop xn-- e\u0301 \u0307 İ ﬁ Ⅷ ½ \u200d \ufeff ΑΣ Σ ς".split(" "),
];

/** Texts that a seed decides, so that a failure can be repeated. */
function createTexts(seed: number) {
  const { below, pick } = createRandom(seed);
  const text = (most: number) =>
    Array.from({ length: 1 + below(most) }, () => pick(PIECES)).join("");
  return { below, text };
}

async function search(sql: SQL, q: string, people: readonly NamedPerson[] = []): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from domains where ${filterCondition(sql, { q }, TIME, EVERYTHING, people)}`;
  return rows.map(({ id }) => id).toSorted();
}

/** What Postgres says of a search; of SQLite, the test of the list's plans has it. */
async function planOf(database: Database, q: string): Promise<string> {
  return database.read(async (sql) => {
    const select = sql`select id from domains where ${filterCondition(sql, { q }, TIME, EVERYTHING)}`;
    // A small table is scanned, as is its key, unless that is forbidden.
    await sql`set local enable_seqscan = off`;
    await sql`set local enable_indexscan = off`;
    const rows = await sql<{ "QUERY PLAN": string }[]>`explain ${select}`;
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

/** Fails where the index of SQLite is not what the domains say. */
async function checkIndex(database: Database): Promise<void> {
  await database.write(async (sql) => {
    if (isPostgres(sql)) return;
    await sql`insert into domain_words (domain_words, rank) values ('integrity-check', 1)`;
  });
}

function closing(database: Database) {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

describe("searching", () => {
  test("finds what comparing every text finds, whatever the texts and the words", async (client) => {
    const database = await client.server.openDatabase();
    const seed = Math.floor(Math.random() * 2 ** 32);
    const { below, text } = createTexts(seed);
    const maybe = (most: number) => (below(3) > 0 ? text(most) : null);
    const people = ["Ada", "Ağaoğlu", text(4)].map((name) => ({ id: Bun.randomUUIDv7(), name }));
    const domains = Array.from({ length: 100 }, (_, at): Domain => {
      const name = `xn--${at}.test`;
      const unicode = below(2) === 0 ? name : `${foldText(text(8))}${at}.test`;
      const [account, owner, notes] = [maybe(6), maybe(6), maybe(40) ?? ""];
      const custom = { [text(3)]: text(6), Contract: String(at) };
      const tags = [text(5), text(5)].filter(() => below(3) === 0);
      const person = people[below(6)] ?? null;
      const id = Bun.randomUUIDv7();
      const labels = { account, owner, notes, custom, tags, person };
      return { ...UNKNOWN_VALUES, id, version: 1, name, unicode, ...labels };
    });
    await database.write(async (sql) => {
      const created_at = "2027-01-01T00:00:00.000Z";
      const accounts = people.map((person) => {
        return { ...person, email: `${person.id}@a.example`, role: "viewer", created_at };
      });
      await insertRows(sql, "users", accounts);
      const rows = domains.map((domain) => {
        const row = { id: domain.id, version: 1, created_at, updated_at: created_at };
        return { ...row, ...toColumns(domain), words: searchWords(domain) };
      });
      await insertRows(sql, "domains", rows);
    });
    const texts = domains.map((domain) => {
      return `${searchText(domain)}\u001e${foldText(domain.person?.name ?? "")}`;
    });
    const piece = () => {
      if (below(4) === 0) return text(3);
      const whole = [...(texts[below(texts.length)] ?? "")];
      const start = below(whole.length);
      const part = whole.slice(start, start + 1 + below(9));
      return part.join("").replaceAll("\u001e", " ");
    };
    const word = () => ["", "", "-"][below(3)] + (below(2) === 0 ? `"${piece()}"` : piece());
    let found = 0;
    for (let round = 0; round < 200; round += 1) {
      const q = Array.from({ length: 1 + below(3) }, word).join(" ");
      const words = parseWords(q);
      const wanted = domains.filter((_, at) => matchesWords(words, texts[at] ?? ""));
      const ids = await database.read((sql) => search(sql, q, people));
      expect([seed, q, ids]).toEqual([seed, q, wanted.map(({ id }) => id).toSorted()]);
      if (wanted.length > 0 && wanted.length < 100) found += 1;
    }
    expect(found).toBeGreaterThan(20);
  });

  test("finds a domain by words of all that is shown of it, in any order and spelling", async (client) => {
    const [me] = parsePeopleNames(await client.json("/api/people/names")).items;
    const { id } = await addDomain(client, {
      name: "zürich-labs.example",
      registrar: "Gandi SAS",
      account: "Haupt-Konto",
      owner: "Acme Łódź",
      tags: ["Größe", "shop"],
      decision: "keep",
      status: "clientHold",
      person: me?.id,
      notes: "Signed by\nMs Ångström. 50% off",
      custom: { Jury: "X-77 b" },
    });
    await addDomain(client, { name: "straße.example", owner: "Ångström", notes: "acme, gandi" });
    const found = async (q: string) =>
      (await listNames(client, `${new URLSearchParams({ q, sort: "name" })}`)).join(" ");
    const [zurich, strasse] = ["xn--zrich-labs-9db.example", "xn--strae-oqa.example"];
    const both = `${strasse} ${zurich}`;
    for (const [q, names] of [
      ["zurich", zurich],
      ["ZÜRICH", zurich],
      ["xn--zrich-labs-", zurich],
      ["strasse", strasse],
      ["acme gandi", both],
      ["gandi acme", both],
      ["sas lodz konto", zurich],
      ["grosse hold", zurich],
      ["clienthold keep", zurich],
      ['"on hold"', zurich],
      ["x-77", zurich],
      ['"by ms angstrom"', zurich],
      ['"ms by"', ""],
      // A phrase does not go from one field to the next.
      ['"sas haupt"', ""],
      ["angstrom", both],
      ["angstrom -gandi", ""],
      ["angstrom -shop", strasse],
      ['-"by ms"', strasse],
      ["-nothing", both],
      // On the way to a word or a phrase.
      ["acme -", both],
      ['acme "', both],
      ['shop "50% o', zurich],
      ["jury", ""],
      ["j", ""],
      ["%", zurich],
      ["_", ""],
    ] as const) {
      expect([q, await found(q)]).toEqual([q, names]);
    }

    await client.patch("/api/profile", { name: "Grace Hopper" });
    expect(await found("hopper gandi")).toBe(zurich);
    expect(await found("gandi -hopper")).toBe(strasse);
    await client.patch("/api/profile", { name: "Ada" });
    expect([await found("hopper"), await found("ada gandi")]).toEqual(["", zurich]);
    await patchDomain(client, id, { registrar: "OVH", tags: [], decision: "drop" }, "*");
    expect([await found("gandi"), await found("ovh drop -shop")]).toEqual([strasse, zurich]);
  });

  test("means the same in the list, an export, a bulk change and a cost", async (client) => {
    const database = await client.server.openDatabase();
    await fillRegister(database, 400);
    for (const q of ["owner gandi", "gandi -owner", '"account 7"', "17 shop -legacy", "-owner"]) {
      const query = new URLSearchParams({ q });
      const { total } = parseDomainPage(await client.json(`/api/domains?${query}`));
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThan(400);
      const csv = await (await client.request(`/api/domains.csv?${query}`)).text();
      expect(csv.split("\n").filter((line) => line.startsWith("name-"))).toHaveLength(total);
      const cost = parseYearlyCosts(await client.json(`/api/domains/cost?${query}`));
      const priced = cost.costs.reduce((sum, { names }) => sum + names, 0);
      expect(priced + cost.unpriced).toBe(total);
      const select = { filter: { q }, expectedCount: total };
      const changed = await changeMany(client, select, { kind: "edit", account: `Of ${q}` });
      expect(await changed.json()).toMatchObject({ changed: total });
    }
  });

  test("keeps up with edits, bulk changes, imports, the bin, undo, vacuum and restoring", async (client) => {
    const database = await client.server.openDatabase();
    const totalOf = async (q: string) => {
      await checkIndex(database);
      const response = await client.request(`/api/domains?q=${encodeURIComponent(q)}`);
      return (await response.json()).total;
    };
    const first = { name: "first.example", owner: "Zuse", tags: ["ledger"] };
    const { id } = await addDomain(client, first);
    const other = await addDomain(client, { name: "second.example", notes: "the abacus" });
    for (const word of ["zuse", "abacus", "edge"]) expect(await totalOf(word)).toBe(1);
    const edited = { owner: "Ada", notes: "an engine", custom: { No: "X-77" } };
    await patchDomain(client, id, edited, "*");
    expect(await totalOf("zuse")).toBe(0);
    for (const word of ["engine", "x-77"]) expect(await totalOf(word)).toBe(1);

    const imported = await importFile(client, importTable(30));
    expect(await totalOf("example")).toBeGreaterThan(2);
    const edit = { kind: "edit", account: "Babbage" };
    const { operation } = await (await changeMany(client, { ids: [id, other.id] }, edit)).json();
    expect(await totalOf("babbage")).toBe(2);
    await undoOperation(client, operation);
    expect(await totalOf("babbage")).toBe(0);
    await undoImport(client, imported.id);
    expect(await totalOf("example")).toBe(2);

    const deleted = await (await deleteDomain(client, id)).json();
    expect(await totalOf("engine")).toBe(0);
    await undoOperation(client, deleted.operation);
    expect(await totalOf("engine")).toBe(1);

    // SQLite promises nobody the rows' numbers, by which the index names them.
    if (databaseKind() === "sqlite") {
      const vacuumed = join(client.server.folder, "vacuumed.sqlite");
      using register = new SQLite(databaseFile(client.server.databaseUrl));
      // Into another file: in place it fails while the backend writes, as its loops do at any time.
      register.run("vacuum into ?", [vacuumed]);
      await using smaller = closing(await openDatabase(`sqlite://${vacuumed}`));
      await checkIndex(smaller);
      expect(await smaller.read((sql) => search(sql, "ngine"))).toEqual([id]);
    }
    expect([await totalOf("engine"), await totalOf("edger")]).toEqual([1, 1]);

    const backup = join(client.server.folder, "backup.tar");
    await writeBackup(database, backup);
    await using copy = closing(
      await openDatabase(`sqlite://${join(client.server.folder, "copy.sqlite")}`),
    );
    await restoreBackup(copy, backup);
    await checkIndex(copy);
    expect(await copy.read((sql) => search(sql, "ngine"))).toEqual([id]);
  });

  bunTest.skipIf(!hasPostgres)("works and says so where Postgres has no trigrams", async () => {
    await using place = await emptyPostgres();
    await using owner = new SQL(place.url);
    const url = new URL(place.url);
    url.username = `user_${url.pathname.slice(1)}`;
    await owner.unsafe(`create role ${url.username} login`);
    await owner.unsafe(`grant all on schema public to ${url.username}`);
    using warned = spyOn(console, "warn").mockImplementation(() => undefined);
    for (const isIndexed of [false, true]) {
      warned.mockClear();
      await using server = await startBackend({ databaseUrl: url.href, instances: 1 });
      await using database = closing(await server.openDatabase());
      if (!isIndexed) await fillRegister(database, 1000);
      const said = isIndexed ? [] : [expect.stringContaining("create extension pg_trgm")];
      expect(warned.mock.calls.map(String)).toEqual(said);
      expect(await database.read((sql) => search(sql, '"account 7"'))).toHaveLength(25);
      await owner`create extension if not exists pg_trgm`;
      const readsIndex = async () => /_search_trigrams/.test(await planOf(database, "12345"));
      // Postgres leaves a new index alone while a transaction of its cluster, of whichever test, is older.
      if (!isIndexed) expect(await readsIndex()).toBe(false);
      else while (!(await readsIndex())) await Bun.sleep(50);
    }
    await owner.unsafe(`drop owned by ${url.username} cascade`);
    await owner.unsafe(`drop role ${url.username}`);
  });
});
