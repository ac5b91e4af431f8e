import { describe, expect } from "bun:test";
import type { DomainDetail } from "../../../../src/shared/domain-detail.ts";
import { sweepImports } from "../../../../src/backend/import/import-record.ts";
import type { Import } from "../../../../src/shared/import.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { startBackend } from "../../../support/backend-server.ts";
import { test } from "../../../support/both-databases.ts";
import { addDomain, patchDomain } from "../../../support/domains.ts";
import { emptyDatabase } from "../../../support/empty-database.ts";
import { importTable } from "../../../support/import-table.ts";
import {
  commitWhatIsNow,
  previewOf,
  sendCommit,
  undoImport,
} from "../../../support/import-client.ts";
import { preparedPostgres } from "../../../support/postgres.ts";
import { spawnBackend } from "../../../support/spawn-backend.ts";

/** For a machine with much else to do. */
const TIMEOUT = 60_000;

describe("two imports at once", () => {
  test(
    "are both right: each name once, each answer true",
    async () => {
      await using server = await startBackend();
      const client = await server.owner();
      const [one, other] = await Promise.all([
        previewOf(client, importTable(300)),
        previewOf(client, importTable(400)),
      ]);
      const done = await Promise.all([one, other].map(({ id }) => commitWhatIsNow(client, id)));
      expect(done.map(({ status }) => status)).toEqual([200, 200]);
      const counts = (await Promise.all(done.map(asImport))).map((each) => each.counts);
      expect(counts.reduce((sum, each) => sum + each.new, 0)).toBe(400);
      expect(counts.reduce((sum, each) => sum + each.same, 0)).toBe(300);
      expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 400 });
    },
    TIMEOUT,
  );

  test(
    "leave reading and editing to others meanwhile",
    async () => {
      await using server = await startBackend();
      const client = await server.owner();
      const { id } = await previewOf(client, importTable(600));
      const commit = sendCommit(client, id);
      const over = commit.then(() => null);
      const totals = new Set<number>();
      for (let page: Page | null = await readPage(client); page !== null;) {
        totals.add(page.total);
        page = await Promise.race([over, readPage(client)]);
      }
      expect((await commit).status).toBe(200);
      // Nothing of it, or all of it: no reader ever sees a part.
      expect([...totals].filter((total) => total !== 0 && total !== 600)).toEqual([]);
      expect(totals.size).toBeGreaterThan(0);
    },
    TIMEOUT,
  );
});

describe("an import beside others who write", () => {
  test(
    "loses nothing of what either writes",
    async () => {
      await using server = await startBackend();
      const client = await server.owner();
      const { id } = await previewOf(client, importTable(600));
      const commit = sendCommit(client, id);
      const added = await addUntil(client, commit);
      expect((await commit).status).toBe(200);
      expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 600 + added });
      const undo = undoImport(client, id);
      const more = await addUntil(client, undo, "more");
      expect((await undo).undo).toEqual({ restored: 0, removed: 600, kept: [] });
      expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: added + more });
    },
    TIMEOUT,
  );

  test("is later than what is pinned before it begins", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const { id } = await addDomain(client, { name: "pinned.example" });
    const preview = await previewOf(client, "Domain,Expires\npinned.example,2030-01-01\n");
    const commit = commitWhatIsNow(client, preview.id);
    const pin = patchDomain(client, id, { expires: "2031-01-01" }, "*");
    expect([(await commit).status, (await pin).status]).toEqual([200, 200]);
    const domain: DomainDetail = await (await client.request(`/api/domains/${id}`)).json();
    const pinned = domain.observations.find(({ source }) => source === "manual");
    const said = domain.observations.find(({ source }) => source === "domains.csv");
    // A word that came after the pin is in conflict with it, whichever of the two was first.
    expect(domain.expires?.conflict).toBe(String(said?.observedAt) > String(pinned?.observedAt));
  });
});

/** Adds names one after the other until something is over; returns how many. */
async function addUntil(
  client: ApiClient,
  work: Promise<unknown>,
  prefix = "other",
): Promise<number> {
  const state = { over: false };
  void work.finally(() => (state.over = true)).catch(() => undefined);
  let added = 0;
  for (; !state.over; added += 1) {
    const json = { name: `${prefix}-${added}.example` };
    const { status } = await client.request("/api/domains", { method: "POST", json });
    expect(status).toBe(201);
  }
  return added;
}

