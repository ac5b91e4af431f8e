import { describe, expect, spyOn } from "bun:test";
import { foldStatus } from "../../../src/backend/domains/registrar-status.ts";
import { refoldDomains } from "../../../src/backend/domains/write/refold-domains.ts";
import { parseDomainDetail } from "../../../src/shared/domain-detail.ts";
import { parseFacets } from "../../../src/shared/facets.ts";
import { type BulkResult, parseSummary } from "../../../src/shared/register.ts";
import { startBackend } from "../../support/backend-server.ts";
import { once, test } from "../../support/owner-test.ts";
import { addDomain, changeMany, listNames, undoOperation } from "../../support/domains.ts";
import { importFile, undoImport } from "../../support/import-client.ts";

describe("foldStatus", () => {
  const words = [
    ["active", ["Active", "ok", "OK", "Aktiv", "actif", "registered", "clientTransferProhibited"]],
    ["cancelled", ["Gekündigt", "GEKUNDIGT", " gekündigt  zum 31.12.2026", "Résilié", "解約済み"]],
    ["cancelled", ["CANCELLED_HELD", "Canceled", "opgezegd", "disdetta", "anulowana", "cancelado"]],
    ["on-hold", ["clientHold", "client hold", "SERVER_HOLD", "HELD_SHOPPER"]],
    ["on-hold", ["ok, clientHold", "clientHold https://icann.org/epp#clientHold"]],
    [
      "on-hold",
      ["clientTransferProhibited clientHold", "Active / Suspended", "Expired domain hold"],
    ],
    ["redemption", ["redemptionPeriod", "restorable", "REDEMPTION", "CANCELLED_REDEEMABLE"]],
    ["redemption", ["pendingDelete redemptionPeriod", "HELD_EXPIRED_REDEMPTION_MOCK"]],
    ["pending-delete", ["pendingDelete", "pending_delete", "Wird gelöscht"]],
    ["pending-delete", ["supprimé", "ok|deleted"]],
    ["transferring-in", ["PENDING_TRANSFER_IN_ACK", "pending_incoming_transfer"]],
    ["transferring-out", ["pendingTransfer", "outgoing_transfer", "transferaway"]],
    [null, ["Expired", "QUANTUM_LEAP", "not cancelled", "nicht aktiv", "Active, quantum leap", ""]],
    [null, ["Threshold", "holder", "cancel culture", "-", "???", "1"]],
  ] as const;
  once("reads the words of registrars in many languages", () => {
    for (const [meaning, some] of words) {
      expect([meaning, some.filter((word) => foldStatus(word) !== meaning)]).toEqual([meaning, []]);
    }
  });
});

