import { describe, expect } from "bun:test";
import { parseChangePage } from "../../../src/shared/changes.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, FULL_DOMAIN, patchDomain } from "../../support/domains.ts";

describe("GET /api/domains/:id", () => {
  test("answers 304 to whoever has the copy", async (client) => {
    const { id } = await addDomain(client, { name: "example.com" });
    const get = (tag: string) =>
      client.request(`/api/domains/${id}`, { headers: { "If-None-Match": tag } });
    const first = await get('"1"');
    expect(first.status).toBe(200);
    expect(await client.json(`/api/domains/${id.toUpperCase()}`)).toEqual(await first.json());
    const tag = first.headers.get("etag") ?? "";
    for (const known of [tag, `"9", W/${tag}`, "*"]) {
      const response = await get(known);
      expect([response.status, response.headers.get("etag")]).toEqual([304, tag]);
    }
    expect((await get(tag.slice(1, -1))).status).toBe(200);
    // A check of the domain makes no version, but another copy.
    const at = new Date().toISOString();
    const check = { domain_id: id, kind: "dns", name: "example.com", queue: "dns" };
    const done = { due_at: at, priority: 0, failures: 0, outcome: "ok", checked_at: at };
    const row = { ...check, ...done, source: "dns" };
    await client.server.write((sql) => sql`insert into checks ${sql(row)}`);
    const checked = await get(tag);
    expect(await checked.json()).toMatchObject({ version: 1, checks: { dns: { outcome: "ok" } } });
    // What a person changes is the version that they saw, whatever was checked meanwhile.
    expect((await patchDomain(client, id, { notes: "x" }, tag)).status).toBe(200);
    expect((await patchDomain(client, id, { notes: "y" }, tag)).status).toBe(412);
  });

  once("is 404 for an id that nobody has", async (client) => {
    const id = Bun.randomUUIDv7();
    const path = `/api/domains/${id}`;
    const changed = [client.delete(path), client.patch(path, { notes: "x" })];
    const asked = [path, `${path}/history`, `${path}/history?after=${id}`];
    for (const answer of [...changed, ...asked.map((each) => client.request(each))])
      expect((await answer).status).toBe(404);
  });
});

describe("PATCH /api/domains/:id", () => {
  once("changes a public suffix that an older version let in", async (client) => {
    const { id } = await addDomain(client, { name: "example.co.uk" });
    await client.server.write((sql) => sql`update domains set name = 'co.uk' where id = ${id}`);
    expect((await patchDomain(client, id, { owner: "Ada" }, '"1"')).status).toBe(200);
    expect(await client.json("/api/domains/co.uk")).toMatchObject({ id, owner: "Ada" });
  });

  test("changes what is named and keeps the rest", async (client) => {
    const domain = await addDomain(client, FULL_DOMAIN);
    const json = {
      tags: ["b"],
      autoRenew: true,
      renewal: null,
      locked: null,
      nameservers: [],
      askingPrice: { minor: 5, currency: "EUR" },
      custom: { Client: "Other", Project: "x" },
    };
    const response = await patchDomain(client, domain.id, json, '"1"');
    expect(response.status).toBe(200);
    const shown = await client.request(`/api/domains/${domain.id}`);
    expect(response.headers.get("etag")).toBe(shown.headers.get("etag"));
    const [operation, updatedAt]: string[] = [expect.any(String), expect.any(String)];
    expect(await response.json()).toEqual({ ...domain, ...json, version: 2, operation, updatedAt });
    const { items } = parseChangePage(await client.json(`/api/domains/${domain.id}/history`));
    const written = items[0]?.fields.map(({ field, after }) => [field, after]) ?? [];
    expect(Object.fromEntries(written)).toEqual(json);
    expect(written).toHaveLength(7);
  });

  once("needs If-Match, which a weak tag never is", async (client) => {
    const domain = await addDomain(client, { name: "example.com" });
    const bare = await client.patch(`/api/domains/${domain.id}`, { notes: "x" });
    expect(bare.status).toBe(428);
    const patch = async (notes: string, etag: string) =>
      (await patchDomain(client, domain.id, { notes }, etag)).status;
    for (const etag of ['W/"1"', '"0"', "1", '"1']) expect(await patch("x", etag)).toBe(412);
    expect(await patch("x", '"9", "1"')).toBe(200);
    expect(await patch("y", "*")).toBe(200);
  });

  once("gives whoever comes second the current copy", async (client) => {
    const { id } = await addDomain(client, { name: "example.com" });
    const won = await patchDomain(client, id, { notes: "first" }, '"1"');
    const lost = await patchDomain(client, id, { notes: "second" }, '"1"');
    expect(lost.status).toBe(412);
    expect(lost.headers.get("etag")).toBe(won.headers.get("etag"));
    const current = { id, notes: "first", version: 2 };
    expect(await lost.json()).toMatchObject({ status: 412, current });
    expect(await won.json()).toMatchObject(current);
  });

  once("leaves version and history alone when nothing changes", async (client) => {
    const domain = await addDomain(client, FULL_DOMAIN);
    for (const json of [{}, { ...FULL_DOMAIN }, { tags: ["shop", "Client"] }]) {
      const response = await patchDomain(client, domain.id, json, '"1"');
      expect(await response.json()).toEqual({ ...domain, operation: null });
    }
    expect(await client.json(`/api/domains/${domain.id}/history`)).toMatchObject({
      items: [{ action: "added" }],
    });
  });

  test("renames, but not to a name that is taken", async (client) => {
    const { id } = await addDomain(client, { name: "exmaple.com" });
    const other = await addDomain(client, { name: "example.net" });
    const taken = await patchDomain(client, id, { name: "EXAMPLE.net" }, '"1"');
    expect(await taken.json()).toMatchObject({ status: 409, existing: other.id });
    const renamed = await patchDomain(client, id, { name: "example.com" }, '"1"');
    expect(await renamed.json()).toMatchObject({ id, name: "example.com", version: 2 });
  });
});

describe("DELETE /api/domains/:id", () => {
  once("deletes the version it was shown, and the name can be added again", async (client) => {
    const { id } = await addDomain(client, FULL_DOMAIN);
    const remove = (headers: Record<string, string>) =>
      client.request(`/api/domains/${id}`, { method: "DELETE", headers });
    expect((await remove({})).status).toBe(428);
    const stale = await remove({ "If-Match": '"7"' });
    expect(await stale.json()).toMatchObject({ status: 412, current: { id } });
    expect((await remove({ "If-Match": '"1"' })).status).toBe(200);
    expect((await client.request(`/api/domains/${id}`)).status).toBe(404);
    const again = await addDomain(client, { name: FULL_DOMAIN.name });
    expect(again.id).not.toBe(id);
    expect(again.tags).toEqual([]);
  });
});
