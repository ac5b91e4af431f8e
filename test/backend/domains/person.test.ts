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
  patchDomain,
  undoOperation,
} from "../../support/domains.ts";
import {
  importFile,
  listRows,
  previewOf,
  sendCommit,
  undoImport,
} from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";
import { createSteppedLoop } from "../../support/stepped-loop.ts";

const BEN = { email: "ben@example.com", name: "Ben" };

/** Adds a channel that follows a person, one whose filter names them, and another. */
async function addChannels(server: BackendServer, person: string) {
  const channel = {
    id: Bun.randomUUIDv7(),
    kind: "slack",
    name: "Ben",
    target: "https://x.example",
    filter: "",
    rhythm: "daily",
    state: "working",
    config: "{}",
    created_at: "2027",
  };
  const filtered = { id: Bun.randomUUIDv7(), name: "His", filter: `tag=x&person=${person}` };
  const other = { id: Bun.randomUUIDv7(), name: "Other", filter: "tag=x" };
  await server.write(async (sql) => {
    await sql`insert into channels ${sql({ ...channel, person_id: person })}`;
    for (const each of [filtered, other]) {
      await sql`insert into channels ${sql({ ...channel, ...each })}`;
    }
  });
}

describe("the person of a domain", () => {
  bothTest("is filtered by, kept in the history and exported", async (client) => {
    const ben = await joinAs(client.server, BEN);
    const { items } = await (await client.request("/api/people/names")).json();
    expect(items).toEqual([
      { id: expect.any(String), name: "ada@example.com" },
      { id: ben.id, name: "Ben" },
    ]);
    const [ada] = items;

    const mine = await addDomain(client, { name: "mine.example", person: ada.id });
    expect(mine.person).toEqual(ada);
    const his = await addDomain(client, { name: "his.example" });
    expect(his.person).toBeNull();
    const change = await patchDomain(client, his.id, { person: ben.id }, "*");
    const saved: SavedDomain = await change.json();
    expect(saved.person).toEqual({ id: ben.id, name: "Ben" });
    await addDomain(client, { name: "open.example", owner: "Ben" });

    const names = async (who: ApiClient, query: string) => {
      const page = await (await who.request(`/api/domains?sort=name&${query}`)).json();
      return page.items.map(({ name }: { name: string }) => name);
    };
    expect(await names(client, "person=me")).toEqual(["mine.example"]);
    expect(await names(ben.client, "person=me")).toEqual(["his.example"]);
    expect(await names(client, `person=${ben.id}&person=none`)).toEqual([
      "his.example",
      "open.example",
    ]);
    expect(await names(ben.client, "person=!me")).toEqual(["mine.example", "open.example"]);
    const csv = await (await ben.client.request("/api/domains.csv?person=me")).text();
    expect(csv.split("\r\n")).toHaveLength(3);
    expect(csv).toContain("his.example,his.example,,,,Ben,");

    const history = await (await client.request(`/api/domains/${his.id}/history`)).json();
    const fields = [{ field: "person", before: null, after: { id: ben.id, name: "Ben" } }];
    expect(history.items[0]).toMatchObject({ action: "edited", fields });
    const undo = await undoOperation(client, saved.operation);
    expect(await undo.json()).toMatchObject({ restored: 1, kept: [] });

    const json = { name: "Mine", filter: "person=me&tag=x" };
    const calendar = await ben.client.post("/api/calendars", json);
    expect(await calendar.json()).toMatchObject({ filter: `person=${ben.id}&tag=x` });

    const bulk = (person: string | null) =>
      changeMany(
        client,
        { filter: { person: ["me"] }, expectedCount: 1 },
        { kind: "edit", person },
      );
    expect(await (await bulk(ben.id)).json()).toMatchObject({ matched: 1, changed: 1 });
    expect(await names(client, `person=${ben.id}`)).toEqual(["mine.example"]);
  });

  bothTest("is none once the account goes, as the history says", async (client) => {
    const ben = await joinAs(client.server, BEN);
    const kept = await addDomain(client, { name: "kept.example", person: ben.id });
    const binned = await addDomain(client, { name: "binned.example", person: ben.id });
    await deleteDomain(client, binned.id);
    const preview = await previewOf(client, "Domain,Owner\nwaits.example,Ben\n");
    await addChannels(client.server, ben.id);

    const gone = await client.delete(`/api/people/${ben.id}`);
    expect(gone.status).toBe(204);
    const history = await (await client.request(`/api/domains/${kept.id}/history`)).json();
    const fields = [{ field: "person", before: { id: ben.id, name: "Ben" }, after: null }];
    expect(history.items[0]).toMatchObject({ by: "ada@example.com", fields });
    expect(await client.json("/api/channels")).toMatchObject({
      items: [
        { person: null, state: "paused", lastError: expect.stringContaining("Ben") },
        { name: "His", state: "paused" },
        { name: "Other", state: "working" },
      ],
    });
    const json = { ids: [binned.id] };
    await client.post("/api/bin/restore", json);
    expect((await sendCommit(client, preview.id)).status).toBe(200);
    expect(await client.json("/api/domains?sort=name")).toMatchObject({
      items: ["binned", "kept", "waits"].map((name) => ({
        name: `${name}.example`,
        person: null,
      })),
    });
  });

  bothTest("stays where the deletion of the account is refused, however far it got", async () => {
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
    const { items } = await (await client.request("/api/channels")).json();
    const states = async () => {
      const now = await (await client.request("/api/channels")).json();
      return now.items.map(({ state }: Channel) => state);
    };
    const patch = (path: string, json: object) => client.patch(path, json);
    expect((await patch(`/api/people/${ben.id}`, { disabled: true })).status).toBe(200);
    expect(await client.json("/api/channels")).toMatchObject({
      items: [
        {
          person: ben.id,
          state: "paused",
          lastError: expect.stringContaining("Ben, whose account was disabled"),
        },
        { name: "His", state: "paused" },
        { state: "working" },
      ],
    });
    await patch(`/api/people/${ben.id}`, { disabled: false });
    expect(await states()).toEqual(["paused", "paused", "working"]);
    await patch(`/api/people/${ben.id}`, { disabled: true });
    await patch(`/api/channels/${items[0].id}`, { state: "working" });
    await patch(`/api/people/${ben.id}`, { disabled: true });
    expect(await states()).toEqual(["working", "paused", "working"]);
  });

  test("has to have an account", async (client) => {
    const domain = await addDomain(client, { name: "a.example" });
    const unknown = Bun.randomUUIDv7();
    const refused = async (response: Response, pointer: string) => {
      expect(response.status).toBe(400);
      expect((await response.json()).errors).toMatchObject([{ pointer }]);
    };
    for (const person of [unknown, "Ada", 7, { id: unknown }]) {
      await refused(await patchDomain(client, domain.id, { person }, "*"), "/person");
    }
    const post = (path: string, json: object) => client.post(path, json);
    await refused(await post("/api/domains", { name: "b.example", person: unknown }), "/person");
    const op = { kind: "edit", person: unknown };
    const bulk = await post("/api/domains/bulk", { select: { ids: [domain.id] }, op });
    await refused(bulk, "/op/person");
    await refused(await client.request("/api/domains?person=Ada"), "/person");
  });

  test("is whom alone a file calls by name or e-mail address", async (client) => {
    const ben = await joinAs(client.server, BEN);
    await joinAs(client.server, { email: "c1@example.com", name: "Chris" });
    await joinAs(client.server, { email: "c2@example.com", name: "chris" });
    await joinAs(client.server, { email: "gone@example.com", name: "Gone", disabled: true });
    // Names that are the addresses of others.
    const eve = await joinAs(client.server, { email: "eve@example.com", name: "Ben@example.com" });
    await joinAs(client.server, { email: "fay@example.com", name: "gone@example.com" });
    await addDomain(client, { name: "eves.example", person: eve.id });
    await addDomain(client, { name: "kept.example", person: ben.id });
    const file = [
      "Domain,Owner",
      "name.example, BEN ",
      "mail.example,Ben@Example.com",
      "two.example,Chris",
      "one.example,C1@example.com",
      "nobody.example,Dora",
      "gone.example,Gone",
      "gone-mail.example,gone@example.com",
      "kept.example,Dora",
    ];
    const preview = await previewOf(client, file.join("\n"));
    expect((await sendCommit(client, preview.id)).status).toBe(200);
    const page = await (await client.request("/api/domains?sort=name")).json();
    const people = page.items.map(
      ({ name, owner, person }: SavedDomain) => [name, owner, person?.name ?? null] as const,
    );
    expect(people).toEqual([
      ["eves.example", null, "Ben@example.com"],
      ["gone-mail.example", "gone@example.com", null],
      ["gone.example", "Gone", null],
      ["kept.example", "Dora", "Ben"],
      ["mail.example", "Ben@Example.com", "Ben"],
      ["name.example", "BEN", "Ben"],
      ["nobody.example", "Dora", null],
      ["one.example", "C1@example.com", "Chris"],
      ["two.example", "Chris", null],
    ]);
    const gone = page.items.find(({ owner }: SavedDomain) => owner === "Gone");
    await patchDomain(client, gone.id, { owner: "Ben" }, "*");
    const csv = await (await client.request("/api/domains.csv")).text();
    const again = await previewOf(client, csv);
    expect(again.counts).toMatchObject({ same: 9, changed: 0, partly: 0 });
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
    expect(await client.json("/api/domains")).toMatchObject({
      items: [{ person: { name: "Ben" } }],
    });
  });

  test("is said to be unknown where a file's own column calls nobody", async (client) => {
    await joinAs(client.server, BEN);
    const file = "Domain,Person\na.example,Ben\nb.example,Dora\n";
    const { id, counts } = await previewOf(client, file);
    expect(counts).toMatchObject({ new: 2, partly: 1 });
    expect(await listRows(client, id, "class=partly")).toMatchObject([
      { name: "b.example", problems: [{ field: "person", code: "unknown-person" }] },
    ]);
  });

  bothTest("lets an import be undone though the account is gone", async (client) => {
    const ben = await joinAs(client.server, BEN);
    const { id } = await importFile(client, "Domain,Owner\na.example,Ben\n");
    await client.delete(`/api/people/${ben.id}`);
    expect((await undoImport(client, id)).undo).toMatchObject({ removed: 1, kept: [] });
  });
});