describe("what a registrar says", () => {
  test("is filtered, counted and judged by what it means", async (client) => {
    const words = { bad: "Gekündigt", good: "Aktiv", odd: "Quantum leap" };
    const rows = Object.entries(words).map(
      ([name, word]) => `${name}.example,2027-03-01,${word},IONOS\n`,
    );
    await importFile(client, `Domain,Expires,Status,Registrar\n${rows.join("")}`);
    expect(await listNames(client, "status=cancelled")).toEqual(["bad.example"]);
    expect(await listNames(client, "status=!cancelled")).toEqual(["good.example", "odd.example"]);
    expect(await listNames(client, "status=-")).toEqual(["odd.example"]);
    expect(await listNames(client, "finding=critical")).toEqual(["bad.example"]);
    expect(await listNames(client, "finding=registrar-cancelled")).toEqual(["bad.example"]);
    const { statuses } = parseFacets(await client.json("/api/facets"));
    const counts = statuses.map(({ value, names }) => `${value} ${names}`);
    expect(counts.toSorted()).toEqual(["- 1", "active 1", "cancelled 1"]);
    // That a custom field says `status` is no change of it.
    const select = { filter: { status: "cancelled" }, expectedCount: 1 };
    await changeMany(client, select, { kind: "edit", custom: { field: "status" } });
    const bad = parseDomainDetail(await client.json("/api/domains/bad.example"));
    expect(bad).toMatchObject({ status: "Gekündigt", statusMeaning: "cancelled" });
    const finding = { code: "registrar-cancelled", severity: "critical", since: bad.createdAt };
    const advice = "Restore it there, or mark it Drop.";
    expect(bad.findings).toMatchObject([
      { ...finding, label: "Cancelled at IONOS", text: "IONOS says “Gekündigt”", advice },
    ]);
    const held = { name: "held.example", status: "clientHold", expires: "2020-01-31" };
    await addDomain(client, held);
    const { work } = parseSummary(await client.json("/api/summary"));
    expect(work.look.items.map(({ name }) => name)).toContain("bad.example");
    // The expiry explains it.
    expect(work.expired.items).toMatchObject([{ name: held.name, alert: "On hold" }]);
    const { findings } = parseDomainDetail(await client.json("/api/domains/held.example"));
    expect(findings[0]?.advice).toBe("It has expired: renew it at the registrar now.");
    const good = await client.json("/api/domains/good.example");
    expect(good).toMatchObject({ statusMeaning: "active", severity: null, findings: [] });
  });

  once("follows every way of writing it", async (client) => {
    const critical = () => listNames(client, "finding=critical");
    const bulk = async (op: object): Promise<BulkResult> =>
      (await changeMany(client, { filter: { q: "bad" }, expectedCount: 1 }, op)).json();
    const undo = ({ operation }: BulkResult) => undoOperation(client, operation);
    await addDomain(client, { name: "bad.example", status: "clientHold" });
    expect(await critical()).toEqual(["bad.example"]);
    // Dropped or sold, nobody wants it.
    const dropped = await bulk({ kind: "edit", decision: "drop" });
    expect(await critical()).toEqual([]);
    await undo(dropped);
    await undo(await bulk({ kind: "edit", soldOn: "2026-10-31" }));
    expect(await critical()).toEqual(["bad.example"]);
    const edited = await bulk({ kind: "edit", status: "Active" });
    expect(await critical()).toEqual([]);
    await undo(edited);
    expect(await critical()).toEqual(["bad.example"]);
    // A blank cell says nothing, and neither does a file without the column.
    await importFile(client, "Domain,Expires,Status\nbad.example,2027-03-01,\n");
    await importFile(client, "Domain,Expires\nbad.example,2027-04-01\n");
    expect(await critical()).toEqual(["bad.example"]);
    const restored = await importFile(client, "Domain,Expires,Status\nbad.example,2027-04-01,ok\n");
    expect(await critical()).toEqual([]);
    await undoImport(client, restored.id);
    const deleted = await bulk({ kind: "delete" });
    expect(await critical()).toEqual([]);
    await undo(deleted);
    expect(await critical()).toEqual(["bad.example"]);
  });

  once("is read anew at a start where another version stored it", async (client) => {
    await addDomain(client, { name: "bad.example", status: "Gekündigt" });
    await client.server.write(async (sql) => {
      await sql`update domains set status_key = null`;
      await sql`update settings set value = '"older"' where name = 'folded by'`;
    });
    expect(await listNames(client, "status=cancelled")).toEqual([]);
    await using _ = await startBackend({ databaseUrl: client.server.databaseUrl });
    expect(await listNames(client, "status=cancelled")).toEqual(["bad.example"]);
  });

  test("is read again by a few statements for many words", async (client) => {
    const rows = Array.from({ length: 300 }, (_, at) => `d${at}.example,Cancelled 2026-${at}\n`);
    await importFile(client, `Domain,Status\n${rows.join("")}`);
    const database = await client.server.openDatabase();
    await database.write(async (sql) => {
      await sql`update domains set status_key = null`;
      await sql`update settings set value = '"older"' where name = 'folded by'`;
    });
    const write = spyOn(database, "write");
    await refoldDomains(database);
    expect(write.mock.calls.length).toBeLessThan(5);
    expect(await client.json("/api/domains?status=cancelled")).toMatchObject({ total: 300 });
  });
});
