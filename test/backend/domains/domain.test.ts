import { describe, expect } from "bun:test";
import { parseChangePage } from "../../../src/shared/changes.ts";
import { once, test } from "../../support/owner-test.ts";
import {
  addDomain,
  deleteDomain,
  FULL_DOMAIN,
  patchDomain,
  reportExpiry,
} from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { readPages } from "../../support/read-pages.ts";

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
});

describe("GET /api/domains/:name", () => {
  once(
    "is found in any form that people write names in, and changed by id only",
    async (client) => {
      const { id } = await addDomain(client, { name: "bücher.example" });
      for (const name of ["xn--bcher-kva.example", "b%C3%BCcher.example", "B%C3%9CCHER.Example."]) {
        const response = await client.request(`/api/domains/${name}`);
        expect(response.headers.get("etag")).toStartWith('"1-');
        expect(await response.json()).toMatchObject({ id });
      }
      const nobody = Bun.randomUUIDv7();
      const [history, names] = [
        `${nobody}/history`,
        "com|%ff.example|%20|a%2Fb.example".split("|"),
      ];
      for (const gone of ["example.com", ...names, nobody, history, `${history}?after=${nobody}`]) {
        expect([gone, (await client.request(`/api/domains/${gone}`)).status]).toEqual([gone, 404]);
      }
      const path = `/api/domains/${nobody}`;
      for (const answer of [client.delete(path), client.patch(path, { notes: "x" })])
        expect((await answer).status).toBe(404);
      expect((await client.request("/api/domains/bulk")).status).toBe(405);
      const response = await client.delete("/api/domains/example.com");
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    },
  );

  once("shows what each source said last, newest first, and what was withdrawn", async (client) => {
    const { id } = await addDomain(client, { name: "example.com", expires: "2027-01-01" });
    await reportExpiry(await client.server.openDatabase(), id, [
      { source: "GoDaddy", date: "2026-01-01", observedAt: "2020-01-01T00:00:00.000Z" },
      { source: "GoDaddy", date: "2027-01-01", observedAt: "2021-01-01T00:00:00.000Z" },
      { source: "Porkbun", date: "2028-01-01", observedAt: "2022-01-01T00:00:00.000Z" },
    ]);
    await patchDomain(client, id, { expires: null }, "*");
    const detail = await client.json("/api/domains/example.com");
    expect(detail).toMatchObject({
      expires: { date: "2028-01-01", source: "Porkbun", conflict: true },
      observations: [
        { source: "manual", date: null },
        { source: "Porkbun", date: "2028-01-01" },
        { source: "GoDaddy", date: "2027-01-01" },
      ],
    });
  });
});

describe("GET /api/domains/:id/history", () => {
  once("tells newest first who changed what, even of a domain that is gone", async (client) => {
    const { id } = await addDomain(client, { name: "example.com", tags: ["a"] });
    await patchDomain(client, id, { expires: "2027-01-01", notes: "x" }, "*");
    await deleteDomain(client, id);
    expect(await client.json(`/api/domains/${id}/history`)).toMatchObject({
      next: null,
      items: [
        { action: "deleted", by: "ada@example.com" },
        {
          action: "edited",
          fields: [
            { field: "expires", before: null, after: { date: "2027-01-01", source: "manual" } },
            { field: "notes", before: "", after: "x" },
          ],
        },
        {
          action: "added",
          fields: [{ field: "name", before: null, after: "example.com" }, { field: "tags" }],
        },
      ],
    });
  });

  test("comes in pages", async (client) => {
    const { id } = await addDomain(client, { name: "example.com" });
    for (const notes of ["1", "2", "3"]) await patchDomain(client, id, { notes }, "*");
    const path = `/api/domains/${id}/history`;
    const pages = await readPages<{ id: string }>(client, `${path}?limit=2`);
    const seen = pages.map(({ id: change }) => change);
    expect(new Set(seen).size).toBe(4);
    expect(seen).toEqual(seen.toSorted().toReversed());
    for (const query of ["limit=201", "limit=1&limit=9", "after=&after="]) {
      expect((await client.request(`${path}?${query}`)).status).toBe(400);
    }
  });
});