describe("a process that is killed while it commits", () => {
  test(
    "leaves the old preview or the new one, and nothing that is not swept",
    async () => {
      await using place = await emptyPlace();
      const { id } = await dieIn("preview", place, 30);
      await using server = await startBackend({ databaseUrl: place.url, setupCode: null });
      const client = server.visitor();
      await client.signIn();
      const database = await server.openDatabase();
      await database.write((sql) => sql`update import_stagings set created_at = '2020'`);
      await sweepImports(database);
      const rows = await database.read((sql) => sql<unknown[]>`select 1 from import_rows`);
      expect(rows).toHaveLength(600);
      expect((await sendCommit(client, id)).status).toBe(200);
      expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 600 });
    },
    TIMEOUT,
  );

  test.each([15])(
    "leaves all of the import or nothing (%i ms in)",
    async (milliseconds) => {
      await using place = await emptyPlace();
      const preview = await dieIn("commit", place, milliseconds);
      await using server = await startBackend({ databaseUrl: place.url, setupCode: null });
      const client = server.visitor();
      await client.signIn();
      const { state, total } = await settled(client, preview.id);
      expect(total).toBe(state === "committed" ? 600 : 0);
      // What was not answered is sent again, with the same key, and then it is all there.
      expect((await sendCommit(client, preview.id, "k")).status).toBe(200);
      expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 600 });
    },
    TIMEOUT,
  );

  test.each([30])(
    "leaves all of an undo or nothing (%i ms in)",
    async (milliseconds) => {
      await using place = await emptyPlace();
      const { id } = await dieIn("undo", place, milliseconds);
      await using server = await startBackend({ databaseUrl: place.url, setupCode: null });
      const client = server.visitor();
      await client.signIn();
      const { state, total } = await settled(client, id);
      expect(total).toBe(state === "undone" ? 0 : 600);
      expect((await undoImport(client, id)).undo).toMatchObject({ removed: 600, kept: [] });
      expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 0 });
    },
    TIMEOUT,
  );
});

const emptyPlace = () => emptyDatabase({ createPostgres: preparedPostgres });

/** A process of its own, which is killed at the end, with 600 names in a preview. */
async function startProcess({ url, folder }: Awaited<ReturnType<typeof emptyPlace>>) {
  await using stack = new AsyncDisposableStack();
  const { child, client } = stack.use(await spawnBackend(url, { cwd: folder }));
  await client.setUp("let me in");
  const preview = await previewOf(client, importTable(600));
  const end = stack.move();
  return { child, client, preview, [Symbol.asyncDispose]: () => end.disposeAsync() };
}

/** Lets it preview anew, commit, or undo what it has committed, and kills it in the middle of that. */
async function dieIn(
  what: "preview" | "commit" | "undo",
  place: Awaited<ReturnType<typeof emptyPlace>>,
  milliseconds: number,
): Promise<Import> {
  await using running = await startProcess(place);
  const { child, client, preview } = running;
  const { id } = preview;
  if (what === "undo") await sendCommit(client, id, "k");
  const work = {
    preview: () =>
      client.request(`/api/imports/${id}`, {
        method: "PATCH",
        json: { defaults: { owner: "Pat" } },
      }),
    commit: () => sendCommit(client, id, "k"),
    undo: () => client.request(`/api/imports/${id}/undo`, { method: "POST" }),
  };
  const answered = work[what]().catch(() => null);
  await Bun.sleep(milliseconds);
  child.kill("SIGKILL");
  await answered;
  return preview;
}

/** What there is once it stays so: Postgres may end what it was told to, when the teller is dead. */
async function settled(client: ApiClient, id: string): Promise<{ state: string; total: number }> {
  for (;;) {
    const { state } = await asImport(await client.request(`/api/imports/${id}`));
    const { total } = await readPage(client);
    const after = await asImport(await client.request(`/api/imports/${id}`));
    if (state === after.state) return { state, total };
  }
}

interface Page {
  total: number;
}

async function readPage(client: ApiClient): Promise<Page> {
  return (await client.request("/api/domains?limit=1")).json();
}

function asImport(response: Response): Promise<Import> {
  return response.json();
}
