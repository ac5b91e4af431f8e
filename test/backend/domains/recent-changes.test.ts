import { describe, expect } from "bun:test";
import { insertRows } from "../../../src/backend/database/bulk-rows.ts";
import { parseChangePage, parseRecentChanges } from "../../../src/shared/changes.ts";
import type { RecentChange } from "../../../src/shared/register.ts";
import type { ApiClient } from "../../support/api-client.ts";
import type { BackendServer } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import {
  addDomain,
  addDomains,
  changeMany,
  listNames,
  patchDomain,
} from "../../support/domains.ts";
import { importFile, previewOf, sendCommit, undoImport } from "../../support/import-client.ts";

async function list(client: ApiClient, query: Record<string, string> = {}) {
  return parseRecentChanges(await client.json(`/api/changes?${new URLSearchParams(query)}`));
}

async function whats(client: ApiClient, query: Record<string, string>): Promise<string[]> {
  return (await list(client, query)).items.map(({ what }) => what);
}

/** Every entry, page by page, and how many pages there were. */
async function listAll(client: ApiClient, query: Record<string, string> = {}) {
  const all: RecentChange[] = [];
  let pages = 0;
  for (let after: string | null = ""; after !== null; pages += 1) {
    const page = await list(client, { ...query, after });
    all.push(...page.items);
    after = page.next;
  }
  return { all, pages };
}

/** Writes changes of domains that are gone, as registries and accounts make them. */
async function tell(
  server: BackendServer,
  rows: { at: string; by?: string; field?: string; text?: string }[],
) {
  const changes = rows.map(({ at, by = "rdap:a.example", field = "notes", text = "x" }, index) => ({
    id: Bun.randomUUIDv7("hex", Date.parse(at)),
    domain_id: `gone-${index}`,
    at,
    made_by_name: by,
    action: "edited",
    fields: JSON.stringify([{ field, before: "", after: text }]),
    // Else those of one instant would be one.
    operation: by.startsWith("account:") ? `read-${index}` : Bun.randomUUIDv7(),
  }));
  await server.write((sql) => insertRows(sql, "changes", changes));
}

