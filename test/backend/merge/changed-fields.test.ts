import { describe, expect } from "bun:test";
import { parseDomainPage } from "../../../src/shared/domain.ts";
import { test } from "../../support/owner-test.ts";
import { addDomain, FULL_DOMAIN } from "../../support/domains.ts";
import { importFile, listRows, undoImport } from "../../support/import-client.ts";

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

describe("a commit", () => {
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
});
