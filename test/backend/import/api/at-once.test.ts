import { describe, expect } from "bun:test";
import { parseChangePage } from "../../../../src/shared/changes.ts";
import { parseDomainPage } from "../../../../src/shared/domain.ts";
import { parseDomainDetail } from "../../../../src/shared/domain-detail.ts";
import { sweepImports } from "../../../../src/backend/import/import-record.ts";
import type { Import } from "../../../../src/shared/import.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { countRows, startBackend } from "../../../support/backend-server.ts";
import { onSqlite } from "../../../support/both-databases.ts";
import { addDomain, deleteDomain, patchDomain } from "../../../support/domains.ts";
import { emptyDatabase } from "../../../support/empty-database.ts";
import { importTable } from "../../../support/import-table.ts";
import {
  commitWhatIsNow,
  importFile,
  previewOf,
  sendCommit,
  undoImport,
} from "../../../support/import-client.ts";
import { spawnBackend } from "../../../support/spawn-backend.ts";
import { test } from "../../../support/owner-test.ts";

async function totalOf(client: ApiClient): Promise<number> {
  return (await (await client.request("/api/domains?limit=1")).json()).total;
}

test("two imports at once are both right, as is what others add and read meanwhile", async (client) => {
  const previews = await Promise.all(
    [300, 400].map((rows) => previewOf(client, importTable(rows))),
  );
  const work = { isOver: false };
  let added = 0;
  /** Adds names one after the other; a reader sees all of an import or nothing. */
  const addMeanwhile = async () => {
    for (; !work.isOver; added += 1) {
      expect([0, 100, 300, 400]).toContain((await totalOf(client)) - added);
      await addDomain(client, { name: `other-${added}.example` });
    }
  };
  const end = () => (work.isOver = true);
  const commits = Promise.all(previews.map(({ id }) => commitWhatIsNow(client, id)));
  const [committed] = await Promise.all([commits.finally(end), addMeanwhile()]);
  expect(committed.map(({ status }) => status)).toEqual([200, 200]);
  const done: Import[] = await Promise.all(committed.map((each) => each.json()));
  expect(done.reduce((sum, { counts }) => sum + counts.new, 0)).toBe(400);
  expect(done.reduce((sum, { counts }) => sum + counts.same, 0)).toBe(300);
  expect(await totalOf(client)).toBe(400 + added);

  work.isOver = false;
  const [first] = done.toSorted((one, other) => other.counts.new - one.counts.new);
  const undo = undoImport(client, first?.id ?? "").finally(end);
  const removed = Number(first?.counts.new);
  const [undone] = await Promise.all([undo, addMeanwhile()]);
  expect(undone.undo).toEqual({ restored: 0, removed, kept: [] });
  expect(await totalOf(client)).toBe(400 - removed + added);
});

test("an import is later than what is pinned before it begins", async (client) => {
  const { id } = await addDomain(client, { name: "pinned.example" });
  const preview = await previewOf(client, "Domain,Expires\npinned.example,2030-01-01\n");
  const commit = commitWhatIsNow(client, preview.id);
  const pin = patchDomain(client, id, { expires: "2031-01-01" }, "*");
  expect([(await commit).status, (await pin).status]).toEqual([200, 200]);
  const domain = parseDomainDetail(await client.json(`/api/domains/${id}`));
  const pinned = domain.observations.find(({ source }) => source === "manual");
  const said = domain.observations.find(({ source }) => source === "domains.csv");
  // A word that came after the pin is in conflict with it, whichever of the two was first.
  expect(domain.expires?.conflict).toBe(String(said?.observedAt) > String(pinned?.observedAt));
});