describe("GET /api/changes", () => {
  test("says what was done to how many, and the filter `change` finds just these", async (client) => {
    const ids = await addDomains(client, ["a.example", "b.example", "c.example"]);
    await changeMany(client, { ids: ids.slice(0, 2) }, { kind: "edit", autoRenew: false });
    await patchDomain(client, ids[1] ?? "", { owner: "Acme", custom: { field: "decision" } }, "*");
    for (const id of ids) await patchDomain(client, id, { decision: "drop" }, "*");
    const imported = await importFile(client, "Domain,Owner\nc.example,Ada\nd.example,Ada\n");
    const { items } = await list(client);
    const told = items.map((each) => [each.what, each.names, each.kind, each.operations.length]);
    expect(told.slice(0, 4)).toEqual([
      ["{} imported from domains.csv", 2, "imported", 1],
      ["{} marked Drop", 3, "decided", 3],
      ["Owner, custom fields changed for {}", 1, "edited", 1],
      ["Auto-renew off for {}", 2, "edited", 1],
    ]);
    const found: string[] = [];
    for (const { changes } of items.slice(0, 4)) {
      const query = new URLSearchParams(changes.map((id) => ["change", id]));
      const names = await listNames(client, String(query));
      found.push(names.map((name) => name[0]).join(""));
      expect((await list(client, { change: changes.join() })).items).toHaveLength(1);
    }
    expect(found).toEqual(["cd", "abc", "b", "ab"]);
    expect(await whats(client, { kind: "decided" })).toEqual(["{} marked Drop"]);

    await undoImport(client, imported.id);
    const what = "{} imported from domains.csv";
    const [undone, done, , edited] = (await list(client)).items;
    expect([undone, done, edited]).toMatchObject([
      { what: `Undone: ${what}`, names: 2, domain: null, back: "redo" },
      { what, operations: [imported.id], back: null, isUndone: true },
      { domain: { name: "b.example" }, back: "undo", isUndone: false },
    ]);
    const history = parseChangePage(await client.json(`/api/domains/${ids[2]}/history`));
    const files = history.items.map(({ fileName }) => fileName);
    expect(files).toEqual(["domains.csv", "domains.csv", undefined, undefined]);
  });

  test("is filtered by person, kind and text, and shows a reading with its source", async (client) => {
    const notes = 'Says "yes" \\o/';
    const price = { minor: 1, currency: "EUR", years: 1 };
    const values = { owner: "Acme", notes, expires: "2031-01-01", renewal: price };
    const { id } = await addDomain(client, { name: "bücher.example", ...values });
    await patchDomain(client, id, { decision: "keep" }, "*");
    await importFile(client, "Domain\nz.example\n");
    await tell(client.server, [
      { at: "2020-01-02T00:00:00.000Z", text: "overnight" },
      { at: "2020-01-01T00:00:00.000Z", by: "account:gandi:Main", field: "observation" },
    ]);
    const told = await list(client, { kind: "told" });
    expect(told.items.map(({ by, back, what }) => [by, back, what])).toEqual([
      ["account:gandi:Main", null, "Reported date changed for {}"],
    ]);
    expect(await whats(client, { kind: "decided" })).toEqual(["{} marked Keep"]);
    expect(await whats(client, { kind: "added" })).toEqual(["{} added"]);
    expect(await whats(client, { q: "BÜCHER" })).toEqual(["{} marked Keep", "{} added"]);
    for (const q of ["acme", 'says "yes" \\', "eur"])
      expect(await whats(client, { q })).toEqual(["{} added"]);
    expect(await whats(client, { q: "domains.csv" })).toEqual(["{} imported from domains.csv"]);
    for (const q of ["before", "null", "currency", "observedat"])
      expect(await whats(client, { q })).toEqual([]);
    expect(await whats(client, { q: "over%" })).toEqual([]);
    const [newest] = (await list(client)).items;
    expect(await whats(client, { person: newest?.byId ?? "" })).toHaveLength(3);

    // Capitals beyond ASCII in what was written, the file, and who did it.
    await addDomain(client, { name: "a.example", owner: "Ärzte ÄÖÜ" });
    const preview = await previewOf(client, "Domain\ny.example\n", {}, "ÜBERSICHT.csv");
    await sendCommit(client, preview.id);
    await tell(client.server, [{ at: "2020-01-01T00:00:00.000Z", by: "Ivan Örn" }]);
    for (const q of ["ärzte äöü", "Ärzte"])
      expect(await whats(client, { q })).toEqual(["{} added"]);
    expect(await whats(client, { q: "übersicht" })).toEqual(["{} imported from ÜBERSICHT.csv"]);
    expect((await list(client, { q: "ÖRN" })).items.map(({ by }) => by)).toEqual(["Ivan Örn"]);
    expect(await whats(client, { q: "arzte" })).toEqual([]);
  });

  test("goes through all of it page by page, also what has one instant", async (client) => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
    const rows = Array.from({ length: 230 }, (_, index) => ({
      // 120 of them at once, over the end of two pages.
      at: at(index < 40 ? index : Math.max(40, index - 120)),
      by: `person ${index % 120}`,
    }));
    await tell(client.server, rows);
    const { all, pages } = await listAll(client);
    expect(new Set(all.flatMap(({ changes }) => changes)).size).toBe(230);
    expect(all.reduce((sum, { names }) => sum + names, 0)).toBe(230);
    expect(pages).toBe(5);
    const times = all.map((entry) => entry.at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect((await list(client, { after: at(40) })).items[0]?.at).toBe(at(39));
  });

  once("compares 2,000 changes at most, and goes on from there", async (client) => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
    const rows = Array.from({ length: 5000 }, (_, index) => ({ at: at(index) }));
    await tell(client.server, [...rows, { at: "2025-01-01T00:00:00.000Z", text: "needle" }]);
    expect(await list(client, { q: "needle" })).toMatchObject({ items: [], next: at(2999) });
    const { all, pages } = await listAll(client, { q: "needle" });
    expect(all).toHaveLength(1);
    expect(pages).toBe(3);
  });
});
