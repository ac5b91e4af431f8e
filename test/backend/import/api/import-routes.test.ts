import { describe, expect } from "bun:test";
import { type DomainPage, parseDomainPage } from "../../../../src/shared/domain.ts";
import { type Import, NO_ROWS } from "../../../../src/shared/import.ts";
import { addDomain, FULL_DOMAIN, patchDomain } from "../../../support/domains.ts";
import {
  importFile,
  listRows,
  previewOf,
  sendCommit,
  undoImport,
} from "../../../support/import-client.ts";
import { once, test } from "../../../support/owner-test.ts";

const FILE = [
  "Domain,Registrar,Expires,Auto-renew,Tags",
  "one.example,Hoster,2027-05-01,yes,shop",
  "two.example,Hoster,2027-06-01,,",
  "one.example,Hoster,2028-05-01,no,",
  "not a name,Hoster,2027-05-01,yes,",
  "three.example,Hoster,soon,no,",
].join("\n");

/** Columns of a file that change every field of a full domain, and what then lists it. */
const COLUMNS = [
  { header: "Registrar", cell: "Gandi", field: "registrar", query: "registrar=gandi" },
  { header: "Account", cell: "second", field: "account", query: "account=second" },
  { header: "Owner", cell: "Pat", field: "owner", query: "owner=pat" },
  { header: "Tags", cell: "fresh", field: "tags", query: "tag=fresh" },
  { header: "Decision", cell: "drop", field: "decision", query: "decision=drop" },
  { header: "Auto-renew", cell: "on", field: "autoRenew", query: "autoRenew=true" },
  { header: "Expires", cell: "2031-05-06", field: "expires", query: "expires=conflict" },
  { header: "Renewal price", cell: "7.50 EUR", field: "renewal" },
  { header: "Created", cell: "2001-02-03", field: "registeredOn" },
  { header: "Status", cell: "On hold", field: "status" },
  { header: "Lock", cell: "Unlocked", field: "locked" },
  { header: "Nameservers", cell: "ns9.hoster.example", field: "nameservers" },
  { header: "Asking price", cell: "1250,00 EUR", field: "askingPrice" },
  { header: "Sold date", cell: "2026-11-01", field: "soldOn" },
  { header: "Notes", cell: "other words", field: "notes" },
] as const;

once("POST /api/imports puts every row into a class and shows its changes", async (client) => {
  await addDomain(client, { name: "one.example", registrar: "hoster", tags: ["Client"] });
  await addDomain(client, { name: "gone.example", registrar: "Hoster" });
  await addDomain(client, { name: "other.example", registrar: "Elsewhere" });
  const preview = await previewOf(client, FILE);
  expect(preview).toMatchObject({
    state: "preview",
    fileName: "domains.csv",
    committedAt: null,
    format: null,
    ambiguous: [],
    counts: { ...NO_ROWS, new: 2, changed: 1, duplicate: 1, invalid: 1, missing: 1, partly: 1 },
  });
  const rows = await listRows(client, preview.id);
  expect(rows.map((row) => [row.class, row.line, row.name, row.repeats])).toEqual([
    ["changed", 2, "one.example", null],
    ["new", 3, "two.example", null],
    ["duplicate", 4, "one.example", 2],
    ["invalid", 5, null, null],
    ["new", 6, "three.example", null],
    ["missing", null, "gone.example", null],
  ]);
  const after = { date: "2027-05-01", source: "hoster", conflict: false };
  expect(rows[0]?.changes).toEqual([
    { field: "expires", before: null, after },
    { field: "autoRenew", before: null, after: true },
    { field: "tags", before: ["Client"], after: ["Client", "shop"] },
  ]);
  expect(rows[4]?.problems).toMatchObject([{ field: "expires", code: "unreadable-date" }]);
  expect(await client.json("/api/domains")).toMatchObject({ total: 3 });
});

