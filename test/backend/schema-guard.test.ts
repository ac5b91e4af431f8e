import { expect, spyOn } from "bun:test";
import { startBackend } from "../support/backend-server.ts";
import { test } from "../support/both-databases.ts";
import { addDomain, deleteDomain } from "../support/domains.ts";
import { createSteppedLoop } from "../support/stepped-loop.ts";

test("guardSchema lets an instance read and no longer write once a newer version has the database", async () => {
  const loop = createSteppedLoop();
  await using server = await startBackend({ loop, instances: 1 });
  const client = await server.owner();
  await loop.step();
  const { id } = await addDomain(client, { name: "a.example" });
  expect(await server.backend.ready()).toBe(true);
  const newer = { version: 999, name: "newer", applied_at: "2027-01-01" };
  await server.write((sql) => sql`insert into schema_migrations ${sql(newer)}`);
  using log = spyOn(console, "error").mockImplementation(() => undefined);
  await loop.step();
  await loop.step();
  // That of Postgres is used again by other tests.
  await server.write((sql) => sql`delete from schema_migrations where version = 999`);
  expect(log).toHaveBeenCalledTimes(1);
  const reason = "the database was changed by a newer version (schema 999, this one knows ";
  expect(await server.backend.ready()).toStartWith(reason);
  const upload = new FormData();
  upload.append("file", new Blob(["b.example"]), "x");
  const all = { select: { ids: [id] }, op: { kind: "delete" } };
  for (const response of [
    await client.post("/api/domains", { name: "b.example" }),
    await client.post("/api/domains/bulk", all),
    await deleteDomain(client, id),
    await client.request("/api/upload/post", { method: "POST", body: upload }),
  ]) {
    expect([response.url, response.status]).toEqual([response.url, 503]);
    expect(response.headers.get("retry-after")).toBe("10");
    expect((await response.json()).detail).toContain("A newer version is being installed");
  }
  expect(await client.json("/api/domains")).toMatchObject({ items: [{ name: "a.example" }] });
});
