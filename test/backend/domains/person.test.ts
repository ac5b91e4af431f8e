import { describe, expect } from "bun:test";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import type { SavedDomain } from "../../../src/shared/domain.ts";
import type { Channel } from "../../../src/shared/reminders.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { type BackendServer, startBackend } from "../../support/backend-server.ts";
import { once as test, test as bothTest } from "../../support/owner-test.ts";
import {
  addDomain,
  changeMany,
  deleteDomain,
  expectRefused,
  listNames,
  patchDomain,
  undoOperation,
} from "../../support/domains.ts";
import { importFile, previewOf, sendCommit, undoImport } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

const BEN = { email: "ben@example.com", name: "Ben" };

/** Adds a channel that follows a person, one whose filter names them, and another. */
async function addChannels(server: BackendServer, person: string) {
  const rest = { kind: "slack", target: "https://x.example", rhythm: "daily", config: "{}" };
  const channels = [
    { name: "Ben", filter: "", person_id: person },
    { name: "His", filter: `tag=x&person=${person}` },
    { name: "Other", filter: "tag=x" },
  ];
  await server.write(async (sql) => {
    for (const each of channels) {
      const made = { id: Bun.randomUUIDv7(), state: "working", created_at: "2027" };
      await sql`insert into channels ${sql({ ...rest, ...made, ...each })}`;
    }
  });
}

