import type { SQL } from "bun";
import { describe, expect } from "bun:test";
import { readColumn } from "../../../src/backend/database/database.ts";
import type { BulkResult } from "../../../src/shared/register.ts";
import type { ApiClient } from "../../support/api-client.ts";
import type { BackendServer } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, changeMany, listNames, undoOperation } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";

/** A register of two domains, and all that can name their labels. */
async function start(owner: ApiClient, server: BackendServer) {
  const post = async (path: string, json?: object) => (await owner.post(path, json)).json();
  const kinds = { registrar: "Gandi", account: "main", owner: "Acme", tag: "shop" };
  const { tag, ...labels } = kinds;
  await addDomain(owner, { name: "a.example", ...labels, tags: [tag] });
  const defaults = { ...labels, tags: [tag] };
  await importFile(owner, "Domain name,Expires\na.example,2027-05-06\n", { defaults });
  await addDomain(owner, { name: "u.example", owner: "Umbra" });
  const query = String(new URLSearchParams({ ...kinds, sort: "-name" }));
  const { id: view } = await post("/api/views", { name: "All of it", query });
  const others = String(new URLSearchParams(Object.entries(kinds).map(([k, v]) => [k, `!${v}`])));
  await post("/api/views", { name: "Others", query: others });
  await post("/api/calendars", { name: "Mine", filter: query });
  const channel = { id: "c", kind: "webhook", name: "Hook", target: "", filter: query };
  const made = { ...channel, state: "paused", rhythm: "daily", config: "{}", created_at: "" };
  await server.write((sql) => sql`insert into channels ${sql(made)}`);
  const limit = { view };
  const { client } = await joinAs(server, { email: "v@example.org", role: "viewer", limit });
  /** What the filters say, and what the limited viewer sees. */
  const read = async () => {
    const filtersOf = async (path: string): Promise<string[]> => {
      const { items } = await (await owner.request(path)).json();
      return items.map(({ filter, query: text = filter }: Record<string, string>) => text);
    };
    const views = await filtersOf("/api/views");
    const calendars = await filtersOf("/api/calendars");
    const channels = await filtersOf("/api/channels");
    const stored = (sql: SQL) => readColumn(sql`select defaults from import_layouts`);
    const layouts = await server.read(stored);
    return { views, calendars, channels, layouts, seen: await listNames(client) };
  };
  return { query, others, read };
}

test("what names a label goes along when it is renamed, and back when that is undone", async (owner) => {
  const { query, others, read } = await start(owner, owner.server);
  const before = await read();
  const all = (own: string, other: string, layout: object) => ({
    views: [own, other],
    calendars: [own],
    channels: [own],
    layouts: [JSON.stringify(layout)],
    seen: ["a.example"],
  });
  const labels = { registrar: "Gandi", account: "main", owner: "Acme", tags: ["shop"] };
  expect<unknown>(before).toEqual(all(query, others, labels));
  const edits = {
    account: { account: "Second one" },
    owner: { owner: "Apex" },
    tag: { addTags: ["store"], removeTags: ["shop"] },
  };
  const operations: string[] = [];
  for (const [field, edit] of Object.entries(edits)) {
    const filter = { [field]: [new URLSearchParams(query).get(field)] };
    const op = { kind: "edit", ...edit };
    const done = await changeMany(owner, { filter, expectedCount: 1 }, op);
    operations.unshift((await done.json()).operation);
  }
  const renamed = await owner.patch("/api/registrars/gandi", { name: "Gandi SAS" });
  operations.unshift((await renamed.json()).operation);
  const replaced = (text: string) => {
    const named = text.replace("Gandi", "Gandi+SAS").replace("main", "Second+one");
    return named.replace("Acme", "Apex").replace("shop", "store");
  };
  const next = { registrar: "Gandi", account: "Second one", owner: "Apex", tags: ["store"] };
  expect<unknown>(await read()).toEqual(all(replaced(query), replaced(others), next));
  for (const operation of operations) await undoOperation(owner, operation);
  expect(await read()).toEqual(before);
});

/** Domains of two owners, and a viewer who is limited to those of the first. */
async function startLimited(owner: ApiClient & { server: BackendServer }) {
  await addDomain(owner, { name: "a.example", owner: "Acme" });
  await addDomain(owner, { name: "u.example", owner: "Umbra" });
  const limit = { owners: ["ACME"] };
  const { client } = await joinAs(owner.server, { email: "v@example.org", role: "viewer", limit });
  const rename = async (filter: Record<string, string[]>, to: string): Promise<BulkResult> => {
    const select = { filter, expectedCount: 1 };
    return (await changeMany(owner, select, { kind: "edit", owner: to })).json();
  };
  const undo = async ({ operation }: BulkResult) => (await undoOperation(owner, operation)).json();
  return { limit, client, rename, undo };
}

describe("a limit to owners", () => {
  test("goes along when one is renamed or merged, and back when that is undone", async (owner) => {
    const { limit, client, rename, undo } = await startLimited(owner);
    const renamed = await rename({ owner: ["acme"] }, "Apex");
    expect(await listNames(client)).toEqual(["a.example"]);
    const merged = await rename({ owner: ["apex"] }, "Umbra");
    expect(await listNames(client)).toEqual(["a.example", "u.example"]);
    const undone = await undo(merged);
    expect(await listNames(client)).toEqual(["a.example"]);
    await undo(renamed);
    expect(await listNames(client)).toEqual(["a.example"]);
    await undo(undone);
    expect(await owner.json("/api/people")).toMatchObject({ items: [{}, { limit }] });
  });

  test("goes back, too, if its invitation was accepted in between", async (owner) => {
    const { rename, undo } = await startLimited(owner);
    const email = "c@example.org";
    const invited = { email, role: "viewer", limit: { owners: ["Acme"] } };
    const { url } = await (await owner.post("/api/invitations", invited)).json();
    const merged = await rename({ owner: ["Acme"] }, "Umbra");
    const client = owner.server.visitor();
    await client.request("/api/token");
    const code = new URL(url).hash.split("=").at(1);
    const json = { code, email, name: "C", password: "a longer horse battery" };
    expect((await client.post("/api/invitations/accept", json)).status).toBe(201);
    expect(await client.json("/api/domains")).toMatchObject({ total: 2 });
    await undo(merged);
    expect(await listNames(client)).toEqual(["a.example"]);
  });

  once(
    "keeps what is archived in sight, and stays where a list gives another owner",
    async (owner) => {
      const { client, rename } = await startLimited(owner);
      await addDomain(owner, { name: "b.example", owner: "Acme", archivedOn: "2026-01-26" });
      await rename({ owner: ["Acme"] }, "Apex");
      expect(await client.json("/api/domains?archived=any")).toMatchObject({ total: 2 });
      // As the list asks, which leaves out what has lapsed.
      await rename({ owner: ["Apex"], lapsed: ["false"] }, "Umbra");
      expect(await client.json("/api/domains")).toMatchObject({ total: 0 });
    },
  );
});