describe("a commit", () => {
  test("is later than what was observed by a clock that is ahead", async (client) => {
    const { id } = await addDomain(client, { name: "a.example" });
    await importFile(client, "Domain,Expires,Registrar\na.example,2029-01-01,Gandi\n");
    const ahead = "2099-01-01T00:00:00.000Z";
    await client.server.write(async (sql) => {
      await sql`update observations set observed_at = ${ahead}`;
      await sql`update domains set expires_observed_at = ${ahead}`;
    });

    await importFile(client, "Domain,Expires,Registrar\na.example,2030-05-06,Gandi\n");
    const { expires } = parseDomainDetail(await client.json(`/api/domains/${id}`));
    expect(expires).toMatchObject({ date: "2030-05-06", source: "Gandi" });
    expect(String(expires?.observedAt) > ahead).toBe(true);
    // Whatever derives the expiry anew comes to the same day.
    await patchDomain(client, id, { expires: "2031-01-01" }, "*");
    await patchDomain(client, id, { expires: null }, "*");
    const again = parseDomainDetail(await client.json(`/api/domains/${id}`));
    expect(again.expires).toMatchObject({ date: "2030-05-06", source: "Gandi" });
  });

  test("and the undos that it meets wait for each other", async (client) => {
    const previews = [];
    for (let index = 0; index < 4; index += 1) {
      previews.push(await previewOf(client, importTable(60 + index)));
    }
    const statuses = await Promise.all(
      previews.map(async ({ id }) => {
        const done = await commitWhatIsNow(client, id);
        await undoImport(client, id);
        return done.status;
      }),
    );
    expect(statuses).toEqual(previews.map(() => 200));
    expect(await totalOf(client)).toBe(0);
  });

  test("gets through while somebody edits its domains without a pause", async (client) => {
    await importFile(client, ownersFile("Ada"));
    const { items } = parseDomainPage(await client.json("/api/domains?limit=200"));
    const { id } = await previewOf(client, ownersFile("Pat"));
    const state = { over: false };
    const statuses = new Set<number>();
    const edit = async (first: number) => {
      for (let at = first; !state.over; at += 1) {
        const domain = items[(at * 7) % items.length]?.id ?? "";
        statuses.add((await patchDomain(client, domain, { notes: `edited ${at}` }, "*")).status);
      }
    };
    const editing = [0, 50, 100, 150].map(edit);
    const committed = await sendCommit(client, id);
    state.over = true;
    await Promise.all(editing);
    expect([committed.status, ...statuses]).toEqual([200, 200]);
    expect(await client.json("/api/domains?owner=Pat&limit=1")).toMatchObject({ total: 400 });
  });
});

/** 400 domains of one owner, without a day: an undo has no other row of theirs to lock. */
function ownersFile(owner: string): string {
  const rows = Array.from({ length: 400 }, (_, n) => `name-${n}.example,${owner}\n`);
  return `Domain,Owner\n${rows.join("")}`;
}

describe("an undo", () => {
  test("leaves a domain deleted that somebody deletes meanwhile", async (client) => {
    await importFile(client, ownersFile("Ada"));
    const { id } = await importFile(client, ownersFile("Pat"));
    const { items } = parseDomainPage(await client.json("/api/domains?sort=-name&limit=30"));
    const undo = undoImport(client, id);
    // Spread over the time that it takes.
    const gone = items.map(async (domain, index) => {
      await Bun.sleep(index * 4);
      expect((await deleteDomain(client, domain.id)).status).toBe(200);
      return domain.id;
    });
    await undo;
    for (const deleted of await Promise.all(gone)) {
      expect((await client.request(`/api/domains/${deleted}`)).status).toBe(404);
      const history = parseChangePage(await client.json(`/api/domains/${deleted}/history`));
      expect(history.items[0]?.action).toBe("deleted");
    }
  });
});

/** On Postgres: test/backend/kills.test.ts. */
describe("a process that is killed in the middle of an import leaves", () => {
  type Work = (client: ApiClient, id: string) => Promise<unknown>;
  const nothing: Work = async () => undefined;
  const change: Work = (client, id) =>
    client.patch(`/api/imports/${id}`, { defaults: { owner: "Pat" } });
  const commit: Work = (client, id) => sendCommit(client, id, "k");

  onSqlite.each([
    ["the old preview or the new one, and nothing that is not swept", 30, nothing, change],
    ["all of a commit or nothing", 15, nothing, commit],
    ["all of an undo or nothing", 30, commit, undoImport],
  ] as const)("%s", async (_, milliseconds, before, work) => {
    await using place = await emptyDatabase();
    let id = "";
    {
      await using running = await spawnBackend(place.url, { cwd: place.folder });
      const { child, client } = running;
      await client.setUp("let me in");
      ({ id } = await previewOf(client, importTable(600)));
      await before(client, id);
      const answered = work(client, id).catch(() => null);
      await Bun.sleep(milliseconds);
      child.kill("SIGKILL");
      await answered;
    }
    await using server = await startBackend({ databaseUrl: place.url, setupCode: null });
    const client = server.visitor();
    await client.signIn();
    const database = await server.openDatabase();
    await database.write((sql) => sql`update import_stagings set created_at = '2020'`);
    await sweepImports(database);
    expect(await countRows(server, "import_rows")).toBe(600);
    expect([0, 600]).toContain(await totalOf(client));
    // What was not answered is sent again, a commit with the same key, and then it is all there.
    expect((await sendCommit(client, id, "k")).status).toBe(200);
    if (work !== undoImport) expect(await totalOf(client)).toBe(600);
    expect((await undoImport(client, id)).undo).toMatchObject({ removed: 600, kept: [] });
    expect(await totalOf(client)).toBe(0);
  });
});