describe("the person of a domain", () => {
  bothTest("is filtered by, kept in the history and exported", async (client) => {
    const ben = await joinAs(client.server, BEN);
    const { items } = await (await client.request("/api/people/names")).json();
    const [ada] = items;
    expect(items).toMatchObject([{ name: "ada@example.com" }, { id: ben.id, name: "Ben" }]);

    const mine = await addDomain(client, { name: "mine.example", person: ada.id });
    expect(mine.person).toEqual(ada);
    const his = await addDomain(client, { name: "his.example" });
    expect(his.person).toBeNull();
    const change = await patchDomain(client, his.id, { person: ben.id }, "*");
    const saved: SavedDomain = await change.json();
    expect(saved.person).toEqual({ id: ben.id, name: "Ben" });
    await addDomain(client, { name: "open.example", owner: "Ben" });

    const names = (who: ApiClient, query: string) => listNames(who, `sort=name&${query}`);
    expect(await names(client, "person=me")).toEqual(["mine.example"]);
    expect(await names(ben.client, "person=me")).toEqual(["his.example"]);
    const hisAndOpen = ["his.example", "open.example"];
    expect(await names(client, `person=${ben.id}&person=none`)).toEqual(hisAndOpen);
    expect(await names(ben.client, "person=!me")).toEqual(["mine.example", "open.example"]);
    const csv = await (await ben.client.request("/api/domains.csv?person=me")).text();
    expect(csv.split("\r\n")).toHaveLength(3);
    expect(csv).toContain("his.example,his.example,,,,Ben,");

    const fields = [{ field: "person", before: null, after: { id: ben.id, name: "Ben" } }];
    expect(await client.json(`/api/domains/${his.id}/history`)).toMatchObject({
      items: [{ action: "edited", fields }, { action: "added" }],
    });
    const undo = await undoOperation(client, saved.operation);
    expect(await undo.json()).toMatchObject({ restored: 1, kept: [] });

    const json = { name: "Mine", filter: "person=me&tag=x" };
    const calendar = await ben.client.post("/api/calendars", json);
    expect(await calendar.json()).toMatchObject({ filter: `person=${ben.id}&tag=x` });

    const select = { filter: { person: ["me"] }, expectedCount: 1 };
    const given = await changeMany(client, select, { kind: "edit", person: ben.id });
    expect(await given.json()).toMatchObject({ matched: 1, changed: 1 });
    expect(await names(client, `person=${ben.id}`)).toEqual(["mine.example"]);
  });

  bothTest(
    "is none once the account goes, as the history says, nor is an import kept from its undo",
    async (client) => {
      const ben = await joinAs(client.server, BEN);
      const kept = await addDomain(client, { name: "kept.example", person: ben.id });
      const binned = await addDomain(client, { name: "binned.example", person: ben.id });
      await deleteDomain(client, binned.id);
      const preview = await previewOf(client, "Domain,Owner\nwaits.example,Ben\n");
      const imported = await importFile(client, "Domain,Owner\nimported.example,Ben\n");
      await addChannels(client.server, ben.id);

      expect((await client.delete(`/api/people/${ben.id}`)).status).toBe(204);
      const fields = [{ field: "person", before: { id: ben.id, name: "Ben" }, after: null }];
      expect(await client.json(`/api/domains/${kept.id}/history`)).toMatchObject({
        items: [{ by: "ada@example.com", fields }, { action: "added" }],
      });
      expect(await client.json("/api/channels")).toMatchObject({
        items: [
          { person: null, state: "paused", lastError: expect.stringContaining("Ben") },
          { name: "His", state: "paused" },
          { name: "Other", state: "working" },
        ],
      });
      await client.post("/api/bin/restore", { ids: [binned.id] });
      expect((await undoImport(client, imported.id)).undo).toMatchObject({ removed: 1, kept: [] });
      expect((await sendCommit(client, preview.id)).status).toBe(200);
      const names = ["binned.example", "kept.example", "waits.example"];
      expect(await client.json("/api/domains?sort=name")).toMatchObject({
        items: names.map((name) => ({ name, person: null })),
      });
    },
  );

  test("stays where the deletion of the account is refused, however far it got", async () => {
    let writes = 0;
    const onWrite = { at: -1, happen: async () => {} };
    const count = async () => {
      writes += 1;
      if (writes === onWrite.at) await onWrite.happen();
    };
    await using server = await startBackend({
      instances: 1,
      loop: createSteppedLoop(),
      async open(url) {
        const opened = await openDatabase(url);
        return {
          ...opened,
          write: (work) => count().then(() => opened.write(work)),
          writeMany: (job, input) => count().then(() => opened.writeMany(job, input)),
        };
      },
    });
    const owner = await server.owner();
    const ben = await joinAs(server, BEN);
    const { id } = await addDomain(owner, { name: "kept.example", person: ben.id });
    onWrite.happen = () => server.write(async (sql) => void (await sql`delete from sessions`));
    let status = 0;
    for (let at = 1; status !== 204; at += 1) {
      const eve = await joinAs(server, { email: `${at}@example.com`, role: "owner" });
      writes = 0;
      onWrite.at = at;
      ({ status } = await eve.client.delete(`/api/people/${ben.id}`));
      onWrite.at = -1;
      const [row] = await server.read(
        (sql) => sql<{ person: string | null }[]>`
          select person_id as person from domains where id = ${id}`,
      );
      expect([status, row?.person]).toEqual(status === 204 ? [204, null] : [401, ben.id]);
    }
  });

  test("pauses the channels that follow somebody who is disabled, until an owner resumes them", async (client) => {
    const ben = await joinAs(client.server, BEN);
    await addChannels(client.server, ben.id);
    const channels = async (): Promise<Channel[]> =>
      (await (await client.request("/api/channels")).json()).items;
    const states = async () => (await channels()).map(({ state }) => state);
    const disable = (disabled: boolean) => client.patch(`/api/people/${ben.id}`, { disabled });
    expect((await disable(true)).status).toBe(200);
    const [his, filtered] = await channels();
    const lastError: unknown = expect.stringContaining("Ben, whose account was disabled");
    expect(his).toMatchObject({ person: ben.id, lastError });
    expect(filtered?.name).toBe("His");
    expect(await states()).toEqual(["paused", "paused", "working"]);
    await disable(false);
    expect(await states()).toEqual(["paused", "paused", "working"]);
    await disable(true);
    await client.patch(`/api/channels/${his?.id}`, { state: "working" });
    await disable(true);
    expect(await states()).toEqual(["working", "paused", "working"]);
  });

  test("has an account, and is whom alone a file calls by name or e-mail address", async (client) => {
    const ben = await joinAs(client.server, BEN);
    await joinAs(client.server, { email: "c1@example.com", name: "Chris" });
    await joinAs(client.server, { email: "c2@example.com", name: "chris" });
    await joinAs(client.server, { email: "gone@example.com", name: "Gone", disabled: true });
    // Names that are the addresses of others.
    const eve = await joinAs(client.server, { email: "eve@example.com", name: "Ben@example.com" });
    await joinAs(client.server, { email: "fay@example.com", name: "gone@example.com" });
    await addDomain(client, { name: "eves.example", person: eve.id });
    await addDomain(client, { name: "kept.example", person: ben.id });
    // Each with its owner, and the person that it is given to.
    const given: [name: string, owner: string | null, person: string | null][] = [
      ["eves.example", null, "Ben@example.com"],
      ["gone-mail.example", "gone@example.com", null],
      ["gone.example", "Gone", null],
      ["kept.example", "Dora", "Ben"],
      ["mail.example", "Ben@Example.com", "Ben"],
      ["name.example", "BEN", "Ben"],
      ["nobody.example", "Dora", null],
      ["one.example", "C1@example.com", "Chris"],
      ["two.example", "Chris", null],
    ];
    const rows = given.slice(1).map(([name, owner]) => `${name}, ${owner} \n`);
    await importFile(client, `Domain,Owner\n${rows.join("")}`);
    const page = await (await client.request("/api/domains?sort=name")).json();
    const people = page.items.map(
      ({ name, owner, person }: SavedDomain) => [name, owner, person?.name ?? null] as const,
    );
    expect(people).toEqual(given);
    const gone = page.items.find(({ owner }: SavedDomain) => owner === "Gone");
    await patchDomain(client, gone.id, { owner: "Ben" }, "*");
    const csv = await (await client.request("/api/domains.csv")).text();
    const again = await previewOf(client, csv);
    expect(again.counts).toMatchObject({ same: 9, changed: 0, partly: 0 });
    const unknown = Bun.randomUUIDv7();
    for (const person of [unknown, "Ada"]) {
      await expectRefused(patchDomain(client, gone.id, { person }, "*"), "/person");
    }
    const json = { name: "b.example", person: unknown };
    await expectRefused(client.post("/api/domains", json), "/person");
    const op = { kind: "edit", person: unknown };
    await expectRefused(changeMany(client, { ids: [gone.id] }, op), "/op/person");
    await expectRefused(client.request("/api/domains?person=Ada"), "/person");
  });

  test("stays whom somebody chose for the same owner, and follows another owner", async (client) => {
    await joinAs(client.server, BEN);
    const dora = await joinAs(client.server, { email: "dora@example.com", name: "Dora" });
    await importFile(client, "Domain,Owner\na.example,Ben\n");
    const { items } = await (await client.request("/api/domains")).json();
    await patchDomain(client, items[0].id, { person: dora.id }, "*");
    const same = await importFile(client, "Domain,Owner\na.example,Ben\n");
    expect(same.counts).toMatchObject({ same: 1, changed: 0 });
    await importFile(client, "Domain,Owner\na.example,Ada\n");
    await importFile(client, "Domain,Owner\na.example,Ben\n");
    const person = { name: "Ben" };
    expect(await client.json("/api/domains")).toMatchObject({ items: [{ person }] });
  });
});
