import { describe, expect } from "bun:test";
import { parseChangePage } from "../../../src/shared/changes.ts";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { parseDomainDetail } from "../../../src/shared/domain-detail.ts";
import { test } from "../../support/owner-test.ts";
import { addDomain, deleteDomain, patchDomain } from "../../support/domains.ts";
import {
  commitWhatIsNow,
  importFile,
  previewOf,
  sendCommit,
  undoImport,
} from "../../support/import-client.ts";
import { importTable } from "../../support/import-table.ts";

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
    expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 0 });
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
