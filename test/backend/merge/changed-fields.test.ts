import { describe, expect } from "bun:test";
import type { DomainPage } from "../../../src/shared/domain.ts";
import { startBackend } from "../../support/backend-server.ts";
import { test } from "../../support/both-databases.ts";
import { addDomain, FULL_DOMAIN } from "../../support/domains.ts";
import { commitWhatIsNow, importFile, previewOf, undoImport } from "../../support/import-client.ts";

/** Files that change one field each of a full domain, and what then lists it. */
const FILES = [
  { header: "Registrar", cell: "Gandi", query: "registrar=gandi" },
  { header: "Account", cell: "second", query: "account=second" },
  { header: "Owner", cell: "Pat", query: "owner=pat" },
  { header: "Tags", cell: "fresh", query: "tag=fresh" },
  { header: "Decision", cell: "drop", query: "decision=drop" },
  { header: "Auto-renew", cell: "on", query: "autoRenew=true" },
  { header: "Expires", cell: "2031-05-06", query: "expires=conflict" },
  { header: "Renewal price", cell: "7.50 EUR", query: "" },
  { header: "Created", cell: "2001-02-03", query: "" },
  { header: "Status", cell: "On hold", query: "" },
  { header: "Lock", cell: "Unlocked", query: "" },
  { header: "Nameservers", cell: "ns9.hoster.example", query: "" },
  { header: "Asking price", cell: "1.250,00 EUR", query: "" },
  { header: "Sold date", cell: "2026-11-01", query: "" },
  { header: "Notes", cell: "other words", query: "" },
];

describe("a commit that changes one field", () => {
  test("writes that field where it is read, and its undo gives it back", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const { id } = await addDomain(client, FULL_DOMAIN);
    /** As lists show it, but for how often and when it was written. */
    const read = async () => {
      const { items }: DomainPage = await (await client.request("/api/domains")).json();
      return { ...items[0], version: null, updatedAt: null };
    };
    for (const { header, cell, query } of FILES) {
      const before = await read();
      const file = `Domain,${header}\nbücher.example,"${cell}"\n`;
      const done = await importFile(client, file, { defaults: { keepByHand: [] } });
      expect([header, done.counts.changed]).toEqual([header, 1]);
      expect(await read()).not.toEqual(before);
      const page = await client.request(`/api/domains?${query}`);
      const { items }: DomainPage = await page.json();
      expect([header, items.map((item) => item.id)]).toEqual([header, [id]]);

      expect((await undoImport(client, done.id)).undo).toMatchObject({ restored: 1, kept: [] });
      expect(await read()).toEqual(before);
    }
  });
});

describe("a commit", () => {
  test("writes a field that changes only since the preview", async () => {
    await using server = await startBackend();
    const client = await server.owner();
    const { id } = await addDomain(client, { name: "a.example", owner: "Pat" });
    const preview = await previewOf(client, "Domain,Owner,Account\na.example,Pat,main\n");
    const headers = { "If-Match": "*" };
    const json = { owner: "Ada", account: "main" };
    await client.request(`/api/domains/${id}`, { method: "PATCH", json, headers });
    expect((await commitWhatIsNow(client, preview.id)).status).toBe(200);
    expect(await client.json(`/api/domains/${id}`)).toMatchObject({ owner: "Pat" });
    expect(await client.json("/api/domains?owner=pat")).toMatchObject({ total: 1 });
  });
});
