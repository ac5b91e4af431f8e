import { describe, expect } from "bun:test";
import { expectRefused } from "../../support/domains.ts";
import { once, test } from "../../support/owner-test.ts";

describe("/api/views", () => {
  test("saves, lists by name, renames, changes and deletes views", async (client) => {
    const send = (method: string, path: string, json: object) =>
      client.request(`/api/views${path}`, { method, json });
    const query = "sort=-price&decision=!drop&tag=b&tag=a";
    expect((await send("POST", "", { name: "x", query: `${query}&sort=` })).status).toBe(400);
    const added = await send("POST", "", { name: " Übersicht ", query });
    expect(added.status).toBe(201);
    const first = await added.json();
    expect(first).toEqual({
      id: expect.any(String),
      name: "Übersicht",
      query: "tag=b&tag=a&decision=%21drop&sort=-price",
    });
    const second = await (await send("POST", "", { name: "Expiring", query: "" })).json();
    expect(await client.json("/api/views")).toEqual({ items: [second, first] });

    const taken = await send("POST", "", { name: "ÜBERSICHT", query: "" });
    expect(await taken.json()).toMatchObject({
      status: 409,
      detail: expect.stringContaining("everyone"),
      errors: [{ pointer: "/name", code: "taken" }],
    });
    expect((await send("PATCH", `/${second.id}`, { name: "übersicht" })).status).toBe(409);
    const changed = await send("PATCH", `/${second.id}`, { query: "expires=next-30" });
    expect(await changed.json()).toEqual({ ...second, query: "expires=next-30" });
    const respelled = await send("PATCH", `/${first.id}`, { name: "ÜBERSICHT" });
    expect(await respelled.json()).toEqual({ ...first, name: "ÜBERSICHT" });

    const remove = () => client.delete(`/api/views/${second.id}`);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await send("PATCH", `/${second.id}`, { name: "x" })).status).toBe(404);
    expect(await client.json("/api/views")).toMatchObject({ items: [{ name: "ÜBERSICHT" }] });
  });

  once("refuses what is no view, and more than 200", async (client) => {
    const add = (json: object) => client.post("/api/views", json);
    await expectRefused(add({ name: "x".repeat(101), query: "" }), "/name");
    await expectRefused(add({ name: "x", query: "colour=red" }), "/query");
    for (let index = 0; index < 200; index += 1) await add({ name: `view ${index}`, query: "" });
    expect((await add({ name: "one more", query: "" })).status).toBe(409);
  });
});
