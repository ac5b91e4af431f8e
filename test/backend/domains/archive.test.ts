import { describe, expect } from "bun:test";
import { addDays, utcToday } from "../../../src/shared/day.ts";
import { parseRecentChanges } from "../../../src/shared/changes.ts";
import { type Domain, parseDomainPage } from "../../../src/shared/domain.ts";
import { parseFacets } from "../../../src/shared/facets.ts";
import type { ApiClient } from "../../support/api-client.ts";
import { startAccounts } from "../../support/accounts.ts";
import { startBackend, type BackendServer } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import {
  addDomain,
  changeMany,
  listNames,
  patchDomain,
  reportExpiry,
  undoOperation,
} from "../../support/domains.ts";
import {
  importFile,
  listRows,
  previewOf,
  sendCommit,
  undoImport,
} from "../../support/import-client.ts";
import { startReminders } from "../../support/reminders.ts";

const TODAY = utcToday();
const IN = (days: number) => addDays(TODAY, days);

const list = (client: ApiClient, query = "") => listNames(client, `sort=name&${query}`);

async function archive(client: ApiClient, select: object, archivedOn: string | null = TODAY) {
  const response = await changeMany(client, select, { kind: "edit", archivedOn });
  return response.json();
}

/** Critical, for what lapses; of a check that has been made. */
async function find(server: BackendServer, domain: Domain, code = "not-registered"): Promise<void> {
  const at = `${TODAY}T00:00:00.000Z`;
  await server.write(async (sql) => {
    await sql`insert into findings ${sql({ domain_id: domain.id, code, severity: 0, since: at, evidence: "" })}`;
    const check = { domain_id: domain.id, kind: "registry", name: domain.name, queue: "registry" };
    const due = { due_at: "2099-01-01T00:00:00.000Z", priority: 0, failures: 0 };
    await sql`insert into checks ${sql({ ...check, ...due, outcome: "ok", answered_at: at })}`;
  });
}

