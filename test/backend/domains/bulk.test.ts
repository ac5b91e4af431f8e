import { describe, expect } from "bun:test";
import { parseRecentChanges } from "../../../src/shared/changes.ts";
import { utcToday } from "../../../src/shared/day.ts";
import { type Domain, parseDomainPage } from "../../../src/shared/domain.ts";
import { parseFacets } from "../../../src/shared/facets.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, expectRefused, FULL_DOMAIN, undoOperation } from "../../support/domains.ts";
import { fillRegister } from "../../support/fill-register.ts";

const send = (client: ApiClient, json: unknown) => client.post("/api/domains/bulk", json);

const read = async (client: ApiClient, id: string): Promise<Domain> =>
  (await client.request(`/api/domains/${id}`)).json();

describe("POST /api/domains/bulk", () => {
  test("edits what is named of each, and keeps the rest", async (client) => {
    const full = await addDomain(client, FULL_DOMAIN);
    const bare = await addDomain(client, { name: "bare.example" });
    const other = await addDomain(client, { name: "other.example" });
    const op = {
      kind: "edit",
      registrar: "  gandi ",
      account: null,
      owner: "Bob",
      decision: "drop",
      autoRenew: true,
      renewal: { minor: 1899, currency: "USD", years: 1 },
      expires: "2030-05-05",
      notes: "moved",
      addTags: ["zz", "CLIENT", "aa"],
      removeTags: ["SHOP", "never"],
    };
    const response = await send(client, { select: { ids: [full.id, bare.id, full.id] }, op });
    expect(await response.json()).toMatchObject({ matched: 2, changed: 2 });
    const { renewal, notes } = op;
    const labels = { registrar: "gandi", account: null, owner: "Bob", decision: "drop" };
    const expires = { date: "2030-05-05", source: "manual" };
    const edited = { ...labels, renewal, notes, expires };
    expect(await read(client, full.id)).toMatchObject({
      ...full,
      ...edited,
      autoRenew: true,
      tags: ["aa", "Client", "zz"],
      version: 2,
      updatedAt: expect.any(String),
    });
    expect(await read(client, bare.id)).toMatchObject({ ...edited, tags: ["aa", "Client", "zz"] });
    expect(await read(client, other.id)).toMatchObject(other);
  });

  once("renews each for its own period, or until the day it names", async (client) => {
    const add = async (name: string, expires: string | null, known: object = {}) =>
      (await addDomain(client, { name, expires, ...known })).id;
    const renewal = { minor: 1000, currency: "EUR", years: 2 };
    const ids = {
      year: await add("year.example", "2028-02-29"),
      two: await add("two.example", "2027-03-01", { renewal }),
      old: await add("old.example", "2020-01-31"),
      named: await add("named.example", "2027-05-05"),
      drop: await add("drop.example", "2027-05-05", { decision: "drop" }),
      none: await add("none.example", null),
      last: await add("last.example", "2199-12-31"),
    };
    const op = { kind: "renewed", dates: { [ids.named]: "2030-01-01" } };
    const select = { filter: {}, expectedCount: 7 };
    const wrong = await send(client, { select: { ...select, expectedCount: 5 }, op });
    expect(wrong.status).toBe(409);
    const result = await (await send(client, { select, op })).json();
    expect(result).toMatchObject({ matched: 7, changed: 4 });
    const dates = async () =>
      Promise.all(Object.values(ids).map(async (id) => (await read(client, id)).expires?.date));
    const next = utcToday() > `${utcToday().slice(0, 4)}-01-30` ? 1 : 0;
    const old = `${Number(utcToday().slice(0, 4)) + next}-01-31`;
    const renewed = ["2029-02-28", "2029-03-01", old, "2030-01-01", "2027-05-05", undefined];
    expect(await dates()).toEqual([...renewed, "2199-12-31"]);
    await undoOperation(client, result.operation);
    const before = ["2028-02-29", "2027-03-01", "2020-01-31", "2027-05-05"];
    expect((await dates()).slice(0, 4)).toEqual(before);
  });

  once("says before how many would change, and changes none", async (client) => {
    const [on, off] = [
      await addDomain(client, { name: "on.example", autoRenew: true, expires: "2027-03-01" }),
      await addDomain(client, { name: "off.example", autoRenew: false }),
    ];
    const foretell = async (op: object, expectedCount = 2) => {
      const json = { select: { filter: {}, expectedCount }, op };
      return (await client.post("/api/domains/bulk/foretell", json)).json();
    };
    const one = { matched: 2, changed: 1, operation: null };
    expect(await foretell({ kind: "edit", autoRenew: false })).toEqual(one);
    expect(await foretell({ kind: "done" })).toEqual(one);
    expect(await foretell({ kind: "delete" })).toMatchObject({ matched: 2, changed: 2 });
    expect(await foretell({ kind: "done" }, 3)).toEqual(one);
    expect(await Promise.all([read(client, on.id), read(client, off.id)])).toMatchObject([on, off]);
    const { items } = parseRecentChanges(await client.json("/api/changes"));
    expect(items.map(({ what }) => what)).toEqual(["{} added", "{} added"]);
  });

  once("writes the history of each name that differs, and no other", async (client) => {
    const one = await addDomain(client, { name: "one.example", tags: ["b"] });
    const values = { registrar: "GoDaddy", decision: "keep", tags: ["a"] };
    const same = await addDomain(client, { name: "same.example", ...values });
    const op = { kind: "edit", registrar: "godaddy", decision: "keep", addTags: ["a"] };
    const response = await send(client, { select: { ids: [one.id, same.id] }, op });
    expect(await response.json()).toMatchObject({ matched: 2, changed: 1 });
    const fields = [
      { field: "registrar", before: null, after: "GoDaddy" },
      { field: "tags", before: ["b"], after: ["a", "b"] },
      { field: "decision", before: null, after: "keep" },
    ];
    expect(await client.json(`/api/domains/${one.id}/history`)).toMatchObject({
      items: [{ action: "edited", by: "ada@example.com", fields }, { action: "added" }],
    });
    // That a label is spelled otherwise is no difference.
    expect(await read(client, same.id)).toMatchObject({ ...values, version: 1 });
    const quiet = await client.json(`/api/domains/${same.id}/history`);
    expect(quiet).toMatchObject({ items: [{ action: "added" }] });
  });

  test("takes everything that matches a filter, over many batches", async (client) => {
    await fillRegister(await client.server.openDatabase(), 700);
    const filter = { decision: "!drop", autoRenew: "!true" };
    const query = new URLSearchParams(filter).toString();
    const { total } = await (await client.request(`/api/domains?${query}`)).json();
    expect(total).toBeGreaterThan(210);
    // The edit takes names out of the filter that selects them.
    const select = { filter, expectedCount: total };
    const edited = await send(client, { select, op: { kind: "edit", decision: "drop" } });
    expect(await edited.json()).toMatchObject({ matched: total, changed: total });
    expect(await client.json(`/api/domains?${query}`)).toMatchObject({ total: 0 });

    const rest = { filter: {}, expectedCount: 700 };
    const deleted = await send(client, { select: rest, op: { kind: "delete" } });
    expect(await deleted.json()).toMatchObject({ matched: 700, changed: 700 });
    const { total: left, changes } = await (await client.request("/api/summary")).json();
    expect(left).toBe(0);
    const deletion = { what: "{} deleted", names: 700, domain: null, back: "undo" };
    expect(changes[0]).toMatchObject(deletion);
  });

  once("does nothing and says how many match when that is another number", async (client) => {
    const { id } = await addDomain(client, { name: "one.example" });
    const op = { kind: "edit", decision: "keep" };
    const stale = await send(client, { select: { filter: {}, expectedCount: 2 }, op });
    expect([stale.status, await stale.json()]).toMatchObject([409, { status: 409, count: 1 }]);
    const gone = await send(client, { select: { ids: [id, Bun.randomUUIDv7()] }, op });
    const detail = "The number of domains that match is 1 now, not 2.";
    expect([gone.status, await gone.json()]).toMatchObject([409, { count: 1, detail }]);
    expect(await read(client, id)).toMatchObject({ decision: null, version: 1 });
    // Whoever has been told goes on with those that there still are.
    const known = { ids: [id, Bun.randomUUIDv7()], expectedCount: 1 };
    const kept = await send(client, { select: known, op });
    expect([kept.status, await kept.json()]).toMatchObject([200, { matched: 1, changed: 1 }]);
  });

  test("sets and removes a custom field of each, and keeps the others", async (client) => {
    const custom = { vertrag: "1", Kunde: "Ada" };
    const [a, b] = [{ name: "a.example", custom }, { name: "b.example" }];
    const ids = [(await addDomain(client, a)).id, (await addDomain(client, b)).id];
    const found = async (query: string) => {
      const page = parseDomainPage(await client.json(`/api/domains?sort=name&${query}`));
      return page.items.map((each) => each.custom);
    };
    const edit = async (given: Record<string, string>) =>
      (await send(client, { select: { ids }, op: { kind: "edit", custom: given } })).json();
    await edit({ Vertrag: "90207451" });
    const set = [{ Kunde: "Ada", vertrag: "90207451" }, { Vertrag: "90207451" }];
    expect(await found("q=90207451")).toEqual(set);
    const { custom: fields } = parseFacets(await client.json("/api/facets"));
    expect(fields.map(({ value, names }) => `${value} ${names}`)).toEqual(["Vertrag 2", "Kunde 1"]);
    expect(await edit({ VERTRAG: "90207451", None: "" })).toMatchObject({ matched: 2, changed: 0 });
    const { operation } = await edit({ VERTRAG: " " });
    expect(await found("custom.Vertrag=-")).toEqual([{ Kunde: "Ada" }, {}]);
    await undoOperation(client, operation);
    expect(await found("custom.kunde=ada&custom.Vertrag=~902")).toEqual(set.slice(0, 1));

    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`Name ${at}`, "x"]));
    expect(await edit(many)).toMatchObject({ errors: [{ pointer: "/op/custom", code: "length" }] });
  });

  const some = { ids: [Bun.randomUUIDv7()] };
  const edit = { kind: "edit", decision: "keep" };
  const ofFilter = (filter: object) => ({ select: { filter, expectedCount: 1 }, op: edit });
  const bad: [unknown, string][] = [
    [{ select: { ids: [] }, op: edit }, "/select/ids"],
    [{ select: { ...some, filter: {}, expectedCount: 1 }, op: edit }, "/select/ids"],
    [{ select: { filter: {} }, op: edit }, "/select/expectedCount"],
    [ofFilter({ tag: 1 }), "/select/filter/tag"],
    [ofFilter({ sort: "name" }), "/select/filter/sort"],
    [ofFilter({ decision: "x" }), "/select/filter/decision"],
    [{ select: some, op: { kind: "edit" } }, "/op/kind"],
    [{ select: some, op: { kind: "delete", owner: "x" } }, "/op/owner"],
    [{ select: some, op: { kind: "edit", name: "x.example" } }, "/op/name"],
    [{ select: some, op: { kind: "settle", by: "source" } }, "/op/source"],
    [{ select: some, op: { kind: "settle", by: "later", source: "x" } }, "/op/source"],
    [{ select: some, op: { kind: "edit", addTags: ["a"], removeTags: ["A"] } }, "/op/addTags"],
  ];
  once("refuses what no selection or change is", async (client) => {
    for (const [json, pointer] of bad) await expectRefused(send(client, json), pointer);
    // Nothing at all where one name would have too many tags.
    const tags = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const few = await addDomain(client, { name: "a.example" });
    const full = await addDomain(client, { name: "b.example", tags });
    const op = { kind: "edit", addTags: ["one more"] };
    await expectRefused(send(client, { select: { ids: [few.id, full.id] }, op }), "/op/addTags");
    expect(await read(client, few.id)).toMatchObject({ tags: [], version: 1 });
  });

  once("lets readers pass while it is under way", async (client) => {
    await fillRegister(await client.server.openDatabase(), 3000);
    const state = { done: false };
    const select = { filter: {}, expectedCount: 3000 };
    const bulk = send(client, { select, op: { kind: "edit", decision: "drop" } }).finally(
      () => (state.done = true),
    );
    const seen = new Set<number>();
    let passed = 0;
    while (!state.done) {
      const page = await (await client.request("/api/domains?decision=drop&limit=1")).json();
      if (!state.done) passed += 1;
      seen.add(page.total);
    }
    expect(await (await bulk).json()).toMatchObject({ matched: 3000 });
    expect(passed).toBeGreaterThan(2);
    // All or nothing: before and after, and never a part.
    expect(seen.size).toBeLessThanOrEqual(2);
  });
});
