import { describe, expect } from "bun:test";
import { parseNews } from "../../../src/shared/news.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startBackend } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, deleteDomain, patchDomain } from "../../support/domains.ts";
import { importFile } from "../../support/import-client.ts";
import { joinAs } from "../../support/people.ts";

/** Asks as an open page does: what is new since the answer with a tag, and by whom. */
async function ask(client: ApiClient, tag: string | null, known: readonly string[] = []) {
  const headers = tag === null ? {} : { "If-None-Match": tag };
  const response = await client.request("/api/news", { headers });
  if (response.status === 304) return null;
  expect(response.status).toBe(200);
  const { times, changes } = parseNews(await response.json());
  expect(changes).toEqual([]);
  const at = times.filter((time) => !known.includes(time));
  const told = at.length > 0 && known.length > 0 && (await client.json(`/api/news?at=${at}`));
  return { times, tag: response.headers.get("etag"), changes: told && parseNews(told).changes };
}

describe("GET /api/news", () => {
  once("has another tag after each change, and says what it was and by whom", async () => {
    await using server = await startBackend({ instances: 2 });
    const owner = await server.owner();
    expect(await ask(owner, null)).toMatchObject({ times: [] });
    const { id } = await addDomain(owner, { name: "a.example" });
    const first = await ask(owner, null);
    expect(await ask(owner, first?.tag ?? null)).toBeNull();

    const { client: eve, id: byId } = await joinAs(server, { email: "eve@example.com" });
    expect(await ask(owner, first?.tag ?? null)).toBeNull();
    expect((await patchDomain(eve, id, { decision: "drop" }, "*")).status).toBe(200);
    const second = await ask(owner, first?.tag ?? null, first?.times);
    expect(second?.changes).toEqual([
      { by: expect.any(String), byId, names: 1, domains: [{ id, version: 2 }] },
    ]);
    expect(await ask(owner, second?.tag ?? null)).toBeNull();

    const names = Array.from({ length: 1100 }, (_, at) => `name-${at}.example`);
    await importFile(eve, `Domain\n${names.join("\n")}\n`);
    expect((await deleteDomain(eve, id)).status).toBe(200);
    const third = await ask(owner, second?.tag ?? null, second?.times);
    expect(third?.changes).toMatchObject([
      { byId, names: 1, domains: [{ id, version: null }] },
      { byId, names: 1100, domains: { length: 999 } },
    ]);
  });

  test("tells of a change that took longer than those that came after it", async (owner) => {
    const { id } = await addDomain(owner, { name: "a.example" });
    await addDomain(owner, { name: "b.example" });
    const before = await ask(owner, null);
    await owner.server.write(async (sql) => {
      const at = new Date(Date.parse(before?.times[1] ?? "") - 1).toISOString();
      const made = { made_by: null, made_by_name: "Eve", operation: crypto.randomUUID() };
      const change = { id: crypto.randomUUID(), domain_id: id, at, action: "edited", fields: "[]" };
      await sql`insert into changes ${sql({ ...change, ...made })}`;
    });
    const after = await ask(owner, before?.tag ?? null, before?.times);
    expect(after?.changes).toMatchObject([{ by: "Eve", domains: [{ id }] }]);
  });
});