describe("An archived domain", () => {
  test("is found by its filter and the change, counted nowhere else, and comes back by undo", async (client) => {
    const values = { registrar: "Gandi", owner: "Ada", tags: ["shop"], custom: { Client: "ACME" } };
    const a = await addDomain(client, { name: "a.example", expires: IN(5), ...values });
    const b = await addDomain(client, { name: "b.example", expires: IN(5), ...values });
    await addDomain(client, { name: "c.example", expires: IN(5), ...values });
    await find(client.server, a);
    const { changed, operation } = await archive(client, { ids: [a.id, b.id] });
    expect(changed).toBe(2);

    expect(await list(client)).toEqual(["c.example"]);
    for (const sort of ["name", "-name", "expires", "-registrar", "price"]) {
      const page = await client.json(`/api/domains?sort=${sort}&limit=1`);
      expect(page).toMatchObject({ total: 1, next: null, items: [{ name: "c.example" }] });
    }
    expect(await list(client, "q=example")).toEqual(["c.example"]);
    expect(await list(client, "archived=true")).toEqual(["a.example", "b.example"]);
    expect(await list(client, "archived=true&q=b")).toEqual(["b.example"]);
    expect(await list(client, "archived=any&owner=Ada")).toHaveLength(3);
    const csv = await (await client.request("/api/domains.csv?archived=true")).text();
    expect(csv.trim().split("\r\n")).toHaveLength(3);
    expect(csv).toContain(TODAY);
    const facets = parseFacets(await client.json("/api/facets"));
    const { registrars, owners, tags, tlds, custom, decisions } = facets;
    for (const facet of [registrars, owners, tags, tlds, custom, decisions])
      expect(facet).toMatchObject([{ names: 1 }]);
    const summary = await client.json("/api/summary");
    expect(summary).toMatchObject({ total: 1, work: { week: { total: 1 } } });
    // Nothing is known any more of what it is not checked for.
    const shown = await client.json(`/api/domains/${a.name}`);
    expect(shown).toMatchObject({ archivedOn: TODAY, findings: [], checks: {}, tags: ["shop"] });
    const lastChange = async () => parseRecentChanges(await client.json("/api/changes")).items[0];
    const done = await lastChange();
    expect(done).toMatchObject({ what: "{} archived", names: 2, back: "undo" });
    expect(await list(client, `change=${done?.changes[0]}`)).toEqual(["a.example", "b.example"]);

    await patchDomain(client, a.id, { decision: "drop", expires: "2020-01-01" }, "*");
    expect(await list(client, "archived=true&lapsed=true")).toEqual([]);
    const shownOfTwo = await client.json("/api/domains?archived=true&lapsed=false&limit=1");
    expect(shownOfTwo).toMatchObject({ total: 2, items: { length: 1 } });
    await undoOperation(client, operation);
    expect(await list(client)).toHaveLength(3);
    const undone = await lastChange();
    expect(undone).toMatchObject({ what: "Undone: {} archived", back: "redo" });
    await undoOperation(client, undone?.operations[0]);
    expect(await list(client)).toEqual(["c.example"]);
    // And by hand, one alone.
    const back = await patchDomain(client, b.id, { archivedOn: null }, "*");
    expect(await back.json()).toMatchObject({ archivedOn: null });
    expect(await list(client)).toEqual(["b.example", "c.example"]);
    // By a filter, which names how many.
    const select = { filter: { archived: ["true"] }, expectedCount: 1 };
    expect(await archive(client, select, null)).toMatchObject({ changed: 1 });
    expect(await client.json("/api/domains?limit=1")).toMatchObject({ total: 3 });
  });

  test("is proposed where the registry has no such name, or none was asked for 90 days", async (client) => {
    const unknown = await addDomain(client, { name: "unknown.example", expires: IN(100) });
    const known = await addDomain(client, { name: "known.example", expires: IN(-91) });
    await addDomain(client, { name: "long.example", expires: IN(-91), decision: "keep" });
    await addDomain(client, { name: "short.example", expires: IN(-90) });
    await addDomain(client, { name: "none.example", expires: null });
    await find(client.server, unknown);
    await find(client.server, known, "redemption");
    const proposed = ["long.example", "unknown.example"];
    expect(await list(client, "archived=proposed")).toEqual(proposed);
    expect(await client.json("/api/summary")).toMatchObject({ archivable: 2, total: 5 });
    await archive(client, { filter: { archived: ["proposed"] }, expectedCount: 2 });
    expect(await list(client, "archived=true")).toEqual(proposed);
    expect(await client.json("/api/summary")).toMatchObject({ archivable: 0, total: 3 });
  });

  once(
    "is not added again, survives a file of our own, and an import brings it back if told to",
    async (client) => {
      const { id } = await addDomain(client, { name: "a.example", registrar: "Gandi" });
      await archive(client, { ids: [id] });
      const refused = await client.post("/api/domains", { name: "a.example" });
      const detail: unknown = expect.stringContaining("in the archive");
      expect(await refused.json()).toMatchObject({ status: 409, existing: id, detail });
      const exported = async () => (await client.request("/api/domains.csv?archived=any")).text();
      const csv = await exported();
      await using other = await startBackend();
      const empty = await other.owner();
      await importFile(empty, csv);
      expect(await list(empty, "archived=true")).toEqual(["a.example"]);

      const file = "domain,registrar,notes\na.example,Gandi,Renewed\nb.example,Gandi,\n";
      const preview = await previewOf(client, file);
      expect(preview.counts.byHand).toEqual([{ field: "archivedOn", domains: 1 }]);
      const [row] = await listRows(client, preview.id);
      expect(row).toMatchObject({ archived: true, changes: [{ field: "notes" }] });
      await sendCommit(client, preview.id);
      expect(await list(client)).toEqual(["b.example"]);

      const defaults = { bringBack: true };
      for (const content of [file, (await exported()).replaceAll(TODAY, "")]) {
        const { id: importId } = await importFile(client, content, { defaults });
        expect(await list(client)).toEqual(["a.example", "b.example"]);
        await undoImport(client, importId);
        expect(await list(client)).toEqual(["b.example"]);
      }
    },
  );

  test("stays so though its account lists it, which shows it, and comes back when it is added", async () => {
    await using accounts = await startAccounts();
    const { client } = accounts;
    const { id } = await accounts.add("main");
    const lists = async (name: string, autoRenew: boolean | null = null) => {
      accounts.list("main", [{ name, autoRenew }]);
      await accounts.read(id);
    };
    await lists("a.example");
    await accounts.post(id, "accept", { names: ["a.example"] });
    await archive(client, { filter: {}, expectedCount: 1 });
    await lists("a.example", true);
    expect(await list(client)).toEqual([]);
    expect((await accounts.show(id)).counts).toMatchObject({ listed: 1, new: 0, refused: 1 });
    expect(await accounts.names(id, "refused")).toMatchObject([
      { name: "a.example", reason: "Archived here.", since: TODAY },
    ]);
    // What it no longer lists is not asked about.
    for (let day = 0; day < 3; day += 1) await lists("b.example");
    expect((await accounts.show(id)).counts.vanished).toBe(0);
    await lists("a.example");
    await accounts.post(id, "accept", { names: ["a.example"] });
    expect(await list(client)).toEqual(["a.example"]);
  });
});