describe("POST /api/imports/:id/commit", () => {
  test("makes the preview true, with history, sources and versions", async (client) => {
    const before = await addDomain(client, { name: "one.example", expires: "2026-12-31" });
    const done = await importFile(client, FILE);
    expect(done).toMatchObject({ state: "committed", counts: { new: 2, changed: 1 } });
    const detail = await client.json(`/api/domains/${before.id}`);
    expect(detail).toMatchObject({
      version: 2,
      registrar: "Hoster",
      autoRenew: true,
      tags: ["shop"],
      expires: { date: "2026-12-31", source: "manual", conflict: true },
    });
    expect(await client.json(`/api/domains/${before.id}/history`)).toMatchObject({
      items: [{ action: "edited", by: "ada@example.com", import: done.id }, { action: "added" }],
    });
    expect(await client.json("/api/domains?q=two")).toMatchObject({
      items: [{ version: 1, expires: { source: "Hoster", observedAt: done.committedAt } }],
    });
  });

  test("writes each field where it is read, and its undo gives it back", async (client) => {
    const { id } = await addDomain(client, FULL_DOMAIN);
    /** As lists show it, but for how often and when it was written. */
    const read = async () => {
      const { items } = parseDomainPage(await client.json("/api/domains"));
      return { ...items[0], version: null, updatedAt: null };
    };
    const before = await read();
    const headers = COLUMNS.map(({ header }) => header);
    const cells = COLUMNS.map(({ cell }) => `"${cell}"`);
    const file = `Domain,${headers.join()}\nbücher.example,${cells.join()}\n`;
    const done = await importFile(client, file, { defaults: { keepByHand: [] } });
    const [row] = await listRows(client, done.id);
    const fields = COLUMNS.map(({ field }) => field);
    const changed = row?.changes.map((each) => each.field) ?? [];
    expect<unknown[]>(changed.toSorted()).toEqual(fields.toSorted());
    const after = await read();
    for (const field of fields) expect(after[field]).not.toEqual(before[field]);
    for (const column of COLUMNS) {
      const query = "query" in column ? column.query : "";
      expect(await client.json(`/api/domains?${query}`)).toMatchObject({ items: [{ id }] });
    }
    expect((await undoImport(client, done.id)).undo).toMatchObject({ restored: 1, kept: [] });
    expect(await read()).toEqual(before);
  });

  once("gives the same key the same answer, and refuses another", async (client) => {
    const { id } = await previewOf(client, FILE);
    const [first, again] = await Promise.all([
      sendCommit(client, id, "k1"),
      sendCommit(client, id, "k1"),
    ]);
    const answer: Import = await first?.json();
    expect(await again?.json()).toEqual(answer);
    expect((await sendCommit(client, id, "k2")).status).toBe(409);
    expect(await client.json("/api/domains")).toMatchObject({ total: 3 });
  });
});

describe("POST /api/imports/:id/undo", () => {
  once("is foretold by POST, which changes nothing", async (client) => {
    await addDomain(client, { name: "one.example" });
    const { id } = await importFile(client, FILE);
    const found: DomainPage = await (await client.request("/api/domains?q=two")).json();
    await patchDomain(client, String(found.items[0]?.id), { owner: "Ada" }, "*");
    const before = await client.json("/api/domains");
    const path = `/api/imports/${id}/undo/foretell`;
    const foretold: Import = await (await client.post(path)).json();
    const kept = [{ name: "two.example", unicode: "two.example", fields: ["owner"] }];
    expect(foretold).toMatchObject({ undo: { restored: 1, removed: 1, kept } });
    expect(await client.json("/api/domains")).toEqual(before);
    expect(await client.json(`/api/imports/${id}`)).toMatchObject({ state: "committed" });
    // One that changed nothing is undone, too.
    const again = await importFile(client, FILE);
    const undo = { restored: 0, removed: 0, kept: [] };
    expect(await undoImport(client, again.id)).toMatchObject({ state: "undone", undo });
    expect((await undoImport(client, id)).undo).toEqual(foretold.undo);
  });
});
