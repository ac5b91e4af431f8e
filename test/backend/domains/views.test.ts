import { describe, expect } from "bun:test";
import type { SavedView } from "../../../src/shared/register.ts";
import { expectRefused } from "../../support/domains.ts";
import { once, test } from "../../support/owner-test.ts";

describe("/api/views", () => {
  test("saves, lists by name, renames, changes and deletes views", async (client) => {
    const add = (name: string, given = "") => client.post("/api/views", { name, query: given });
    const change = ({ id }: SavedView, json: object) => client.patch(`/api/views/${id}`, json);
    const query = "sort=-price&decision=!drop&tag=b&tag=a";
    await expectRefused(add("x", `${query}&sort=`), "/query");
    const added = await add(" Übersicht ", query);
    expect(added.status).toBe(201);
    const first: SavedView = await added.json();
    const inOrder = "tag=b&tag=a&decision=%21drop&sort=-price";
    expect(first).toMatchObject({ name: "Übersicht", query: inOrder });
    const second: SavedView = await (await add("Expiring")).json();
    expect(await client.json("/api/views")).toEqual({ items: [second, first] });

    const taken = await add("ÜBERSICHT");
    expect(await taken.json()).toMatchObject({
      status: 409,
      detail: expect.stringContaining("everyone"),
      errors: [{ pointer: "/name", code: "taken" }],
    });
    expect((await change(second, { name: "übersicht" })).status).toBe(409);
    const changed = await change(second, { query: "expires=next-30" });
    expect(await changed.json()).toEqual({ ...second, query: "expires=next-30" });
    const respelled = await change(first, { name: "ÜBERSICHT" });
    expect(await respelled.json()).toEqual({ ...first, name: "ÜBERSICHT" });

    const remove = () => client.delete(`/api/views/${second.id}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await change(second, { name: "x" })).status).toBe(404);
    expect(await client.json("/api/views")).toMatchObject({ items: [{ name: "ÜBERSICHT" }] });
  });

  once("refuses what is no view, and more than 200", async (client) => {
    const add = (name: string, query = "") => client.post("/api/views", { name, query });
    await expectRefused(add("x".repeat(101)), "/name");
    await expectRefused(add("x", "colour=red"), "/query");
    for (let index = 0; index < 200; index += 1) await add(`view ${index}`);
    expect((await add("one more")).status).toBe(409);
  });
});