describe("No reader but those that ask for the archive", () => {
  const PATHS = [
    "/api/domains",
    "/api/domains?q=planted",
    "/api/domains?work=any",
    "/api/domains?finding=any",
    "/api/domains?tag=planted&sort=-price",
    "/api/domains?lapsed=false&sort=-registrar",
    "/api/domains.csv",
    "/api/facets",
    "/api/registrars",
    "/api/summary",
    "/api/summary?person=none",
    "/api/costs?what=renewals&by=month&group=owner",
    "/api/costs?what=paid&by=year&group=registrar",
    "/api/costs?what=purchases&by=year&group=tag",
    "/api/costs?what=sales&by=year&group=tld",
    "/api/costs.csv?what=renewals&by=month&group=owner",
    "/api/costs/cheaper",
  ];

  test("tells of it", async () => {
    await using register = await startReminders();
    const { server, client, database } = register;
    const at = (hour: number) => `${TODAY}T${String(hour).padStart(2, "0")}:00:00Z`;
    await register.addChannel({ changes: true });
    await register.put(at(1));
    const price = { minor: 900, currency: "EUR" };
    const values = {
      registrar: "Planted Registrar",
      account: "planted account",
      owner: "planted owner",
      tags: ["planted"],
      custom: { "planted field": "planted" },
      notes: "planted",
      renewal: { ...price, years: 1 },
      purchasePrice: price,
      purchasedOn: IN(0),
    };
    const due = await register.add("planted-due.example", IN(1), values);
    const sold = { soldPrice: price, soldOn: IN(0) };
    await addDomain(client, { name: "planted-sold.example", expires: IN(9), ...values, ...sold });
    const others = await addDomain(client, { name: "other.example", expires: IN(200) });
    await reportExpiry(database, due.id, [
      { source: "Gandi", date: IN(-364), observedAt: `${IN(-2)}T00:00:00.000Z` },
      { source: "Gandi", date: IN(1), observedAt: `${IN(-1)}T00:00:00.000Z` },
    ]);
    await find(server, due, "redemption");
    const prices = [{ tld: "example", minor: 1, currency: "EUR", years: 1 }];
    const cheap = await addDomain(client, { name: "cheap.example", registrar: "Cheap" });
    await client.patch("/api/registrars/cheap", { prices });
    const calendar = await client.post("/api/calendars", { name: "All" });
    const paths = [...PATHS, (await calendar.json()).url];
    const readers = async () => {
      const telling: string[] = [];
      for (const path of paths) {
        const text = await (await client.request(path)).text();
        // What was done stays told.
        const now = path.startsWith("/api/summary")
          ? JSON.stringify({ ...JSON.parse(text), changes: [] })
          : text;
        if (/planted/i.test(now)) telling.push(path);
      }
      return telling;
    };
    expect(await readers()).toEqual(paths);

    const { items } = parseDomainPage(await client.json("/api/domains?tag=planted"));
    const planted = { ids: items.map((domain) => domain.id) };
    // What is told of it until now is no fault.
    await register.evaluate(at(2));
    await archive(client, planted);
    expect(await readers()).toEqual([]);
    expect(await client.json("/api/domains/cost")).toMatchObject({ costs: [{ minor: 1 }] });
    // Neither that it expires or is in redemption, nor that it was changed.
    const told = await register.evaluate(at(9));
    expect(told.flatMap(({ names }) => names)).not.toContainEqual(
      expect.stringContaining("planted"),
    );
    expect(await list(client)).toEqual([cheap.name, others.name]);
    await archive(client, planted, null);
    const later = (await register.evaluate(`${IN(1)}T09:00:00Z`)).flatMap(({ names }) => names);
    expect(later).toContainEqual(expect.stringMatching(/^planted-due\.example \d/));
  });
});