describe("PATCH /api/domains/:id", () => {
  once("changes a public suffix that an older version let in", async (client) => {
    const { id } = await addDomain(client, { name: "example.co.uk" });
    await client.server.write((sql) => sql`update domains set name = 'co.uk' where id = ${id}`);
    expect((await patchDomain(client, id, { owner: "Ada" }, '"1"')).status).toBe(200);
    expect(await client.json("/api/domains/co.uk")).toMatchObject({ id, owner: "Ada" });
  });

  test("changes what is named, keeps the rest, and writes nothing when nothing changes", async (client) => {
    const domain = await addDomain(client, FULL_DOMAIN);
    for (const same of [{}, { ...FULL_DOMAIN }, { tags: ["shop", "Client"] }]) {
      const unchanged = await patchDomain(client, domain.id, same, '"1"');
      expect(await unchanged.json()).toEqual({ ...domain, operation: null });
    }
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
    expect(items.map(({ action }) => action)).toEqual(["edited", "added"]);
    const written = items[0]?.fields.map(({ field, after }) => [field, after]) ?? [];
    expect(Object.fromEntries(written)).toEqual(json);
    expect(written).toHaveLength(7);
  });

  once(
    "needs a strong If-Match, and gives whoever comes second the current copy",
    async (client) => {
      const { id } = await addDomain(client, { name: "example.com" });
      expect((await client.patch(`/api/domains/${id}`, { notes: "x" })).status).toBe(428);
      for (const etag of ['W/"1"', '"0"', "1", '"1'])
        expect((await patchDomain(client, id, { notes: "x" }, etag)).status).toBe(412);
      const won = await patchDomain(client, id, { notes: "first" }, '"9", "1"');
      const lost = await patchDomain(client, id, { notes: "second" }, '"1"');
      expect([won.status, lost.status]).toEqual([200, 412]);
      expect(lost.headers.get("etag")).toBe(won.headers.get("etag"));
      const current = { id, notes: "first", version: 2 };
      expect(await lost.json()).toMatchObject({ status: 412, current });
      expect(await won.json()).toMatchObject(current);
      expect((await patchDomain(client, id, { notes: "y" }, "*")).status).toBe(200);
    },
  );

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

describe("a day that is said by hand", () => {
  once("counts, though another instance's clock is ahead", async (client) => {
    const { id } = await addDomain(client, { name: "example.com", expires: "2027-01-01" });
    const observedAt = new Date(Date.now() + 3_600_000).toISOString();
    const database = await client.server.openDatabase();
    await reportExpiry(database, id, [
      { source: "manual", date: "2028-01-01", observedAt },
      { source: "GoDaddy", date: "2029-01-01", observedAt },
    ]);
    const response = await patchDomain(client, id, { expires: "2030-01-01" }, '"2"');
    expect(response.headers.get("etag")).toStartWith('"3-');
    expect(await response.json()).toMatchObject({
      version: 3,
      expires: { date: "2030-01-01", source: "manual", conflict: false },
    });
  });
});

describe("what a file says that changes no field", () => {
  once(
    "makes a new version where another source agrees, and where a pin hides it",
    async (client) => {
      for (const pin of [null, "2030-01-01"]) {
        const name = `pin-${pin}.example`;
        await importFile(client, `domain,registrar,expires\n${name},GoDaddy,2027-01-05\n`);
        const domain = () => client.request(`/api/domains/${name}`);
        const { id } = await (await domain()).json();
        if (pin !== null) await patchDomain(client, id, { expires: pin }, "*");
        const before = (await domain()).headers.get("etag") ?? "";
        const { counts } = await importFile(client, `domain,expires\n${name},2027-01-05\n`);
        expect(counts.changed).toBe(1);
        const after = (await domain()).headers.get("etag") ?? "";
        expect((await patchDomain(client, id, { notes: "x" }, before)).status).toBe(412);
        expect((await patchDomain(client, id, { notes: "x" }, after)).status).toBe(200);
      }
    },
  );
});
